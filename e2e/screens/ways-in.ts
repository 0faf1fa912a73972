import { expect } from '@playwright/test'
import { blockStorage } from '../steps/faults.ts'
import { somebody, somebodyWithPhone } from '../steps/people.ts'
import { askForCode, openPhone, panel, sentCode, signIn, signUp, speak, standAlone } from '../steps/waysIn.ts'
import { holdToasts, register } from './people.ts'
import { type At, button, type ScreensOf, SIGNED_OUT, type Stage, text } from './screen.ts'

/** The page on the way to Google and back, `google-sign-in.html`: nothing of the app runs there. */
const OUTSIDE: At = { boot: null, popupQueue: null, update: null }
/** Somebody is signed in whose account is not open to them yet. */
const UNVERIFIED: At = { boot: 'unverified.awaitingVerification', popupQueue: null }

export const WAYS_IN_SCREENS: ScreensOf = {
  testedBy: [
    'ways-in',
    'ways-in-by-email',
    'ways-in-by-phone',
    'ways-in-with-google',
    'own-window',
    'kept-forms',
    'refusals',
    'waiting',
    'slow-code',
  ],
  at: SIGNED_OUT,
  screens: [
    {
      name: 'sign-in',
      reach: ({ page, language }) => speak(page, language),
      shows: button((words) => words.createInstead),
    },
    {
      name: 'sign-in-verified',
      async reach({ page, language }) {
        await speak(page, language)
        await page.goto('/?emailVerified=1')
      },
      shows: text((words) => words.addressVerified),
    },
    {
      name: 'sign-in-refused',
      async reach(stage) {
        const { page, language, words } = stage
        const person = await register(stage)
        await speak(page, language)
        await signIn(page, words, { ...person, password: 'pas-le-bon' })
      },
      shows: text((words) => words.wrongPassword),
    },
    {
      name: 'sign-in-refused-protected',
      async reach({ page, language, words, server }) {
        await server.protectAddresses(true)
        await speak(page, language)
        await signIn(page, words, somebody())
        await expect(page.getByRole('button', { name: words.signUpWithAddress })).toBeVisible()
        await server.protectAddresses(false)
      },
      shows: button((words) => words.signUpWithAddress),
    },
    {
      name: 'sign-in-storage-blocked',
      async reach({ page, language }) {
        await blockStorage(page)
        await speak(page, language)
      },
      shows: text((words) => words.storageBlocked),
    },
    {
      name: 'google-popup-done',
      at: OUTSIDE,
      isSaidOnce: true,
      async reach({ page, language }) {
        await speak(page, language)
        await page.goto('/google-sign-in.html')
      },
      shows: ({ page, language }) =>
        page.getByRole('heading', { name: language === 'fr' ? 'C’est fait' : 'Done' }),
    },
    {
      name: 'google-request-over',
      at: OUTSIDE,
      isSaidOnce: true,
      async reach({ page, language }) {
        await speak(page, language)
        await page.goto('/google-sign-in.html#state=own.1')
      },
      shows: ({ page, words }) => page.getByRole('heading', { name: words.requestOver }),
    },
    {
      name: 'google-opening',
      at: OUTSIDE,
      isSaidOnce: true,
      async reach({ page, language, words }) {
        await standAlone(page)
        await page.route('**/sandbox/google/auth**', (route) => route.fulfill({ status: 204 }))
        await speak(page, language)
        await page.getByRole('button', { name: words.google }).click()
      },
      shows: ({ page, words }) => page.getByRole('heading', { name: words.openingGoogle }),
    },
    {
      name: 'forgotten-password-error',
      async reach({ page, language, words }) {
        await speak(page, language)
        await page.getByRole('button', { name: words.forgotPassword }).click()
      },
      shows: text((words) => words.addressWanted),
    },
    {
      name: 'forgotten-password-sent',
      isSaidOnce: true,
      async reach({ page, language, words, server }) {
        const person = somebody()
        await server.register(person)
        await holdToasts(page)
        await speak(page, language)
        await page.getByLabel(words.email).fill(person.email)
        await page.getByRole('button', { name: words.forgotPassword }).click()
      },
      shows: text((words) => words.mailOnItsWay),
    },
    {
      name: 'sign-up',
      reach: openSignUp,
      shows: button((words) => words.createAccount),
    },
    {
      name: 'sign-up-errors',
      async reach(stage) {
        const { page, words } = stage
        await openSignUp(stage)
        await page.getByLabel(words.email).fill('aissatou@')
        await page.getByLabel(words.password, { exact: true }).fill('court')
        await page.getByRole('button', { name: words.createAccount }).click()
      },
      shows: text((words) => words.nameWanted),
    },
    {
      name: 'phone-sign-in',
      at: { phoneOtp: 'editing' },
      reach: (stage) => openPhoneSide(stage, 'signIn'),
      shows: button((words) => words.getCode),
    },
    {
      name: 'phone-no-account',
      at: { phoneOtp: 'editing' },
      async reach(stage) {
        await stage.page.route('**/check-phone-user', (route) => route.fulfill({ status: 404, json: {} }))
        await askWhetherKnown(stage)
      },
      shows: text((words) => words.numberWithoutAccount),
    },
    {
      name: 'phone-check-failed',
      at: { phoneOtp: 'editing' },
      async reach(stage) {
        await stage.page.route('**/check-phone-user', (route) => route.abort())
        await askWhetherKnown(stage)
      },
      shows: text((words) => words.accountUnknown),
    },
    {
      name: 'phone-too-many-checks',
      at: { phoneOtp: 'editing' },
      async reach(stage) {
        const details = { retryAfterSeconds: 600 }
        await stage.page.route('**/check-phone-user', (route) =>
          route.fulfill({ status: 429, json: { code: 'tooManyRequests', error: '', details } }),
        )
        await askWhetherKnown(stage)
      },
      shows: text((words) => words.tooManyChecks),
    },
    {
      name: 'phone-sign-up-errors',
      at: { phoneOtp: 'editing' },
      async reach(stage) {
        const { page, words } = stage
        await openPhoneSide(stage, 'signUp')
        await panel(page).getByLabel(words.phoneNumber).fill('620 00 00 00')
        await panel(page).getByRole('button', { name: words.getCode }).click()
        await expect(page.getByText(words.phoneInvalid)).toBeVisible()
      },
      shows: text((words) => words.nameWanted),
    },
    {
      name: 'phone-code',
      at: { phoneOtp: 'enteringCode' },
      async reach(stage) {
        await openPhoneSide(stage, 'signUp')
        await askForCode(stage.page, stage.words, somebodyWithPhone())
      },
      shows: text((words) => words.codeSent),
    },
    {
      name: 'phone-code-wrong',
      at: { phoneOtp: 'enteringCode' },
      async reach(stage) {
        const { page, words } = stage
        await openPhoneSide(stage, 'signUp')
        await askForCode(page, words, somebodyWithPhone())
        await panel(page).getByLabel(words.code).fill('abcdef')
        await panel(page).getByRole('button', { name: words.createAccount }).click()
      },
      shows: text((words) => words.codeWrong),
    },
    {
      name: 'profile-missing',
      async reach(stage) {
        const { page, language, words, server } = stage
        const person = await register(stage)
        await server.remove(`users/${person.uid}`)
        await speak(page, language)
        await signIn(page, words, person)
      },
      shows: text((words) => words.profileMissing),
    },
    {
      name: 'held-sign-in-again',
      at: UNVERIFIED,
      async reach({ page, language, words, server }) {
        const person = somebody()
        await server.squat({ ...person, ...somebodyWithPhone(), name: person.name }, { isVerified: true })
        await speak(page, language)
        await signIn(page, words, person)
      },
      shows: text((words) => words.signInAgain),
    },
    {
      name: 'held-by-address',
      at: UNVERIFIED,
      async reach({ page, language, words, server }) {
        const person = { ...somebody(), ...somebodyWithPhone() }
        await server.squat(person, { isVerified: true })
        await speak(page, language)
        await openPhone(page, words, 'signUp')
        await askForCode(page, words, person)
        await panel(page)
          .getByLabel(words.code)
          .fill(await sentCode(page, words, server, person))
        await panel(page).getByRole('button', { name: words.createAccount }).click()
      },
      shows: text((words) => words.signInByAddress),
    },
    {
      name: 'held-by-number',
      at: UNVERIFIED,
      async reach({ page, language, words, server }) {
        const person = { ...somebody(), ...somebodyWithPhone() }
        await server.squat(person, { madeWith: 'phone', isVerified: true })
        await speak(page, language)
        await signIn(page, words, person)
      },
      shows: text((words) => words.signInByNumber),
    },
    {
      name: 'held-by-former-address',
      at: UNVERIFIED,
      async reach({ page, language, words, server }) {
        const person = somebody()
        const before = { ...somebody(), uid: '' }
        before.uid = await server.register(before)
        const uid = await server.register(person)
        const change = async (who: { uid: string; email: string }, changes: object) => {
          const [profile] = await server.documents('users', 'email', who.email)
          await server.write(`users/${who.uid}`, { ...profile, createdAt: new Date(), ...changes })
        }
        await change(before, { formerAddresses: [person.email] })
        await change({ ...person, uid }, { verifiedAddress: null })
        await speak(page, language)
        await signIn(page, words, person)
      },
      shows: text((words) => words.heldByFormer),
    },
    {
      name: 'google-blocked',
      async reach({ page, language, words }) {
        await page.addInitScript(() => {
          window.open = () => null
        })
        await speak(page, language)
        await page.getByRole('button', { name: words.google }).click()
      },
      shows: text((words) => words.windowBlocked),
    },
    {
      name: 'verification',
      at: UNVERIFIED,
      async reach({ page, language, words }) {
        await speak(page, language)
        await signUp(page, words, somebody())
      },
      shows: ({ page, words }) => page.getByRole('heading', { name: words.verify }),
    },
  ],
}

async function openSignUp({ page, language, words }: Stage) {
  await speak(page, language)
  await page.getByRole('button', { name: words.createInstead }).click()
}

async function openPhoneSide({ page, language, words }: Stage, side: 'signIn' | 'signUp') {
  await speak(page, language)
  await openPhone(page, words, side)
}

/** A number on the side of the sign-in, and the question whether it has an account. */
async function askWhetherKnown(stage: Stage) {
  const { page, words } = stage
  await openPhoneSide(stage, 'signIn')
  await panel(page).getByLabel(words.phoneNumber).fill(somebodyWithPhone().phone)
  await panel(page).getByRole('button', { name: words.getCode }).click()
}
