import { expect, type Locator, type Page } from '@playwright/test'
import type { Language } from '../domain/language.ts'
import { monthOf } from '../domain/month.ts'
import type { Server } from './server.ts'
import {
  blockStorage,
  changePasswordElsewhere,
  crash,
  demandProof,
  rightBeforeReserving,
  spoilToken,
} from './steps/faults.ts'
import {
  choose,
  fillDetails,
  handIn,
  IDENTITY_WORDS,
  type IdentityWords,
  openIdentity,
  png,
  submit,
  UPLOADS,
} from './steps/identity.ts'
import {
  dayIn,
  INVOICE_WORDS,
  type InvoiceWords,
  issueInvoice,
  lookUp,
  openInvoices,
  payInvoiceButton,
} from './steps/invoices.ts'
import { openContact, openFromMenu, openProfile, openRow, openSecurity, openWallet } from './steps/pages.ts'
import { type Person, somebody, somebodyWithPhone } from './steps/people.ts'
import { openPlans, subscribeButton } from './steps/plans.ts'
import { CARDS, cardFrame, confirmForm, fillTransfer, payButton, typeCard } from './steps/transfer.ts'
import {
  askForCode,
  enter,
  openPhone,
  panel,
  sentCode,
  signIn,
  signInByPhone,
  signUp,
  speak,
  standAlone,
} from './steps/waysIn.ts'
import { WORDS, type Words } from './words.ts'

/** A fresh browser, and what a screen needs to be reached in it. */
export interface Stage {
  readonly page: Page
  readonly server: Server
  readonly language: Language
  readonly words: Words
}

/** A screen, a state of one or a dialog. The checks and the photographs walk the list of them. */
export interface Screen {
  readonly name: string
  /** From a page that has not been anywhere yet to the screen. */
  readonly reach: (stage: Stage) => Promise<void>
  /** What is in sight when the screen is there. */
  readonly shows: (stage: Stage) => Locator
  /** Its text was made when it was shown, or it is a page of its own: another language needs another visit. */
  readonly isSaidOnce?: true
  /** The heading that says where a person is, when it stands in a frame of the provider. */
  readonly heading?: (stage: Stage) => Locator
}

export const stageOf = (page: Page, server: Server, language: Language): Stage => ({
  page,
  server,
  language,
  words: WORDS[language],
})

export function screenNamed(name: string): Screen {
  const screen = SCREENS.find((one) => one.name === name)
  if (!screen) throw new Error(`There is no screen ${name}`)
  return screen
}

export async function goTo(screen: Screen, stage: Stage) {
  await screen.reach(stage)
  // As long as in the tests: the script that takes the screenshots has no settings of theirs.
  await expect(screen.shows(stage)).toBeVisible({ timeout: 10_000 })
}

const AMOUNT = { amount: '150' }

const text = (word: (words: Words) => string) => (stage: Stage) =>
  stage.page.getByText(word(stage.words)).first()
const invoiceText =
  (word: (said: InvoiceWords) => string) =>
  ({ page, language }: Stage) =>
    page.getByText(word(INVOICE_WORDS[language])).first()
const button = (word: (words: Words) => string | RegExp) => (stage: Stage) =>
  stage.page.getByRole('button', { name: word(stage.words) })
const cardNumber = ({ page, words }: Stage) => cardFrame(page).getByLabel(words.cardNumber)

/** Every screen of the product. A new one joins the checks by being here. */
export const SCREENS: readonly Screen[] = [
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
    name: 'profile-password-for-address',
    async reach({ page, language, words, server }) {
      await server.protectAddresses(true)
      const person = somebodyWithPhone()
      await server.registerPhone(person)
      await speak(page, language)
      await signInByPhone(page, words, server, person)
      await openProfile(page, words)
      await page.getByRole('textbox', { name: words.email }).fill(somebody().email)
      await page.getByRole('button', { name: words.changeEmail }).click()
      await expect(page.getByText(words.passwordForAddress)).toBeVisible()
      await server.protectAddresses(false)
    },
    shows: text((words) => words.passwordForAddress),
  },
  {
    name: 'sign-in-session-ended',
    async reach(stage) {
      const { page, server } = stage
      const person = await register(stage)
      await signInAs(stage, person)
      await changePasswordElsewhere(page, server, person)
      await page.reload()
    },
    shows: text((words) => words.sessionEnded),
  },
  {
    name: 'sign-in-session-ended-unpaid',
    async reach(stage) {
      const { page, server, words } = stage
      const person = await register(stage)
      await signInAs(stage, person)
      await confirmTransfer(stage)
      await expect(payButton(page, words)).toBeEnabled()
      await changePasswordElsewhere(page, server, person)
      await page.reload()
    },
    shows: text((words) => words.notPaidYet),
  },
  {
    name: 'sign-in-session-ended-maybe-paid',
    async reach(stage) {
      const { page, server, words } = stage
      const person = await register(stage)
      await signInAs(stage, person)
      await confirmTransfer(stage)
      await typeCard(page, words, CARDS.good)
      await changePasswordElsewhere(page, server, person)
      await spoilToken(page)
      await payButton(page, words).click()
      await expect(page.getByRole('main').getByRole('alert')).toBeInViewport()
    },
    shows: text((words) => words.maybePaid),
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
    isSaidOnce: true,
    async reach({ page, language }) {
      await speak(page, language)
      await page.goto('/google-sign-in.html#state=own.1')
    },
    shows: ({ page, words }) => page.getByRole('heading', { name: words.requestOver }),
  },
  {
    name: 'google-opening',
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
    reach: (stage) => openPhoneSide(stage, 'signIn'),
    shows: button((words) => words.getCode),
  },
  {
    name: 'phone-no-account',
    async reach(stage) {
      await stage.page.route('**/check-phone-user', (route) => route.fulfill({ status: 404, json: {} }))
      await askWhetherKnown(stage)
    },
    shows: text((words) => words.numberWithoutAccount),
  },
  {
    name: 'phone-check-failed',
    async reach(stage) {
      await stage.page.route('**/check-phone-user', (route) => route.abort())
      await askWhetherKnown(stage)
    },
    shows: text((words) => words.accountUnknown),
  },
  {
    name: 'phone-too-many-checks',
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
    async reach(stage) {
      const { page, words } = stage
      await openPhoneSide(stage, 'signUp')
      await panel(page).getByLabel(words.phoneNumber).fill('06 12 34 56 78')
      await panel(page).getByRole('button', { name: words.getCode }).click()
      await expect(page.getByText(words.phoneInvalid)).toBeVisible()
    },
    shows: text((words) => words.nameWanted),
  },
  {
    name: 'phone-code',
    async reach(stage) {
      await openPhoneSide(stage, 'signUp')
      await askForCode(stage.page, stage.words, somebodyWithPhone())
    },
    shows: text((words) => words.codeSent),
  },
  {
    name: 'phone-code-wrong',
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
    async reach({ page, language, words }) {
      await speak(page, language)
      await signUp(page, words, somebody())
    },
    shows: ({ page, words }) => page.getByRole('heading', { name: words.verify }),
  },
  {
    name: 'opening',
    async reach(stage) {
      await arrive(stage)
      await stage.page.route('**/accounts:lookup**', () => undefined)
      // A device that remembers the person opens at once.
      await stage.page.addInitScript(() => {
        for (const name of ['profile', 'home']) localStorage.removeItem(`passerelle.${name}`)
      })
      await stage.page.reload()
    },
    shows: text((words) => words.opening),
  },
  {
    name: 'start-failed',
    async reach(stage) {
      const { page, language, words } = stage
      const person = await register(stage)
      await speak(page, language)
      await page.route('**/v1/projects/**', (route) => route.abort())
      await signIn(page, words, person)
    },
    shows: text((words) => words.startFailed),
  },
  {
    name: 'crashed',
    async reach(stage) {
      await arrive(stage)
      await crash(stage.page, stage.words)
    },
    shows: text((words) => words.crashed),
  },
  {
    name: 'code-missing',
    async reach(stage) {
      const { page, language, words } = stage
      await page.route('**/assets/Home-*.js', (route) => route.fulfill({ status: 404, body: '' }))
      await hurryToasts(page)
      await speak(page, language)
      await signIn(page, words, await register(stage))
      await expect(page.getByText(words.codeMissing)).toBeVisible()
      await expect(page.getByText(words.welcome)).toBeHidden()
    },
    shows: text((words) => words.codeMissing),
  },
  {
    name: 'home-empty',
    reach: arrive,
    shows: text((words) => words.noTransfers),
  },
  {
    name: 'home-filled',
    async reach(stage) {
      await arrive(stage)
      await fillTransfer(stage.page, stage.words, AMOUNT)
    },
    shows: ({ page }) =>
      page
        .getByTestId('quote')
        .getByText(/1.542.300/)
        .first(),
  },
  {
    name: 'home-field-errors',
    async reach(stage) {
      const { page, words } = stage
      await arrive(stage)
      await page.getByLabel(words.amount).fill('9,99')
      await page.getByLabel(words.phone).fill('+33 6 12 34 56 78')
      await page.getByLabel(words.coupon).fill('!')
      await page.getByLabel(words.coupon).blur()
      for (const said of [words.amountTooLow, words.phonePrefixWrong])
        await expect(page.getByText(said)).toBeVisible()
    },
    shows: text((words) => words.couponWrong),
  },
  {
    name: 'home-offline',
    isSaidOnce: true,
    async reach(stage) {
      await arrive(stage)
      await fillTransfer(stage.page, stage.words, AMOUNT)
      await stage.page.context().setOffline(true)
      await confirmForm(stage.page, stage.words)
    },
    shows: text((words) => words.offline),
  },
  {
    name: 'home-activity',
    async reach(stage) {
      await signInAs(stage, await registerWithHistory(stage))
      await fillTransfer(stage.page, stage.words, AMOUNT)
    },
    shows: ({ page, words }) => page.getByRole('region', { name: words.activity }).getByRole('button').nth(3),
  },
  {
    name: 'home-install',
    async reach(stage) {
      const { page } = stage
      await page.addInitScript(earnInvitation)
      await arrive(stage)
      await offerInstall(page)
    },
    shows: button((words) => words.install),
  },
  {
    name: 'home-install-in-safari',
    async reach(stage) {
      await stage.page.addInitScript(earnInvitation)
      await stage.page.addInitScript(beSafariOnIos)
      await arrive(stage)
    },
    shows: ({ page, words }) => page.getByText(words.installInSafari),
  },
  {
    name: 'home-update-ready',
    async reach(stage) {
      await stage.page.addInitScript(holdNewVersion)
      await arrive(stage)
    },
    shows: button((words) => words.update),
  },
  {
    name: 'home-history-failed',
    async reach(stage) {
      const person = await registerWithHistory(stage)
      await stage.page.route('**/documents:runQuery**', (route) => route.abort())
      await signInAs(stage, person)
    },
    shows: text((words) => words.historyFailed),
  },
  {
    name: 'profile-menu',
    async reach(stage) {
      await arrive(stage)
      await stage.page.getByRole('button', { name: stage.words.menu }).click()
    },
    shows: ({ page, words }) => page.getByRole('menuitem', { name: words.signOut }),
  },
  {
    name: 'profile',
    async reach(stage) {
      await arrive(stage)
      await openProfile(stage.page, stage.words)
    },
    shows: button(() => /Sécurité|Security/),
  },
  {
    name: 'profile-by-phone',
    reach: openProfileByPhone,
    shows: text((words) => words.signsInWith),
  },
  {
    name: 'profile-errors',
    async reach(stage) {
      const { page, words } = stage
      await arrive(stage)
      await openProfile(page, words)
      await page.getByLabel(words.name).fill('')
      await page.getByLabel(words.email, { exact: true }).fill('aissatou@')
      for (const save of [words.saveName, words.changeEmail, words.savePhone])
        await page.getByRole('button', { name: save }).click()
      for (const said of [words.ownNameWanted, words.ownAddressWrong])
        await expect(page.getByText(said)).toBeVisible()
    },
    shows: text((words) => words.phoneWanted),
  },
  {
    name: 'security-refused',
    async reach(stage) {
      const { page, words } = stage
      await arrive(stage)
      await openSecurity(page, words)
      await page.getByLabel(words.currentPassword, { exact: true }).fill('pas-le-bon')
      for (const name of [words.newPassword, words.passwordAgain])
        await page.getByLabel(name, { exact: true }).fill('Konkouré2026')
      await page.getByRole('button', { name: words.changePassword }).click()
    },
    shows: text((words) => words.wrongPassword),
  },
  {
    name: 'profile-link-sent',
    async reach(stage) {
      await arrive(stage)
      await changeAddress(stage)
    },
    shows: text((words) => words.openLink),
  },
  {
    name: 'proof',
    async reach(stage) {
      await arrive(stage)
      await demandProof(stage.server)
      await changeAddress(stage)
    },
    shows: ({ page, words }) => page.getByRole('dialog').getByLabel(words.currentPassword),
  },
  {
    name: 'change-number',
    async reach(stage) {
      await openProfileByPhone(stage)
      await stage.page.getByRole('button', { name: stage.words.changeNumber }).click()
    },
    shows: ({ page, words }) => page.getByRole('dialog').getByLabel(words.phoneNumber),
  },
  {
    name: 'change-number-code',
    async reach(stage) {
      const { page, words } = stage
      await openProfileByPhone(stage)
      await page.getByRole('button', { name: words.changeNumber }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel(words.phoneNumber).fill(somebodyWithPhone().phone)
      await sheet.getByRole('button', { name: words.getCode }).click()
    },
    shows: text((words) => words.codeSent),
  },
  {
    name: 'profile-menu-verified',
    async reach(stage) {
      const person = await register(stage)
      await handIn(stage.server, person.uid, { status: 'approved' })
      await signInAs(stage, person)
      await stage.page.getByRole('button', { name: stage.words.menu }).click()
    },
    shows: ({ page, language }) =>
      page.getByRole('menuitem', { name: new RegExp(`${IDENTITY_WORDS[language].marks.approved}$`) }),
  },
  {
    name: 'identity',
    reach: reachIdentity,
    shows: ({ page, language }) => page.getByRole('button', { name: IDENTITY_WORDS[language].submit }),
  },
  {
    name: 'identity-errors',
    async reach(stage) {
      await reachIdentity(stage)
      await choose(stage.page, UPLOADS.executable)
      await submit(stage.page, IDENTITY_WORDS[stage.language])
    },
    shows: identityText((own) => own.wrongType),
  },
  {
    name: 'identity-preview',
    async reach(stage) {
      await reachIdentity(stage)
      await choose(stage.page, png())
    },
    shows: ({ page, language }) => page.getByAltText(IDENTITY_WORDS[language].preview),
  },
  {
    name: 'identity-connection-lost',
    async reach(stage) {
      await reachIdentity(stage)
      await stage.page.route('**/v0/b/**', () => undefined)
      await sendIdentity(stage)
    },
    shows: identityText((own) => own.connectionLost),
  },
  {
    name: 'identity-failed',
    async reach(stage) {
      await reachIdentity(stage)
      await stage.page.route('**/v0/b/**', (route) => route.fulfill({ status: 402, json: {} }))
      await sendIdentity(stage)
    },
    shows: identityText((own) => own.quota),
  },
  {
    name: 'identity-pending',
    reach: (stage) => reachIdentity(stage, {}),
    shows: identityText((own) => own.pending),
  },
  {
    name: 'identity-approved',
    reach: (stage) => reachIdentity(stage, { status: 'approved' }),
    shows: identityText((own) => own.approved),
  },
  {
    name: 'identity-document-rejected',
    async reach(stage) {
      await reachIdentity(stage, { ...REJECTED, rejectedItem: 'document' })
      await choose(stage.page, UPLOADS.pdf)
    },
    shows: ({ page }) => page.getByRole('figure'),
  },
  {
    name: 'identity-details-rejected',
    reach: (stage) => reachIdentity(stage, { ...REJECTED, rejectedItem: 'details' }),
    shows: ({ page, language }) =>
      page.getByRole('heading', { name: IDENTITY_WORDS[language].correctDetails }),
  },
  {
    name: 'identity-not-read',
    async reach(stage) {
      await arrive(stage)
      await stage.page.route('**/documents:runQuery**', (route) => route.fulfill({ status: 500, json: {} }))
      await openIdentity(stage.page, stage.words)
    },
    shows: identityText((own) => own.filesFailed),
  },
  {
    name: 'cap-reached',
    async reach(stage) {
      const person = await register(stage)
      const { uid } = person
      const month = monthOf(Date.now())
      await stage.server.write(`ledgers/${uid}_${month}`, {
        uid,
        month,
        recordedCents: 95_000,
        reservedCents: 0,
        reservedSlots: 0,
      })
      await signInAs(stage, person)
      await confirmTransfer(stage)
    },
    shows: text((words) => words.capReached),
  },
  {
    name: 'price-changed',
    async reach(stage) {
      const person = await register(stage)
      await signInAs(stage, person)
      await fillTransfer(stage.page, stage.words, AMOUNT)
      await rightBeforeReserving(stage.page, () =>
        writePlan(stage, person, { tier: 'basic', transactionsLeft: 2 }),
      )
      await confirmForm(stage.page, stage.words)
    },
    shows: ({ page }) =>
      page.getByText(/Le prix de ce transfert a changé|The price of this transfer has changed/),
  },
  {
    name: 'coupon-ended',
    async reach(stage) {
      await refusePayment(stage, 'couponEnded', 409)
      await arrive(stage)
      await stage.page.getByLabel(stage.words.coupon).fill('ZERO')
      await confirmTransfer(stage)
    },
    shows: ({ page }) => page.getByText(/plus valable|no longer valid/).last(),
  },
  {
    name: 'payments-paused',
    async reach(stage) {
      await refusePayment(stage, 'paymentsPaused', 403)
      await arrive(stage)
      await confirmTransfer(stage)
    },
    shows: ({ page }) => page.getByText(/Vos paiements sont suspendus|Your payments are paused/),
  },
  {
    name: 'payment-opening',
    async reach(stage) {
      await stage.page.route('**/stripe.js', () => undefined)
      await arrive(stage)
      await confirmTransfer(stage)
    },
    shows: text((words) => words.cardFormOpening),
  },
  {
    name: 'payment-form-failed',
    async reach(stage) {
      await stage.page.route('**/stripe.js', (route) => route.abort())
      await arrive(stage)
      await confirmTransfer(stage)
    },
    shows: text((words) => words.cardFormFailed),
  },
  {
    name: 'payment',
    async reach(stage) {
      await arrive(stage)
      await confirmTransfer(stage)
      await expect(payButton(stage.page, stage.words)).toBeEnabled()
    },
    shows: cardNumber,
  },
  {
    name: 'payment-card-incomplete',
    async reach(stage) {
      await arrive(stage)
      await confirmTransfer(stage)
      await payButton(stage.page, stage.words).click()
      await expect(stage.page.getByText(stage.words.cardIncomplete)).toBeVisible()
    },
    shows: cardNumber,
  },
  {
    name: 'payment-3-d-secure',
    isSaidOnce: true,
    reach: (stage) => payWith(stage, CARDS.threeDSecure),
    shows: ({ page, words }) =>
      page.frameLocator('dialog iframe').getByRole('button', { name: words.authenticate }),
    heading: ({ page }) => page.frameLocator('dialog iframe').getByRole('heading', { level: 1 }),
  },
  {
    name: 'payment-declined',
    reach: (stage) => payWith(stage, CARDS.declined),
    shows: text((words) => words.declined),
  },
  {
    name: 'payment-recording',
    async reach(stage) {
      await stage.page.route('**/record-transfer', () => undefined)
      await payWith(stage, CARDS.good)
    },
    shows: text((words) => words.recording),
  },
  {
    name: 'payment-checking',
    async reach(stage) {
      await stage.page.route('**/record-transfer', (route) => route.abort())
      await payWith(stage, CARDS.good)
    },
    shows: text((words) => words.checking),
  },
  {
    name: 'payment-still-checking',
    async reach(stage) {
      await stage.page.route('**/record-transfer', (route) => route.abort())
      await payWith(stage, CARDS.good)
      await stage.page.getByRole('button', { name: stage.words.leaveChecking }).click()
    },
    shows: text((words) => words.stillChecking),
  },
  {
    name: 'receipt-new',
    reach: (stage) => payWith(stage, CARDS.good),
    shows: text((words) => words.paid),
  },
  {
    name: 'receipt',
    async reach(stage) {
      const { page, words } = stage
      await signInAs(stage, await registerWithHistory(stage))
      await page.getByRole('region', { name: words.activity }).getByRole('button').first().click()
    },
    shows: ({ page, words }) => page.getByRole('dialog', { name: words.receipt }),
  },
  {
    name: 'receipt-overdue',
    async reach(stage) {
      const { page, words } = stage
      await signInAs(stage, await registerWithHistory(stage))
      await page.clock.setFixedTime(Date.now() + 2 * HOUR)
      await page.getByRole('region', { name: words.activity }).getByRole('button').first().click()
    },
    shows: ({ page }) => page.getByText(/L’heure prévue est passée|The expected time has passed/),
  },
  {
    name: 'receipt-named',
    async reach(stage) {
      const { page, words } = stage
      await signInAs(stage, await registerWithContacts(stage))
      await page.getByRole('region', { name: words.activity }).getByRole('button').nth(1).click()
    },
    shows: ({ page }) => page.getByRole('dialog').getByText('Mariama'),
  },
  {
    name: 'receipt-add-contact',
    async reach(stage) {
      const { page, words } = stage
      await signInAs(stage, await registerWithHistory(stage))
      await page.getByRole('region', { name: words.activity }).getByRole('button').first().click()
      await page.getByRole('button', { name: ADD_TO_CONTACTS }).click()
    },
    shows: ({ page }) => page.getByRole('dialog').getByLabel(CONTACT_NAME),
  },
  {
    name: 'transfer-again',
    async reach(stage) {
      const { page, words } = stage
      await signInAs(stage, await registerWithHistory(stage))
      await expect(page.getByRole('region', { name: words.activity }).getByRole('button')).toHaveCount(4)
      await confirmTransfer(stage)
    },
    shows: ({ page }) => page.getByRole('dialog', { name: /Envoyer encore|Send again/ }),
  },
  {
    name: 'home-contact',
    async reach(stage) {
      await openContactSheet(stage, await registerWithContacts(stage))
      await stage.page.getByRole('dialog').getByRole('button', { name: 'Mariama' }).click()
    },
    shows: ({ page }) => page.getByText(/votre contact|your contact/),
  },
  {
    name: 'contact-sheet',
    async reach(stage) {
      await openContactSheet(stage, await registerWithContacts(stage))
    },
    shows: ({ page }) => page.getByRole('dialog').getByRole('button', { name: 'Mariama' }),
  },
  {
    name: 'contact-sheet-empty',
    async reach(stage) {
      await openContactSheet(stage, await register(stage))
    },
    shows: ({ page }) => page.getByRole('dialog').getByText(NO_CONTACTS),
  },
  {
    name: 'contacts',
    async reach(stage) {
      await openContacts(stage, await registerWithContacts(stage))
    },
    shows: ({ page }) => page.getByRole('main').getByText('Mariama'),
  },
  {
    name: 'contacts-empty',
    async reach(stage) {
      await openContacts(stage, await register(stage))
    },
    shows: ({ page }) => page.getByRole('main').getByText(NO_CONTACTS),
  },
  {
    name: 'contacts-nothing-found',
    async reach(stage) {
      await openContacts(stage, await registerWithContacts(stage))
      await stage.page.getByRole('main').getByRole('searchbox').fill('Personne')
    },
    shows: ({ page }) => page.getByText(/Aucun contact ne correspond|No contact matches/),
  },
  {
    name: 'contacts-failed',
    async reach(stage) {
      await openContacts(stage, await registerWithContacts(stage), async () => {
        await stage.page.route('**/documents:runQuery**', (route) => route.fulfill({ status: 500, json: {} }))
      })
    },
    shows: ({ page }) => page.getByText(/contacts n’ont pas pu être chargés|contacts could not be loaded/),
  },
  {
    name: 'contact-add-errors',
    async reach(stage) {
      const { page } = stage
      await openContacts(stage, await registerWithContacts(stage))
      await page.getByRole('button', { name: ADD_CONTACT }).click()
      await page.getByRole('dialog').getByLabel(stage.words.phoneNumber).fill('+224 620 00 00 01')
      await page.getByRole('dialog').getByRole('button', { name: SAVE_CONTACT }).click()
      await expect(page.getByText(/déjà dans vos contacts|already in your contacts/)).toBeVisible()
    },
    shows: ({ page }) => page.getByText(/Saisissez le nom du contact|enter the contact’s name/),
  },
  {
    name: 'contact-add-refused',
    async reach(stage) {
      const { page } = stage
      await openContacts(stage, await register(stage))
      await page.getByRole('button', { name: ADD_CONTACT }).click()
      await page.route('**/documents:commit**', (route) => route.fulfill({ status: 500, json: {} }))
      await page.getByRole('dialog').getByLabel(CONTACT_NAME).fill('Mariama Bah')
      await page.getByRole('dialog').getByLabel(stage.words.phoneNumber).fill('+224 620 00 00 01')
      await page.getByRole('dialog').getByRole('button', { name: SAVE_CONTACT }).click()
    },
    shows: ({ page }) => page.getByText(/contact n’a pas pu être ajouté|contact could not be added/),
  },
  {
    name: 'contact-edit',
    async reach(stage) {
      await openContacts(stage, await registerWithContacts(stage))
      await editContact(stage)
    },
    shows: ({ page }) => page.getByRole('dialog').getByLabel(CONTACT_NAME),
  },
  {
    name: 'contact-delete',
    async reach(stage) {
      await openContacts(stage, await registerWithContacts(stage))
      await editContact(stage)
      await stage.page.getByRole('button', { name: /Supprimer ce contact|Delete this contact/ }).click()
    },
    shows: ({ page }) => page.getByRole('button', { name: /Garder ce contact|Keep this contact/ }),
  },
  {
    name: 'invoices-errors',
    async reach(stage) {
      await arrive(stage)
      await openInvoices(stage.page, stage.language)
      await expect(invoiceText((said) => said.none)(stage)).toBeVisible()
      await stage.page.getByRole('button', { name: INVOICE_WORDS[stage.language].see }).click()
    },
    shows: invoiceText((said) => said.incomplete),
  },
  {
    name: 'invoice-not-found',
    reach: (stage) => seeInvoice(stage, '6012-NOBODY'),
    shows: invoiceText((said) => said.noSuchInvoice),
  },
  {
    name: 'invoice-overdue',
    reach: async (stage) => seeInvoice(stage, (await issueInvoice(stage.server, {}, -3)).reference),
    shows: invoiceText((said) => said.overdue),
  },
  {
    name: 'invoice-paid',
    reach: async (stage) =>
      seeInvoice(stage, (await issueInvoice(stage.server, { status: 'paid' })).reference),
    shows: invoiceText((said) => said.alreadyPaid),
  },
  {
    name: 'invoice-under-way',
    async reach(stage) {
      const { reference, claim } = await issueInvoice(stage.server)
      await stage.server.write(claim, { heldBy: 'somebody' })
      await seeInvoice(stage, reference)
    },
    shows: invoiceText((said) => said.underWay),
  },
  {
    name: 'invoice-seems-paid',
    async reach(stage) {
      const { reference, issued } = await issueInvoice(stage.server)
      await writePaidInvoice(stage, `pi_of_${reference}`, {
        ...{ payerId: 'a relative', supplier: 'edf', reference, amount: issued.amount, currency: 'EUR' },
        ...{ dueDate: dayIn(3), createdAt: new Date() },
      })
      await seeInvoice(stage, reference)
    },
    shows: invoiceText((said) => said.seemsPaid),
  },
  {
    name: 'invoice-refused',
    async reach(stage) {
      const { reference, path } = await issueInvoice(stage.server)
      await seeInvoice(stage, reference)
      await expect(payInvoiceButton(stage.page)).toBeVisible()
      await stage.server.remove(path)
      await payInvoiceButton(stage.page).click()
    },
    shows: invoiceText((said) => said.notFetched),
  },
  {
    name: 'invoice-payment',
    async reach(stage) {
      await seeInvoice(stage, (await issueInvoice(stage.server)).reference)
      await payInvoiceButton(stage.page).click()
      await expect(payButton(stage.page, stage.words)).toBeEnabled()
    },
    shows: cardNumber,
  },
  {
    name: 'invoice-receipt',
    async reach(stage) {
      const { page, language } = stage
      await openPaidInvoices(stage)
      const paid = page.getByRole('region', { name: INVOICE_WORDS[language].paidList })
      await paid.getByRole('button').first().click()
    },
    shows: ({ page, language }) => page.getByRole('dialog', { name: INVOICE_WORDS[language].receipt }),
  },
  {
    name: 'history',
    reach: openHistory,
    shows: ({ page }) => page.getByRole('main').getByRole('listitem').nth(3),
  },
  {
    name: 'history-empty',
    async reach(stage) {
      await arrive(stage)
      await stage.page.goto('/?view=history')
    },
    shows: ({ page, words }) => page.getByRole('main').getByText(words.noTransfers),
  },
  {
    name: 'history-nothing-found',
    async reach(stage) {
      await openHistory(stage)
      await stage.page.getByRole('searchbox').fill('Mariama')
    },
    shows: ({ page }) => page.getByText(/ne correspond à votre recherche|matches your search/),
  },
  {
    name: 'history-offline',
    isSaidOnce: true,
    async reach(stage) {
      await openHistory(stage)
      await expect(stage.page.locator('main ol > li').first()).toBeVisible()
      await expect(stage.page.getByText(/À jour à|Up to date as of/)).toBeVisible()
      await stage.page.context().setOffline(true)
    },
    shows: ({ page }) => page.getByText(/Hors ligne\s: données|Offline: as of/),
  },
  {
    name: 'history-failed',
    async reach(stage) {
      const { page } = stage
      await signInAs(stage, await registerWithHistory(stage))
      await expect(
        page.getByRole('region', { name: stage.words.activity }).getByRole('button').first(),
      ).toBeVisible()
      await page.route('**/documents:runQuery**', (route) => route.fulfill({ status: 500, json: {} }))
      await page.getByRole('link', { name: ALL_OF_IT }).click()
    },
    shows: ({ page }) =>
      page.getByRole('main').getByText(/n’a pas pu être chargé|Failed to load transaction history/),
  },
  {
    name: 'settings',
    async reach(stage) {
      await arrive(stage)
      await openFromMenu(stage.page, stage.words, stage.words.settings)
    },
    shows: button((words) => words.viewPlans),
  },
  {
    name: 'notifications',
    async reach(stage) {
      await arrive(stage)
      await openFromMenu(stage.page, stage.words, stage.words.settings)
      await openRow(stage.page, stage.words.notifications)
    },
    shows: ({ page, words }) => page.getByLabel(words.versionChoice),
  },
  {
    name: 'security',
    async reach(stage) {
      await arrive(stage)
      await openSecurity(stage.page, stage.words)
    },
    shows: button((words) => words.changePassword),
  },
  {
    name: 'security-errors',
    async reach(stage) {
      const { page, words } = stage
      await arrive(stage)
      await openSecurity(page, words)
      await page.getByRole('button', { name: words.changePassword }).click()
    },
    shows: text((words) => words.passwordFieldsWanted),
  },
  {
    name: 'sign-out-everywhere-failed',
    async reach(stage) {
      const { page, words } = stage
      await page.route('**/sign-out-everywhere', (route) => route.abort())
      await arrive(stage)
      await openSecurity(page, words)
      await page.getByRole('button', { name: words.signOutEverywhere }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.signOutEverywhere }).click()
    },
    shows: text((words) => words.noAnswer),
  },
  {
    name: 'delete-account',
    async reach(stage) {
      await arrive(stage)
      await openSecurity(stage.page, stage.words)
      await stage.page.getByRole('button', { name: stage.words.deleteAccount }).click()
    },
    shows: button((words) => words.deleteForGood),
  },
  {
    name: 'delete-account-refused',
    async reach(stage) {
      const { page, words } = stage
      await page.route('**/delete-account', (route) =>
        route.fulfill({ status: 409, json: { code: 'planRunning', error: '', message: '' } }),
      )
      await arrive(stage)
      await openSecurity(page, words)
      await page.getByRole('button', { name: words.deleteAccount }).click()
      await page.getByLabel(words.understood).check()
      await page.getByRole('button', { name: words.deleteForGood }).click()
    },
    shows: ({ page }) => page.getByRole('dialog').getByRole('alert'),
  },
  {
    name: 'contact',
    async reach(stage) {
      await arrive(stage)
      // Not sooner: by its sign-in the app learns the time of the server, which is that of today.
      await stage.page.clock.setFixedTime(Date.UTC(2026, 10, 20, 10))
      await openContact(stage.page, stage.words)
    },
    shows: ({ page }) => page.getByText(/Ouvert maintenant|Open now/),
  },
  {
    name: 'contact-closed',
    async reach(stage) {
      await arrive(stage)
      // Not sooner: by its sign-in the app learns the time of the server, which is that of today.
      await stage.page.clock.setFixedTime(Date.UTC(2026, 10, 20, 20))
      await openContact(stage.page, stage.words)
    },
    shows: ({ page }) => page.getByText(/Fermé pour l’instant|Closed right now/),
  },
  {
    name: 'home-arrival',
    async reach(stage) {
      await stage.page.addInitScript(() => localStorage.setItem('passerelle.arrivalsTold', '1'))
      await signInAs(stage, await registerWithHistory(stage, 1))
    },
    shows: ({ page, words }) => page.getByText(words.expectedBy),
  },
  {
    name: 'cap-left',
    async reach(stage) {
      await signInAs(stage, await registerWithLedger(stage, { recordedCents: 80_000, reservedCents: 0 }))
      await stage.page.getByLabel(stage.words.amount).fill('150')
    },
    shows: ({ page }) => page.getByText(/Il vous reste 200,00|You can still send €200/),
  },
  {
    name: 'cap-exceeded',
    async reach(stage) {
      await signInAs(stage, await registerWithLedger(stage, { recordedCents: 80_000, reservedCents: 0 }))
      await stage.page.getByLabel(stage.words.amount).fill('250')
    },
    shows: ({ page }) => page.getByText(/C’est plus que|more than you have left/),
  },
  {
    name: 'wallet',
    async reach(stage) {
      await signInAs(stage, await registerWithLedger(stage, { recordedCents: 42_000, reservedCents: 15_000 }))
      await openWallet(stage.page, stage.words)
    },
    shows: ({ page }) => page.getByRole('main').getByText(/430[,.]00/),
  },
  {
    name: 'wallet-plan',
    async reach(stage) {
      await signInAs(stage, await registerWithPlan(stage, { status: 'canceled', cancelAt: inDays(12) }))
      await openWallet(stage.page, stage.words)
    },
    shows: ({ page }) => page.getByText(/^(3 sur 5|3 of 5)$/),
  },
  {
    name: 'wallet-failed',
    async reach(stage) {
      await arrive(stage)
      await stage.page.route('**/documents:batchGet**', (route) => route.fulfill({ status: 500, json: {} }))
      await openWallet(stage.page, stage.words)
    },
    shows: ({ page }) => page.getByText(/Impossible de vérifier le plafond|monthly limit can’t be checked/),
  },
  {
    name: 'plans',
    async reach(stage) {
      await arrive(stage)
      await openPlans(stage.page, stage.words)
    },
    shows: ({ page }) => subscribeButton(page, 'premium'),
  },
  {
    name: 'plans-none-cheaper',
    async reach(stage) {
      await arrive(stage)
      await openPlans(stage.page, stage.words)
      await stage.page.locator('[name=habitAmount]').fill('10')
      await stage.page.locator('[name=habitCount]').fill('')
    },
    shows: ({ page }) => page.getByText(/Aucun forfait n’est moins cher|No plan is cheaper/),
  },
  {
    name: 'plan-refused',
    async reach(stage) {
      await arrive(stage)
      await stage.page.route('**/create-subscription', (route) => route.abort())
      await openPlans(stage.page, stage.words)
      await subscribeButton(stage.page, 'basic').click()
    },
    shows: ({ page }) => page.getByText(/n’a pas pu être créé|Failed to create subscription/),
  },
  {
    name: 'plan-checking',
    async reach(stage) {
      await arrive(stage)
      await stage.page.route('**/verify-subscription*', () => undefined)
      await stage.page.goto('/settings?session_id=cs_test_1')
    },
    shows: ({ page }) => page.getByText(/Nous vérifions votre paiement|We are checking your payment/),
  },
  {
    name: 'plan-unclear',
    async reach(stage) {
      await arrive(stage)
      await stage.page.route('**/verify-subscription*', (route) => route.abort())
      await stage.page.goto('/settings?session_id=cs_test_1')
    },
    shows: ({ page }) => page.getByRole('button', { name: /Continuer sans attendre|Go on without waiting/ }),
  },
  {
    name: 'plan-active',
    async reach(stage) {
      await signInAs(stage, await registerWithPlan(stage, {}))
      await openPlans(stage.page, stage.words)
    },
    shows: cancelPlanButton,
  },
  {
    name: 'plan-not-renewed',
    async reach(stage) {
      await signInAs(stage, await registerWithPlan(stage, { renewalFailed: true }))
      await openPlans(stage.page, stage.words)
    },
    shows: ({ page }) => page.getByText(/n’a pas pu être débité|could not be charged/),
  },
  {
    name: 'plan-cancel',
    async reach(stage) {
      await signInAs(stage, await registerWithPlan(stage, {}))
      await openPlans(stage.page, stage.words)
      await cancelPlanButton(stage).click()
    },
    shows: ({ page }) => page.getByRole('dialog').getByRole('button', { name: /Garder|Keep/ }),
  },
  {
    name: 'plan-canceled',
    async reach(stage) {
      await signInAs(stage, await registerWithPlan(stage, { status: 'canceled', cancelAt: inDays(12) }))
      await openPlans(stage.page, stage.words)
    },
    shows: ({ page }) => page.getByText(/Résilié\s: vous le gardez|Canceled: you keep it/),
  },
  {
    name: 'plan-stopped',
    async reach(stage) {
      const over = { status: 'canceled', cancelAt: inDays(-2), renewalFailed: true }
      await signInAs(stage, await registerWithPlan(stage, over))
      await openPlans(stage.page, stage.words)
    },
    shows: ({ page }) => page.getByText(/s’est arrêté le|stopped on/),
  },
  {
    name: 'device-keeps-nothing',
    async reach(stage) {
      await stage.page.addInitScript(() => {
        IDBFactory.prototype.open = () => {
          throw new DOMException('', 'UnknownError')
        }
      })
      await arrive(stage)
    },
    shows: ({ page }) => page.getByText(/ne peut rien garder|can’t keep anything/),
  },
]

const REJECTED = { status: 'rejected', rejectionReason: 'La photo est floue, le numéro ne se lit pas.' }

function identityText(word: (own: IdentityWords) => string) {
  return ({ page, language }: Stage) =>
    page.getByRole('main').getByText(word(IDENTITY_WORDS[language])).first()
}

/** The identity page of somebody new, or of somebody whose file was decided on like this. */
async function reachIdentity(stage: Stage, decided?: Record<string, string>) {
  const person = await register(stage)
  if (decided) await handIn(stage.server, person.uid, decided)
  await signInAs(stage, person)
  await openIdentity(stage.page, stage.words)
}

async function sendIdentity({ page, language }: Stage) {
  await fillDetails(page, IDENTITY_WORDS[language])
  await choose(page, png())
  await submit(page, IDENTITY_WORDS[language])
}

/** A message over the page stays for ten minutes instead of four seconds. */
const holdToasts = (page: Page) => changeDelay(page, 4000, 600_000)
/** A good message goes as soon as it has come: nobody waits two seconds for each screen. */
const hurryToasts = (page: Page) => changeDelay(page, 2000, 0)

const changeDelay = (page: Page, from: number, to: number) =>
  page.addInitScript(
    ([from, to]) => {
      const start = window.setTimeout
      window.setTimeout = ((work: () => void, delay?: number) =>
        start(work, delay === from ? to : delay)) as typeof setTimeout
    },
    [from, to],
  )

interface Registered extends Person {
  readonly uid: string
}

async function register({ server }: Stage): Promise<Registered> {
  const person = somebody()
  return { ...person, uid: await server.register(person) }
}

/** A registered person on the home screen. */
async function signInAs({ page, server, language }: Stage, person: Person) {
  await hurryToasts(page)
  await enter(page, server, language, person)
}

async function arrive(stage: Stage) {
  await signInAs(stage, await register(stage))
  await expect(stage.page.getByText(stage.words.noTransfers)).toBeVisible()
}

/** Invoices that the person paid, of each currency. */
async function openPaidInvoices(stage: Stage) {
  const person = await register(stage)
  for (const [index, [supplier, amount, currency]] of PAID_INVOICES.entries()) {
    const createdAt = new Date(Date.now() - index * 20 * 24 * HOUR)
    const id = `pi_3Nfacture${index}${person.uid.slice(0, 10)}`
    await writePaidInvoice(stage, id, {
      payerId: person.uid,
      supplier,
      reference: `${supplier.toUpperCase()}-2026-${1000 + index}`,
      amount,
      currency,
      dueDate: '2026-11-30',
      createdAt,
    })
  }
  await signInAs(stage, person)
  await openInvoices(stage.page, stage.language)
}

const writePaidInvoice = (
  { server }: Stage,
  id: string,
  payment: { readonly supplier: string; readonly createdAt: Date; readonly [field: string]: unknown },
) =>
  server.write(`invoicePayments/${id}`, {
    id,
    type: 'electricity',
    status: 'completed',
    description: `Invoice of ${payment.supplier}`,
    paymentMethod: 'card',
    settledAt: payment.createdAt,
    ...payment,
  })

const PAID_INVOICES = [
  ['edg', 450_000, 'GNF'],
  ['edf', 84.5, 'EUR'],
  ['hydro-quebec', 63.2, 'CAD'],
] as const

/** Beside invoices that were paid before, the answer about another one. */
async function seeInvoice(stage: Stage, reference: string) {
  await openPaidInvoices(stage)
  await lookUp(stage.page, INVOICE_WORDS[stage.language], reference)
}

async function registerWithLedger(
  stage: Stage,
  use: { readonly recordedCents: number; readonly reservedCents: number },
): Promise<Registered> {
  const person = await register(stage)
  const { uid } = person
  const month = monthOf(Date.now())
  await stage.server.write(`ledgers/${uid}_${month}`, { uid, month, reservedSlots: 0, ...use })
  return person
}

const inDays = (days: number) => new Date(Date.now() + days * 24 * HOUR)

/** Somebody with Premium, since eighteen days, and three transfers left. */
async function registerWithPlan(stage: Stage, change: Record<string, unknown>): Promise<Registered> {
  const person = await register(stage)
  await writePlan(stage, person, change)
  return person
}

const writePlan = ({ server }: Stage, { uid, name, email }: Registered, change: Record<string, unknown>) =>
  server.write(`users/${uid}`, {
    name,
    email,
    phone: null,
    createdAt: inDays(-40),
    madeWith: 'address',
    verifiedAddress: email,
    subscription: {
      tier: 'premium',
      status: 'active',
      transactionsLeft: 3,
      startDate: inDays(-18),
      lastReset: new Date(),
      stripeSubscriptionId: 'sub_sandbox',
      cancelAt: null,
      ...change,
    },
  })

function cancelPlanButton({ page }: Stage): Locator {
  return page.getByRole('main').getByRole('button', { name: /Résilier le forfait|Cancel the plan/ })
}

const ALL_OF_IT = /Tout voir|See all/

async function openHistory(stage: Stage) {
  await signInAs(stage, await registerWithHistory(stage))
  await stage.page.getByRole('link', { name: ALL_OF_IT }).click()
}

const NO_CONTACTS = /Aucun contact pour l’instant|No contacts yet/
const ADD_CONTACT = /Ajouter un contact|Add a contact/
const ADD_TO_CONTACTS = /Ajouter aux contacts|Add to contacts/
const SAVE_CONTACT = /Ajouter le contact|Add the contact/
const CONTACT_NAME = /Nom du contact|Contact’s name/

/** A person with transfers to two of three contacts; one of them has a number that nothing can be sent to. */
async function registerWithContacts(stage: Stage): Promise<Registered> {
  const person = await registerWithHistory(stage)
  const people = [
    ['Mariama Bah', '+224664112233'],
    ['Élodie Marchand-Fontainebleau de Saint-Germain', '+33612345678'],
    ['Ousmane (Dakar)', '+221771234567'],
    ['Ibrahima', '+224620000001'],
  ] as const
  for (const [name, phone] of people)
    await stage.server.write(`contacts/${person.uid}_${phone.slice(1)}`, {
      userId: person.uid,
      name,
      phone,
      createdAt: new Date(),
    })
  return person
}

async function openContacts(stage: Stage, person: Person, before = async () => {}) {
  await signInAs(stage, person)
  await before()
  await openFromMenu(stage.page, stage.words, stage.words.contacts)
}

async function openContactSheet(stage: Stage, person: Person) {
  await signInAs(stage, person)
  await stage.page.getByRole('button', { name: /Choisir un contact|Choose a contact/ }).click()
}

const editContact = ({ page }: Stage) =>
  page
    .getByRole('listitem')
    .filter({ hasText: 'Mariama' })
    .getByRole('button', { name: /Modifier|Edit/ })
    .click()

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

async function openProfileByPhone({ page, language, words, server }: Stage) {
  const person = somebodyWithPhone()
  await server.registerPhone(person)
  await speak(page, language)
  await signInByPhone(page, words, server, person)
  await expect(page.getByText(words.welcome)).toBeHidden()
  await openProfile(page, words)
}

async function changeAddress({ page, words }: Stage) {
  await openProfile(page, words)
  await page.getByLabel(words.email, { exact: true }).fill('aissatou.barry@example.com')
  await page.getByRole('button', { name: words.changeEmail }).click()
}

/** What the server refuses a payment for. */
const refusePayment = ({ page }: Stage, code: string, status: number) =>
  page.route('**/create-payment-intent', (route) =>
    route.fulfill({ status, json: { code, error: '', details: {} } }),
  )

async function confirmTransfer({ page, words }: Stage) {
  await fillTransfer(page, words, AMOUNT)
  await confirmForm(page, words)
}

async function payWith(stage: Stage, card: string) {
  await arrive(stage)
  await confirmTransfer(stage)
  await typeCard(stage.page, stage.words, card)
  await payButton(stage.page, stage.words).click()
}

const HOUR = 3_600_000

const PAST = [
  { id: 'pi_3Nkindia0001', hoursAgo: 0, status: 'completed', phone: '+224620000000', to: 'GN', net: 145.5 },
  { id: 'pi_3Nkindia0002', hoursAgo: 26, status: 'pending', phone: '+224664112233', to: 'GN', net: 48.5 },
  { id: 'pi_3Nkindia0003', hoursAgo: 75, status: 'failed', phone: '+33612345678', to: 'FR', net: 97 },
  {
    id: 'pi_3Nkindia0004',
    hoursAgo: 24 * 40,
    status: 'canceled',
    phone: '+15145550123',
    to: 'CA',
    net: 242.5,
  },
] as const

const DESTINATIONS = {
  GN: {
    rate: 10_600,
    decimals: 0,
    method: 'mtn_money',
    stored: { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳' },
  },
  FR: {
    rate: 1,
    decimals: 2,
    method: 'wero',
    stored: { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷' },
  },
  CA: {
    rate: 1.47,
    decimals: 2,
    method: 'interac',
    stored: { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦' },
  },
} as const

/** A person with a transfer of each status, to each country; `earlier` by so many hours. */
async function registerWithHistory(stage: Stage, earlier = 0): Promise<Registered> {
  const person = await register(stage)
  for (const { id, hoursAgo, status, phone, to, net } of PAST) {
    const { rate, decimals, method, stored } = DESTINATIONS[to]
    const createdAt = new Date(Date.now() - (hoursAgo + earlier) * HOUR)
    const unique = `${id}${person.uid.slice(0, 10)}`
    await stage.server.write(`transactions/${unique}`, {
      id: unique,
      senderId: person.uid,
      type: 'sent',
      recipientPhone: phone,
      amount: net,
      fees: Math.round((net / 97) * 300) / 100,
      exchangeRate: rate,
      convertedAmount: Number((net * rate).toFixed(decimals)),
      sourceCurrency: 'EUR',
      destinationCurrency: stored.currency,
      destination: stored,
      status,
      createdAt,
      settledAt: createdAt,
      estimatedArrival: new Date(createdAt.getTime() + HOUR),
      description: `Transfer to ${phone.slice(0, 4)}*******${phone.slice(-2)}`,
      paymentMethod: 'card',
      couponCode: null,
      receivingMethod: method,
    })
  }
  return person
}

/** What Chromium does where the app can be installed. */
export const offerInstall = (page: Page) =>
  page.evaluate(() => {
    const offered = new Event('beforeinstallprompt', { cancelable: true })
    Object.assign(offered, { prompt: async () => ({ outcome: 'accepted' }) })
    dispatchEvent(offered)
  })

/** Runs in the page: a transfer was paid on this device before. */
function earnInvitation() {
  localStorage.setItem('passerelle.install', 'earned')
}

/** Runs in the page. */
export function beSafariOnIos() {
  Object.defineProperty(navigator, 'standalone', { value: false })
  Object.defineProperty(navigator, 'userAgent', {
    value:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  })
}

/** Runs in the page: the browser holds a service worker that waits. offline.spec.ts has real ones. */
export function holdNewVersion() {
  const waiting = Object.assign(new EventTarget(), { scriptURL: `${location.origin}/sw.js` })
  const registration = Object.assign(new EventTarget(), { waiting })
  const workers = Object.assign(new EventTarget(), { controller: null, register: async () => registration })
  Object.defineProperty(navigator, 'serviceWorker', { value: Object.freeze(workers) })
}
