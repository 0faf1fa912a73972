/** `coveredBy`: scenes that show the same screen. */
export type StateWithoutScreen = readonly [why: string, ...coveredBy: string[]]

const AS_DEVICE_READS: StateWithoutScreen = ['Lasts while the device reads its data; the form is shown.']
const KEEPS_SCREEN: StateWithoutScreen = ['Lasts while the device works; the previous screen stays.']
const STILL_ASKING = 'The screen is the same while the server is asked and between two tries.'
const NOT_PAID_OUT = 'The user reads that the transfer is ordered until it is paid out.'

/** By machine ID and state ID. */
export const STATES_WITHOUT_SCREEN: Readonly<Record<string, Readonly<Record<string, StateWithoutScreen>>>> = {
  appLock: {
    away: ['Lasts while the app is in the background; the device shows its emblem.', 'app-locked'],
  },
  delivery: {
    due: ['The receipt offers to cancel it.', 'receipt-cancelable', 'receipt-cancelable-by-hand'],
    handingOver: [NOT_PAID_OUT],
    handedOver: ['The receipt shows it.', 'receipt-handed-over'],
    waiting: [`${NOT_PAID_OUT} Once it is late, the receipt says so.`, 'receipt-late'],
    claimed: [NOT_PAID_OUT],
    held: [NOT_PAID_OUT],
    delivered: ['The receipt shows it.', 'receipt-delivered'],
    failed: ['The receipt shows it.', 'receipt-not-delivered'],
    canceled: ['The receipt shows it.', 'receipt-canceled'],
    paidBack: ['The receipt shows it.', 'receipt-paid-back'],
  },
  receiptCheck: {
    readingPicture: KEEPS_SCREEN,
    verifying: KEEPS_SCREEN,
  },
  popupQueue: {
    'open.loading': ['Google’s window covers the sign-in screen.', 'sign-in'],
    'open.loaded': ['Google’s window covers the sign-in screen.', 'sign-in'],
    leaving: ['Lasts until Google’s page replaces this one.'],
    closed: ['Lasts a second, while a response may still arrive; the previous screen stays.'],
  },
  push: {
    checking: ['The switch is busy, as in each request.', 'notifications-asking'],
    subscribing: ['The switch is busy, as in each request.', 'notifications-asking'],
  },
  subscription: {
    'verifying.unclear': ['The app has stopped its own checks, and says the same.', 'plan-unclear'],
    refreshing: ['The plans’ button is busy, as in each request.', 'plan-opening'],
    leaving: ['Lasts until the provider’s page opens; the previous screen stays.'],
  },
  transfer: {
    resuming: AS_DEVICE_READS,
    'lookingUp.waiting': [STILL_ASKING, 'payment-looking-up'],
  },
  invoice: {
    resuming: AS_DEVICE_READS,
    'lookingUp.waiting': [STILL_ASKING, 'invoice-looking-up'],
  },
  session: {
    'signedOut.clearingLeftover': ['The sign-in screen is shown while the device is cleared.', 'sign-in'],
    'entering.admitting': [
      'Lasts while the device works; the page that opens the account is shown.',
      'opening',
    ],
    'entering.readingProfile.late': ['The page says that the start failed.', 'start-failed'],
    'signedIn.refreshing': ['The profile is read again in the background.'],
    'ending.signingOut': KEEPS_SCREEN,
    'ending.leavingMissingProfile': [
      'Lasts while the device works; the page that opens the account is shown.',
      'opening',
    ],
    'ending.recordingPayment': KEEPS_SCREEN,
    'ending.clearing': KEEPS_SCREEN,
  },
  update: {
    'ready.awaitingPayments': ['Nothing is shown while a payment may be in progress.'],
    postponed: ['Nothing is shown until the day is over.'],
    'activated.awaitingPayments': ['Nothing is shown while a payment may be in progress.'],
    'activated.reloading': ['The page reloads.'],
  },
}
