/** A state that has no screen of its own. */
export interface Unseen {
  readonly why: string
  /** The names of screens that tell of it all the same. */
  readonly toldBy: readonly string[]
}

const unseen = (why: string, ...toldBy: readonly string[]): Unseen => ({ why, toldBy })

const AS_DEVICE_READS = unseen('As long as the device takes to read; the form is there.')
const WHAT_STOOD_STAYS = unseen('As long as the device takes; what stood there stays.')
const NOBODY_HAS_IT = 'Of an order that nobody has paid out yet, its owner reads that it is ordered.'

/** By the ids of machine and state: states that have no screen, and why. */
export const UNSEEN: Readonly<Record<string, Readonly<Record<string, Unseen>>>> = {
  delivery: {
    due: unseen(NOBODY_HAS_IT),
    handingOver: unseen(NOBODY_HAS_IT),
    handedOver: unseen('The receipt tells it.', 'receipt-handed-over'),
    waiting: unseen(`${NOBODY_HAS_IT} Once it is late, the receipt tells that.`, 'receipt-late'),
    claimed: unseen(NOBODY_HAS_IT),
    held: unseen(NOBODY_HAS_IT),
    delivered: unseen('The receipt tells it.', 'receipt-delivered'),
    failed: unseen('The receipt tells it.', 'receipt-not-delivered'),
    paidBack: unseen('The receipt tells it.', 'receipt-paid-back'),
  },
  popupQueue: {
    leaving: unseen('Until Google stands in the place of this page.', 'google-opening'),
    closed: unseen('As long as an answer may still be on its way, a second; what stood there stays.'),
  },
  subscription: {
    leaving: unseen('Until the page of the card’s provider stands there; what stood there stays.'),
  },
  transfer: { resuming: AS_DEVICE_READS },
  invoice: { resuming: AS_DEVICE_READS },
  session: {
    'signedOut.clearingLeftover': unseen(
      'The sign-in is shown as ever; the device is cleared meanwhile.',
      'sign-in',
    ),
    'entering.admitting': unseen(
      'As long as the device takes; the page that opens an account stands there.',
      'opening',
    ),
    'entering.readingProfile.late': unseen('The page that says that the start failed.', 'start-failed'),
    'signedIn.refreshing': unseen('The profile is read again while the user goes on.'),
    'ending.signingOut': WHAT_STOOD_STAYS,
    'ending.leavingMissingProfile': unseen(
      'As long as the device takes; the page that opens an account stands there.',
      'opening',
    ),
    'ending.notingPayment': WHAT_STOOD_STAYS,
    'ending.clearing': WHAT_STOOD_STAYS,
  },
  update: {
    'ready.awaitingCalm': unseen('Nothing of it is shown while a payment may be under way.'),
    postponed: unseen('Nothing of it is shown before the day is over.'),
    'activated.awaitingCalm': unseen('Nothing of it is shown while a payment may be under way.'),
    'activated.reloading': unseen('The page goes.'),
  },
}
