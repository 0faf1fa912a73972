import { arrange as appLock } from '../machines/testing/appLockSituations.ts'
import { arrange as invoice } from '../machines/testing/invoiceSituations.ts'
import { arrange as phone } from '../machines/testing/phoneOtpSituations.ts'
import { arrange as popup } from '../machines/testing/popupQueueSituations.ts'
import { arrange as push } from '../machines/testing/pushSituations.ts'
import {
  premiumSubscription,
  renewalFailedSubscription,
  arrange as subscription,
} from '../machines/testing/subscriptionSituations.ts'
import { arrange as update } from '../machines/testing/updateSituations.ts'
import { AWA, buildPlanRows, failWith, LOCK, neverAnswer } from './fixtures.ts'
import { drawBankQuestion } from './frame/bankQuestion.ts'
import { openSubmission, sendIdentity } from './identity.ts'
import { captureSnapshot, inState, showTransfer } from './machines.ts'
import { type Answers, IN_APP_STATES, SCENE_TIME, type Scene, SIGNED_OUT_STATES } from './scene.ts'

// Scenes during a request, which never settles here.

const brief = { isBrief: true } as const
const inApp = { ...brief, account: AWA } as const
const signedOut = { ...brief, account: null } as const

const byPhone = (state: keyof typeof phone, purpose: 'signIn' | 'signUp') => ({
  ...signedOut,
  at: { ...SIGNED_OUT_STATES, phoneOtp: state },
  path: purpose === 'signIn' ? '/?tab=phone' : '/?signup&tab=phone',
  snapshots: { phoneOtp: captureSnapshot(() => phone[state]({ purpose })) },
})

const transfer = (...given: Parameters<typeof showTransfer>) => ({ ...brief, ...showTransfer(...given) })

const ofInvoice = (situation: keyof typeof invoice, state: string = situation) =>
  ({ ...brief, ...inState('invoice', state, invoice[situation]), page: 'invoices' }) as const

const ofPlan = (situation: keyof typeof subscription, state: string = situation) => ({
  ...brief,
  ...inState('subscription', state, subscription[situation]),
  path: '/settings',
})

const notifications = (state: keyof typeof push) =>
  ({
    ...brief,
    ...inState('push', state, push[state]),
    name: `notifications-${state}`,
    page: 'notifications',
  }) as const

const identity = (state: string) =>
  ({
    ...inApp,
    name: `identity-${state}`,
    at: { ...IN_APP_STATES, identityUpload: state },
    page: 'identity',
    // Delays the app's message that no progress was made for five seconds.
    delays: { 5000: 600_000 },
  }) as const

const uploadBegun = Promise.withResolvers<void>()
const UPLOADING: Answers = { identityFiles: { openSubmission } }

function beginUpload() {
  uploadBegun.resolve()
  return neverAnswer()
}

const subscribed = {
  push: { uid: AWA.uid, endpoint: 'https://push.example/1', language: 'fr', at: SCENE_TIME },
} as const

export const PENDING_SCENES: readonly Scene[] = [
  {
    name: 'google-finishing',
    ...signedOut,
    at: { ...SIGNED_OUT_STATES, popupQueue: 'finishing' },
    snapshots: { popupQueue: captureSnapshot(popup.finishing) },
  },
  { name: 'phone-checking', ...byPhone('checkingAccount', 'signIn') },
  { name: 'phone-sending', ...byPhone('sendingCode', 'signUp') },
  { name: 'phone-verifying', ...byPhone('verifying', 'signUp') },
  {
    ...inApp,
    name: 'account-opening',
    at: { session: 'entering.readingProfile.waiting', update: 'upToDate' },
    device: { profile: null },
    answers: { profiles: { fetchProfile: neverAnswer } },
  },
  {
    ...inApp,
    name: 'verification-asked',
    at: { session: 'unverified.rechecking', update: 'upToDate' },
    account: { ...AWA, emailVerified: false },
    device: { profile: null },
    act: ({ press }) => press('J’ai ouvert le lien'),
  },

  { name: 'transfer-reserving', ...transfer('reserving') },
  { name: 'transfer-former-released', ...transfer('releasingFormerAttempt') },
  { name: 'transfer-closing', ...transfer('releasing') },
  { name: 'payment-bank-slow', ...transfer('overdue', 'confirmingCard.overdue') },
  { name: 'payment-asking', ...transfer('asking', 'checkingOutcome.asking') },

  {
    name: 'invoice-looking-up',
    ...ofInvoice('lookingUp', 'lookingUp.asking'),
    answers: { functions: { 'latest-attempt': neverAnswer } },
  },
  { name: 'invoice-reserving', ...ofInvoice('reserving') },
  { name: 'invoice-former-released', ...ofInvoice('releasingFormerAttempt') },
  { name: 'invoice-closing', ...ofInvoice('releasing') },
  {
    name: 'invoice-3-d-secure',
    ...ofInvoice('confirmingCard', 'confirmingCard.expected'),
    answers: { cardPayments: { confirmCard: drawBankQuestion } },
  },
  { name: 'invoice-bank-slow', ...ofInvoice('overdue', 'confirmingCard.overdue') },
  { name: 'invoice-recording', ...ofInvoice('recording') },
  { name: 'invoice-asking', ...ofInvoice('asking', 'checkingOutcome.asking') },
  {
    name: 'invoice-checking',
    ...ofInvoice('waiting', 'checkingOutcome.waiting'),
    // The machine asks as soon as it learns that there is a network; this failure makes it wait again.
    answers: { functions: { 'record-transfer': failWith({ kind: 'network' }) } },
  },
  { name: 'invoice-receipt-new', ...ofInvoice('receipt') },

  {
    ...identity('opening'),
    answers: { identityFiles: { openSubmission: neverAnswer } },
    act: sendIdentity,
  },
  { ...identity('uploading.sending'), name: 'identity-sending', answers: UPLOADING, act: sendIdentity },
  {
    ...identity('recording'),
    answers: { ...UPLOADING, files: { uploadDocument: async () => {} } },
    act: sendIdentity,
  },
  {
    ...identity('discarding'),
    answers: { ...UPLOADING, files: { uploadDocument: beginUpload } },
    async act(user) {
      await sendIdentity(user)
      // A submission that is canceled before its upload has no document to discard.
      await uploadBegun.promise
      await user.press('Annuler l’envoi')
    },
  },

  { name: 'plan-opening', ...ofPlan('startingCheckout') },
  {
    name: 'plan-card-opening',
    ...ofPlan('startingCardChange'),
    rows: buildPlanRows(renewalFailedSubscription),
  },
  { name: 'plan-canceling', ...ofPlan('canceling'), rows: buildPlanRows(premiumSubscription) },

  notifications('unsupported'),
  { ...notifications('notInstalled'), name: 'notifications-not-installed' },
  notifications('off'),
  notifications('asking'),
  notifications('on'),
  { ...notifications('unsubscribing'), device: subscribed },

  {
    ...brief,
    ...inState('appLock', 'asking', appLock.asking),
    name: 'app-lock-asking',
    device: { lock: LOCK },
  },
  { ...brief, ...inState('update', 'activating', update.activating), name: 'home-updating' },
]
