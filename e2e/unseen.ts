/** By the ids of machine and state: states that have no screen, and why. */
export const UNSEEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  boot: {
    'unverified.signingOut': 'As long as the device takes; what stood there stays.',
    'signedIn.signingOut': 'As long as the device takes; what stood there stays.',
    leavingMissingProfile: 'As long as the device takes; the page of `opening` stands there.',
  },
  delivery: {
    due: 'Of an order that nobody has, its owner reads that it is ordered.',
    handingOver: 'As `due`.',
    handedOver: 'The receipt tells it: `receipt-handed-over`.',
    waiting: 'As `due`; once it is late, `receipt-late`.',
    claimed: 'As `due`.',
    held: 'As `due`.',
    delivered: 'The receipt tells it: `receipt-delivered`.',
    failed: 'The receipt tells it: `receipt-not-delivered`.',
    paidBack: 'The receipt tells it: `receipt-paid-back`.',
  },
  popupQueue: {
    leaving: 'Until Google stands in the place of this page; `google-opening` is what stands in between.',
    closed: 'As long as an answer may still be on its way, a second; what stood there stays.',
  },
  subscription: { leaving: 'Until the page of the card’s provider stands there; what stood there stays.' },
  transfer: { resuming: 'As long as the device takes to read; the form is there.' },
  invoice: { resuming: 'As long as the device takes to read; the form is there.' },
  update: {
    'ready.awaitingCalm': 'Nothing of it is shown while a payment may be under way.',
    postponed: 'Nothing of it is shown before the day is over.',
    'activated.awaitingCalm': 'Nothing of it is shown while a payment may be under way.',
    'activated.reloading': 'The page goes.',
  },
}
