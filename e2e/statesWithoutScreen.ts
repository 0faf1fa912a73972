export interface StateWithoutScreen {
  readonly why: string
  readonly coveredBy: readonly string[]
}

const withoutScreen = (why: string, ...toldBy: readonly string[]): StateWithoutScreen => ({
  why,
  coveredBy: toldBy,
})

const AS_DEVICE_READS = withoutScreen('Lasts while the device reads its data; the form is shown.')
const KEEPS_SCREEN = withoutScreen('Lasts while the device works; the previous screen stays.')
const STILL_ASKING = 'The screen is the same while the server is asked and between two tries.'
const NOT_PAID_OUT = 'The user reads that the transfer is ordered until it is paid out.'

/** By machine ID and state ID. */
export const STATES_WITHOUT_SCREEN: Readonly<Record<string, Readonly<Record<string, StateWithoutScreen>>>> = {
  appLock: {
    away: withoutScreen(
      'Lasts while the app is in the background; the device shows its emblem.',
      'app-locked',
    ),
  },
  delivery: {
    due: withoutScreen(
      'The receipt offers to cancel it.',
      'receipt-cancelable',
      'receipt-cancelable-by-hand',
    ),
    handingOver: withoutScreen(NOT_PAID_OUT),
    handedOver: withoutScreen('The receipt shows it.', 'receipt-handed-over'),
    waiting: withoutScreen(`${NOT_PAID_OUT} Once it is late, the receipt says so.`, 'receipt-late'),
    claimed: withoutScreen(NOT_PAID_OUT),
    held: withoutScreen(NOT_PAID_OUT),
    delivered: withoutScreen('The receipt shows it.', 'receipt-delivered'),
    failed: withoutScreen('The receipt shows it.', 'receipt-not-delivered'),
    canceled: withoutScreen('The receipt shows it.', 'receipt-canceled'),
    paidBack: withoutScreen('The receipt shows it.', 'receipt-paid-back'),
  },
  receiptCheck: {
    readingPicture: KEEPS_SCREEN,
    verifying: KEEPS_SCREEN,
  },
  popupQueue: {
    'open.loading': withoutScreen('Google’s window covers the sign-in screen.', 'sign-in'),
    'open.loaded': withoutScreen('Google’s window covers the sign-in screen.', 'sign-in'),
    leaving: withoutScreen('Lasts until Google’s page replaces this one.'),
    closed: withoutScreen('Lasts a second, while a response may still arrive; the previous screen stays.'),
  },
  push: {
    checking: withoutScreen('The switch is busy, as in each request.', 'notifications-asking'),
    subscribing: withoutScreen('The switch is busy, as in each request.', 'notifications-asking'),
  },
  subscription: {
    'verifying.unclear': withoutScreen(
      'The app has stopped its own checks, and says the same.',
      'plan-unclear',
    ),
    refreshing: withoutScreen('The plans’ button is busy, as in each request.', 'plan-opening'),
    leaving: withoutScreen('Lasts until the provider’s page opens; the previous screen stays.'),
  },
  transfer: {
    resuming: AS_DEVICE_READS,
    'lookingUp.waiting': withoutScreen(STILL_ASKING, 'payment-looking-up'),
  },
  invoice: {
    resuming: AS_DEVICE_READS,
    'lookingUp.waiting': withoutScreen(STILL_ASKING, 'invoice-looking-up'),
  },
  session: {
    'signedOut.clearingLeftover': withoutScreen(
      'The sign-in screen is shown while the device is cleared.',
      'sign-in',
    ),
    'entering.admitting': withoutScreen(
      'Lasts while the device works; the page that opens the account is shown.',
      'opening',
    ),
    'entering.readingProfile.late': withoutScreen('The page says that the start failed.', 'start-failed'),
    'signedIn.refreshing': withoutScreen('The profile is read again in the background.'),
    'ending.signingOut.waiting': KEEPS_SCREEN,
    'ending.signingOut.late': withoutScreen('The page says that it failed.', 'start-failed'),
    'ending.leavingMissingProfile': withoutScreen(
      'Lasts while the device works; the page that opens the account is shown.',
      'opening',
    ),
    'ending.recordingPayment': KEEPS_SCREEN,
    'ending.clearing': KEEPS_SCREEN,
  },
  update: {
    'ready.awaitingPayments': withoutScreen('Nothing is shown while a payment may be in progress.'),
    postponed: withoutScreen('Nothing is shown until the day is over.'),
    'activated.awaitingPayments': withoutScreen('Nothing is shown while a payment may be in progress.'),
    'activated.reloading': withoutScreen('The page reloads.'),
  },
}
