import { expect } from '@playwright/test'
import { blockStorage } from '../steps/faults.ts'
import { somebody, somebodyWithPhone } from '../steps/people.ts'
import {
  askForCode,
  enterCode,
  openPhone,
  panel,
  signIn,
  signUp,
  speak,
  standAlone,
} from '../steps/waysIn.ts'
import { words } from '../words.ts'
import { holdToasts, register } from './people.ts'
import { type At, button, type ScreensOf, SIGNED_OUT, type Stage, text } from './screen.ts'

/** The page on the way to Google and back, `google-sign-in.html`: nothing of the app runs there. */
const OUTSIDE: At = { session: null, popupQueue: null, update: null }
/** Somebody is signed in whose account is not open to them yet. */
const UNVERIFIED: At = { session: 'unverified.awaitingVerification', popupQueue: null }

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
      reach: ({ page }) => speak(page),
      shows: button('createInstead'),
    },
    {
      name: 'sign-in-verified',
      async reach({ page }) {
        await speak(page)
        await page.goto('/?emailVerified=1')
      },
      shows: text('addressVerified'),
    },
    {
      name: 'sign-in-refused',
      async reach(stage) {
        const { page } = stage
        const person = await register(stage)
        await speak(page)
        await signIn(page, { ...person, password: 'pas-le-bon' })
      },
      shows: text('wrongPassword'),
    },
    {
      name: 'sign-in-refused-protected',
      async reach({ page, server }) {
        await server.protectAddresses(true)
        await speak(page)
        await signIn(page, somebody())
        await expect(page.getByRole('button', { name: words.signUpWithAddress })).toBeVisible()
        await server.protectAddresses(false)
      },
      shows: button('signUpWithAddress'),
    },
    {
      name: 'sign-in-storage-blocked',
      // Its tabs share no language.
      isSaidOnce: true,
      async reach({ page }) {
        await blockStorage(page)
        await speak(page)
      },
      shows: text('storageBlocked'),
    },
    {
      name: 'google-popup-done',
      at: OUTSIDE,
      isSaidOnce: true,
      async reach({ page }) {
        await speak(page)
        await page.goto('/google-sign-in.html')
      },
      shows: ({ page, language }) =>
        page.getByRole('heading', { name: language === 'fr' ? 'C’est fait' : 'Done' }),
    },
    {
      name: 'google-request-over',
      at: OUTSIDE,
      isSaidOnce: true,
      async reach({ page }) {
        await speak(page)
        await page.goto('/google-sign-in.html#state=own.1')
      },
      shows: ({ page }) => page.getByRole('heading', { name: words.requestOver }),
    },
    {
      name: 'google-opening',
      at: OUTSIDE,
      isSaidOnce: true,
      async reach({ page }) {
        await standAlone(page)
        await page.route('**/sandbox/google/auth**', (route) => route.fulfill({ status: 204 }))
        await speak(page)
        await page.getByRole('button', { name: words.google }).click()
      },
      shows: ({ page }) => page.getByRole('heading', { name: words.openingGoogle }),
    },
    {
      name: 'forgotten-password-error',
      async reach({ page }) {
        await speak(page)
        await page.getByRole('button', { name: words.forgotPassword }).click()
      },
      shows: text('addressWanted'),
    },
    {
      name: 'forgotten-password-sent',
      isSaidOnce: true,
      async reach({ page, server }) {
        const person = somebody()
        await server.register(person)
        await holdToasts(page)
        await speak(page)
        await page.getByLabel(words.email).fill(person.email)
        await page.getByRole('button', { name: words.forgotPassword }).click()
      },
      shows: text('mailOnItsWay'),
    },
    {
      name: 'sign-up',
      reach: openSignUp,
      shows: button('createAccount'),
    },
    {
      name: 'sign-up-errors',
      async reach(stage) {
        const { page } = stage
        await openSignUp(stage)
        await page.getByLabel(words.email).fill('aissatou@')
        await page.getByLabel(words.password, { exact: true }).fill('court')
        await page.getByRole('button', { name: words.createAccount }).click()
      },
      shows: text('nameWanted'),
    },
    {
      name: 'phone-sign-in',
      at: { phoneOtp: 'editing' },
      reach: (stage) => openPhoneSide(stage, 'signIn'),
      shows: button('getCode'),
    },
    {
      name: 'phone-no-account',
      at: { phoneOtp: 'editing' },
      async reach(stage) {
        await stage.page.route('**/check-phone-user', (route) => route.fulfill({ status: 404, json: {} }))
        await askWhetherKnown(stage)
      },
      shows: text('numberWithoutAccount'),
    },
    {
      name: 'phone-check-failed',
      at: { phoneOtp: 'editing' },
      async reach(stage) {
        await stage.page.route('**/check-phone-user', (route) => route.abort())
        await askWhetherKnown(stage)
      },
      shows: text('accountUnknown'),
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
      shows: text('tooManyChecks'),
    },
    {
      name: 'phone-sign-up-errors',
      at: { phoneOtp: 'editing' },
      async reach(stage) {
        const { page } = stage
        await openPhoneSide(stage, 'signUp')
        await panel(page).getByLabel(words.phoneNumber).fill('620 00 00 00')
        await panel(page).getByRole('button', { name: words.getCode }).click()
        await expect(page.getByText(words.phoneInvalid)).toBeVisible()
      },
      shows: text('nameWanted'),
    },
    {
      name: 'phone-code',
      at: { phoneOtp: 'enteringCode' },
      async reach(stage) {
        await openPhoneSide(stage, 'signUp')
        await askForCode(stage.page, somebodyWithPhone())
      },
      shows: text('codeSent'),
    },
    {
      name: 'phone-code-wrong',
      at: { phoneOtp: 'enteringCode' },
      async reach(stage) {
        const { page } = stage
        await openPhoneSide(stage, 'signUp')
        await askForCode(page, somebodyWithPhone())
        await panel(page).getByLabel(words.code).fill('abcdef')
        await panel(page).getByRole('button', { name: words.createAccount }).click()
      },
      shows: text('codeWrong'),
    },
    {
      name: 'profile-missing',
      async reach(stage) {
        const { page, server } = stage
        const person = await register(stage)
        await server.remove(`users/${person.uid}`)
        await speak(page)
        await signIn(page, person)
      },
      shows: text('profileMissing'),
    },
    {
      name: 'held-sign-in-again',
      at: UNVERIFIED,
      async reach({ page, server }) {
        const person = somebody()
        await server.squat({ ...person, ...somebodyWithPhone(), name: person.name }, { isVerified: true })
        await speak(page)
        await signIn(page, person)
      },
      shows: text('signInAgain'),
    },
    {
      name: 'held-by-address',
      at: UNVERIFIED,
      async reach({ page, server }) {
        const person = { ...somebody(), ...somebodyWithPhone() }
        await server.squat(person, { isVerified: true })
        await speak(page)
        await openPhone(page, 'signUp')
        await askForCode(page, person)
        await enterCode(page, server, person)
        await panel(page).getByRole('button', { name: words.createAccount }).click()
      },
      shows: text('signInByAddress'),
    },
    {
      name: 'held-by-number',
      at: UNVERIFIED,
      async reach({ page, server }) {
        const person = { ...somebody(), ...somebodyWithPhone() }
        await server.squat(person, { madeWith: 'phone', isVerified: true })
        await speak(page)
        await signIn(page, person)
      },
      shows: text('signInByNumber'),
    },
    {
      name: 'held-by-former-address',
      at: UNVERIFIED,
      async reach({ page, server }) {
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
        await speak(page)
        await signIn(page, person)
      },
      shows: text('heldByFormer'),
    },
    {
      name: 'google-blocked',
      async reach({ page }) {
        await page.addInitScript(() => {
          window.open = () => null
        })
        await speak(page)
        await page.getByRole('button', { name: words.google }).click()
      },
      shows: text('windowBlocked'),
    },
    {
      name: 'verification',
      at: UNVERIFIED,
      async reach({ page }) {
        await speak(page)
        await signUp(page, somebody())
      },
      shows: ({ page }) => page.getByRole('heading', { name: words.verify }),
    },
  ],
}

async function openSignUp({ page }: Stage) {
  await speak(page)
  await page.getByRole('button', { name: words.createInstead }).click()
}

async function openPhoneSide({ page }: Stage, side: 'signIn' | 'signUp') {
  await speak(page)
  await openPhone(page, side)
}

/** A number on the side of the sign-in, and the question whether it has an account. */
async function askWhetherKnown(stage: Stage) {
  const { page } = stage
  await openPhoneSide(stage, 'signIn')
  await panel(page).getByLabel(words.phoneNumber).fill(somebodyWithPhone().phone)
  await panel(page).getByRole('button', { name: words.getCode }).click()
}
