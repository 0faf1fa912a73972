import { expect, type Page } from '@playwright/test'
import { CHANNEL } from '../../src/googlePopup/messages.ts'
import { beSafariOnIos, holdNewVersion } from '../steps/device.ts'
import { choose, fillDetails, identityWords, openIdentity, png, submit } from '../steps/identity.ts'
import { invoiceWords, issueInvoice, lookUp, openInvoices, payInvoiceButton } from '../steps/invoices.ts'
import { openFromMenu, openRow } from '../steps/pages.ts'
import { somebody, somebodyWithPhone } from '../steps/people.ts'
import { openPlans, subscribeButton } from '../steps/plans.ts'
import { noPushManager } from '../steps/push.ts'
import { CARDS, confirmForm, fillTransfer, payButton, payWithCard } from '../steps/transfer.ts'
import {
  askForCode,
  chooseGoogle,
  enterCode,
  openGoogle,
  openPhone,
  panel,
  signIn,
  signUp,
  speak,
} from '../steps/waysIn.ts'
import { words } from '../words.ts'
import { confirmTransfer, payWith } from './paying.ts'
import { arrive, changeDelay, inDays, register, registerWithPlan, signInAs } from './people.ts'
import { type At, IN_APP, type Screen, type ScreensOf, SIGNED_OUT, type Stage, text } from './screen.ts'

// What stands there for as long as an answer takes: the call is never answered here.

type Reach = Screen['reach']

const FUNCTIONS = {
  transfer: { reserve: '**/create-payment-intent' },
  invoice: { reserve: '**/pay-invoice' },
}
const RECORD = '**/record-transfer'
const RELEASE = '**/cancel-payment-intent'

const brief = (name: string, reach: Reach, at: At, shows: Screen['shows']): Screen => ({
  name,
  isBrief: true,
  reach,
  at,
  shows,
})

const main = ({ page }: Stage) => page.getByRole('main').first()
const sheet = ({ page }: Stage) => page.getByRole('dialog').first()

export const UNDER_WAY_SCREENS: ScreensOf = {
  testedBy: ['waiting', 'late-answers'],
  at: IN_APP,
  screens: [
    ...[
      brief(
        'google-window-opening',
        async (stage) => {
          await neverAnswer(stage, '**/sandbox/google/auth**')
          await speak(stage.page)
          await stage.page.getByRole('button', { name: words.google }).click()
        },
        { popupQueue: 'open.loading' },
        main,
      ),
      brief(
        'google-choosing',
        async ({ page }) => {
          await speak(page)
          await openGoogle(page)
        },
        { popupQueue: 'open.loaded' },
        main,
      ),
      brief(
        'google-finishing',
        async (stage) => {
          const { page } = stage
          await neverAnswer(stage, '**/accounts:signInWithIdp**')
          await speak(page)
          await chooseGoogle(await openGoogle(page), somebody())
        },
        { popupQueue: 'finishing' },
        main,
      ),
      brief(
        'google-unsupported',
        async ({ page }) => {
          await page.addInitScript((google) => {
            const Real = window.BroadcastChannel
            window.BroadcastChannel = class extends Real {
              constructor(channel: string) {
                if (channel === google) throw new DOMException('No channel', 'SecurityError')
                super(channel)
              }
            }
          }, CHANNEL)
          await speak(page)
          await page.getByRole('button', { name: words.google }).click()
        },
        { popupQueue: 'unsupported' },
        ({ page }) => page.getByRole('main').getByRole('alert').first(),
      ),
      brief(
        'phone-checking',
        async (stage) => {
          await neverAnswer(stage, '**/check-phone-user')
          await askForCodeOf(stage, 'signIn')
        },
        { phoneOtp: 'checkingAccount' },
        main,
      ),
      brief(
        'phone-sending',
        async (stage) => {
          await neverAnswer(stage, '**/accounts:sendVerificationCode**')
          await askForCodeOf(stage, 'signUp')
        },
        { phoneOtp: 'sendingCode' },
        main,
      ),
      brief(
        'phone-verifying',
        async (stage) => {
          const { page, server } = stage
          const person = somebodyWithPhone()
          await neverAnswer(stage, '**/accounts:signInWithPhoneNumber**')
          await speak(page)
          await openPhone(page, 'signUp')
          await askForCode(page, person)
          await enterCode(page, server, person)
          await panel(page).getByRole('button', { name: words.createAccount }).click()
        },
        { phoneOtp: 'verifying' },
        main,
      ),
    ].map((screen) => ({ ...screen, at: { ...SIGNED_OUT, transfer: null, ...screen.at } })),
    brief(
      'account-opening',
      async (stage) => {
        const { page } = stage
        const person = await register(stage)
        await speak(page)
        await neverAnswer(stage, '**/documents:**')
        await neverAnswer(stage, '**/documents/**')
        await signIn(page, person)
      },
      { session: 'entering.readingProfile.waiting', transfer: null, popupQueue: null },
      text('opening'),
    ),
    brief(
      'verification-asked',
      async (stage) => {
        const { page } = stage
        await speak(page)
        await signUp(page, somebody())
        await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
        await neverAnswer(stage, '**/accounts:lookup**')
        await page.getByRole('button', { name: /J’ai ouvert le lien|I have opened the link/ }).click()
      },
      { session: 'unverified.rechecking', transfer: null },
      ({ page }) => page.getByRole('heading', { name: words.verify }),
    ),

    brief(
      'transfer-reserving',
      async (stage) => {
        await neverAnswer(stage, FUNCTIONS.transfer.reserve)
        await arrive(stage)
        await confirmTransfer(stage)
      },
      { transfer: 'reserving' },
      main,
    ),
    brief(
      'transfer-former-released',
      async (stage) => {
        await payWith(stage, CARDS.declined)
        await expect(text('declined')(stage)).toBeVisible()
        await neverAnswer(stage, RELEASE)
        await fillTransfer(stage.page, { amount: '120' })
        await confirmForm(stage.page)
      },
      { transfer: 'releasingFormerAttempt' },
      main,
    ),
    brief(
      'transfer-closing',
      (stage) => closePayment(stage, openTransferPayment),
      { transfer: 'releasing' },
      main,
    ),
    brief(
      'payment-bank-slow',
      async (stage) => {
        await hurryBank(stage.page)
        await payWith(stage, CARDS.threeDSecure)
      },
      { transfer: 'confirmingCard.overdue' },
      sheet,
    ),
    brief(
      'payment-asking',
      async (stage) => {
        await answerOnce(stage)
        await payWith(stage, CARDS.good)
      },
      { transfer: 'checkingOutcome.asking' },
      text('checking'),
    ),

    ...[
      brief(
        'invoice-reserving',
        async (stage) => {
          await neverAnswer(stage, FUNCTIONS.invoice.reserve)
          await confirmInvoice(stage)
        },
        { invoice: 'reserving' },
        main,
      ),
      brief(
        'invoice-former-released',
        async (stage) => {
          await payInvoiceWith(stage, CARDS.declined)
          await expect(text('declined')(stage)).toBeVisible()
          await neverAnswer(stage, RELEASE)
          const { reference } = await issueInvoice(stage.server)
          const said = invoiceWords
          await stage.page.getByLabel(said.reference).fill(reference)
          await stage.page.getByRole('button', { name: said.see }).click()
          await payInvoiceButton(stage.page).click()
        },
        { invoice: 'releasingFormerAttempt' },
        main,
      ),
      brief(
        'invoice-closing',
        (stage) => closePayment(stage, openInvoicePayment),
        { invoice: 'releasing' },
        main,
      ),
      brief(
        'invoice-3-d-secure',
        (stage) => payInvoiceWith(stage, CARDS.threeDSecure),
        { invoice: 'confirmingCard.expected' },
        sheet,
      ),
      brief(
        'invoice-bank-slow',
        async (stage) => {
          await hurryBank(stage.page)
          await payInvoiceWith(stage, CARDS.threeDSecure)
        },
        { invoice: 'confirmingCard.overdue' },
        sheet,
      ),
      brief(
        'invoice-recording',
        async (stage) => {
          await neverAnswer(stage, RECORD)
          await payInvoiceWith(stage, CARDS.good)
        },
        { invoice: 'recording' },
        text('recording'),
      ),
      brief(
        'invoice-asking',
        async (stage) => {
          await answerOnce(stage)
          await payInvoiceWith(stage, CARDS.good)
        },
        { invoice: 'checkingOutcome.asking' },
        text('checking'),
      ),
      brief(
        'invoice-checking',
        async (stage) => {
          await stage.page.route(RECORD, (route) => route.abort())
          await payInvoiceWith(stage, CARDS.good)
        },
        { invoice: 'checkingOutcome.waiting' },
        text('checking'),
      ),
      brief(
        'invoice-receipt-new',
        (stage) => payInvoiceWith(stage, CARDS.good),
        { invoice: 'receipt' },
        ({ page }) => page.getByRole('dialog', { name: invoiceWords.receipt }),
      ),
    ],

    ...[
      brief(
        'identity-opening',
        async (stage) => {
          await openIdentityOf(stage)
          await neverAnswer(stage, '**/documents:**')
          await sendIdentity(stage)
        },
        { identityUpload: 'opening' },
        identitySending,
      ),
      brief(
        'identity-sending',
        async (stage) => {
          await waitLonger(stage.page)
          await openIdentityOf(stage)
          await neverAnswer(stage, '**/v0/b/**')
          await sendIdentity(stage)
        },
        { identityUpload: 'uploading.sending' },
        identitySending,
      ),
      brief(
        'identity-recording',
        async (stage) => {
          await openIdentityOf(stage)
          await stage.page.route('**/v0/b/**', (route) =>
            route.request().method() === 'GET' ? undefined : route.continue(),
          )
          await sendIdentity(stage)
        },
        { identityUpload: 'recording' },
        identitySending,
      ),
      brief(
        'identity-discarding',
        async (stage) => {
          await waitLonger(stage.page)
          await openIdentityOf(stage)
          await neverAnswer(stage, '**/v0/b/**')
          // Canceled before the document is on its way, nothing has to be removed.
          const onItsWay = stage.page.waitForRequest('**/v0/b/**')
          await sendIdentity(stage)
          await onItsWay
          await stage.page.getByRole('button', { name: identityWords.cancel }).click()
        },
        { identityUpload: 'discarding' },
        main,
      ),
    ],

    brief(
      'plan-opening',
      async (stage) => {
        await arrive(stage)
        await neverAnswer(stage, '**/create-subscription')
        await openPlans(stage.page)
        await subscribeButton(stage.page, 'basic').click()
      },
      { subscription: 'startingCheckout' },
      main,
    ),
    brief(
      'plan-card-opening',
      async (stage) => {
        await signInAs(stage, await registerWithPlan(stage, { renewalFailed: true }))
        await neverAnswer(stage, '**/change-card')
        await openPlans(stage.page)
        await stage.page.getByRole('button', { name: /Prendre une autre carte|another card/ }).click()
      },
      { subscription: 'startingCardChange' },
      main,
    ),
    brief(
      'plan-unclear-still',
      async (stage) => {
        await arrive(stage)
        await stage.page.addInitScript(hurryQuestions)
        await stage.page.route('**/verify-subscription*', (route) => route.abort())
        await stage.page.goto('/settings?session_id=cs_test_1')
      },
      { subscription: 'verifying.unclear' },
      main,
    ),
    brief(
      'plan-read-again',
      async (stage) => {
        await arrive(stage)
        await stage.page.route('**/verify-subscription*', (route) => route.abort())
        await stage.page.goto('/settings?session_id=cs_test_1')
        const leave = stage.page.getByRole('button', {
          name: /Continuer sans attendre|Go on without waiting/,
        })
        await expect(leave).toBeVisible()
        await neverAnswer(stage, '**/documents:**')
        await neverAnswer(stage, '**/documents/**')
        await leave.click()
      },
      { subscription: 'refreshing' },
      main,
    ),
    brief(
      'plan-canceling',
      async (stage) => {
        await signInAs(stage, await registerWithPlan(stage, { cancelAt: inDays(12) }))
        await neverAnswer(stage, '**/cancel-subscription')
        await openPlans(stage.page)
        await stage.page.getByRole('button', { name: /Résilier le forfait|Cancel the plan/ }).click()
        await stage.page
          .getByRole('dialog')
          .getByRole('button', { name: /^(Résilier|Cancel.*)$/ })
          .click()
      },
      { subscription: 'canceling' },
      sheet,
    ),
    ...[
      brief(
        'notifications-unsupported',
        (stage) => openPush(stage, noPushManager),
        { push: 'unsupported' },
        main,
      ),
      brief(
        'notifications-not-installed',
        async (stage) => {
          await stage.page.addInitScript(beSafariOnIos)
          await openPush(stage, noPushManager)
        },
        { push: 'notInstalled' },
        main,
      ),
      brief(
        'notifications-off',
        (stage) => openPush(stage, { permission: 'granted' }),
        { push: 'off' },
        pushChoice,
      ),
      brief(
        'notifications-asking',
        async (stage) => {
          await openPush(stage, { permission: 'default' })
          await pushChoice(stage).click()
        },
        { push: 'asking' },
        main,
      ),
      brief(
        'notifications-subscribing',
        async (stage) => {
          await openPush(stage, { permission: 'granted' })
          await pushChoice(stage).click()
        },
        { push: 'subscribing' },
        main,
      ),
      brief(
        'notifications-looking',
        (stage) => openPush(stage, { isTold: 'never answers' }),
        { push: 'looking' },
        main,
      ),
      brief('notifications-on', (stage) => openPush(stage, { isTold: 'yes' }), { push: 'on' }, pushChoice),
      brief(
        'notifications-unsubscribing',
        async (stage) => {
          await openPush(stage, { isTold: 'yes' })
          await pushChoice(stage).click()
        },
        { push: 'unsubscribing' },
        main,
      ),
    ],

    brief(
      'home-updating',
      async (stage) => {
        await stage.page.addInitScript(holdNewVersion)
        await arrive(stage)
        await stage.page.getByRole('button', { name: words.update }).click()
      },
      { update: 'activating' },
      main,
    ),
  ],
}

interface PushBrowser {
  readonly permission?: NotificationPermission
  readonly isTold?: 'yes' | 'never answers'
}

/** The notifications in a browser that never answers where it could be asked more. */
async function openPush(stage: Stage, browser: PushBrowser | (() => void)) {
  const { page } = stage
  const person = await register(stage)
  if (typeof browser === 'function') await page.addInitScript(browser)
  else await page.addInitScript(bePushBrowser, { ...browser, key: 'passerelle.push', uid: person.uid })
  await signInAs(stage, person)
  await openFromMenu(page, words.settings)
  await openRow(page, words.notifications)
}

/** Runs in the page. */
function bePushBrowser({
  permission = 'granted',
  isTold,
  key,
  uid,
}: PushBrowser & { key: string; uid: string }) {
  const forEver = () => new Promise<never>(() => {})
  Object.defineProperty(Notification, 'permission', { get: () => permission })
  Notification.requestPermission = permission === 'default' ? forEver : async () => permission
  if (!isTold) return
  localStorage.setItem(
    key,
    JSON.stringify({ uid, endpoint: 'https://push.example/1', language: 'fr', at: Date.now() }),
  )
  const registration = {
    getNotifications: async () => [],
    pushManager: { getSubscription: async () => ({ unsubscribe: forEver }) },
  }
  const getRegistration = isTold === 'yes' ? async () => registration : forEver
  Object.defineProperty(navigator.serviceWorker, 'getRegistration', { value: getRegistration })
}

function pushChoice({ page }: Stage) {
  return page.getByLabel(/Transfert remis ou remboursé|Transfer delivered or refunded/)
}

const neverAnswer = ({ page }: Stage, address: string) => page.context().route(address, () => undefined)

/** The first question what became of the payment is cut, and the second never answered. */
async function answerOnce({ page }: Stage) {
  let asked = 0
  await page.route(RECORD, (route) => {
    asked += 1
    return asked === 1 ? route.abort() : undefined
  })
}

/** The bank's patience is over at once. */
const hurryBank = (page: Page) => changeDelay(page, 45_000, 0)

/** Five seconds without news of a document are none yet. */
const waitLonger = (page: Page) => changeDelay(page, 5000, 600_000)

/** Runs in the page: what is asked again after some seconds is asked at once. */
function hurryQuestions() {
  const start = window.setTimeout
  window.setTimeout = ((work: () => void, delay = 0) =>
    start(work, delay >= 1000 && delay <= 16_000 ? 0 : delay)) as typeof setTimeout
}

async function closePayment(stage: Stage, open: Reach) {
  await open(stage)
  await neverAnswer(stage, RELEASE)
  await stage.page.keyboard.press('Escape')
}

async function openTransferPayment(stage: Stage) {
  await arrive(stage)
  await confirmTransfer(stage)
  await expect(payButton(stage.page)).toBeEnabled()
}

async function confirmInvoice(stage: Stage) {
  const { page, server } = stage
  const { reference } = await issueInvoice(server)
  await arrive(stage)
  await openInvoices(page)
  await lookUp(page, reference)
  await payInvoiceButton(page).click()
}

async function openInvoicePayment(stage: Stage) {
  await confirmInvoice(stage)
  await expect(payButton(stage.page)).toBeEnabled()
}

async function payInvoiceWith(stage: Stage, card: string) {
  await openInvoicePayment(stage)
  await payWithCard(stage.page, card)
}

async function askForCodeOf({ page }: Stage, side: 'signIn' | 'signUp') {
  const { name, phone } = somebodyWithPhone()
  await speak(page)
  await openPhone(page, side)
  if (side === 'signUp') await panel(page).getByLabel(words.name).fill(name)
  await panel(page).getByLabel(words.phoneNumber).fill(phone)
  await panel(page).getByRole('button', { name: words.getCode }).click()
}

async function openIdentityOf(stage: Stage) {
  await arrive(stage)
  await openIdentity(stage.page)
}

async function sendIdentity({ page }: Stage) {
  await fillDetails(page)
  await choose(page, png())
  await submit(page)
}

function identitySending({ page }: Stage) {
  return page.getByText(identityWords.sending).first()
}
