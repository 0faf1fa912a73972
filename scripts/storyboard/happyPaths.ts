/** The usual path through each machine. Charts draw it first and with heavier lines. */
export const HAPPY_PATHS: Readonly<Record<string, readonly string[]>> = {
  appLock: ['deciding', 'locked', 'asking', 'open', 'away', 'open'],
  delivery: ['due', 'handingOver', 'handedOver', 'delivered'],
  identityUpload: [
    'choosing',
    'selectingStep',
    'opening',
    'selectingStep',
    'uploading.sending',
    'recording',
    'done',
  ],
  invoice: [
    ...['resuming', 'editing', 'checkingForm', 'reserving', 'awaitingCard'],
    ...['confirmingCard.expected', 'recording', 'receipt'],
  ],
  phoneOtp: ['editing', 'checkingAccount', 'sendingCode', 'enteringCode', 'verifying', 'done'],
  popupQueue: ['idle', 'open.loading', 'open.loaded', 'processing', 'finishing', 'idle'],
  push: ['checking', 'off', 'asking', 'subscribing', 'on'],
  receiptCheck: ['deciding', 'choosing', 'scanning.opening', 'scanning.looking', 'verifying', 'genuine'],
  session: [
    ...[
      'starting',
      'signedOut.idle',
      'entering.admitting',
      'entering.admitted',
      'entering.readingProfile.waiting',
    ],
    ...['signedIn.usingApp', 'ending.signingOut', 'ending.clearing', 'signedOut.idle'],
  ],
  subscription: [
    ...['deciding', 'none', 'startingCheckout', 'leaving', 'refreshing'],
    ...['deciding', 'active.idle', 'active.confirmingCancel', 'canceling', 'deciding', 'canceled'],
  ],
  transfer: [
    ...['resuming', 'editing', 'checkingForm', 'reserving', 'awaitingCard'],
    ...['confirmingCard.expected', 'recording', 'receipt'],
  ],
  update: [
    'upToDate',
    'ready.awaitingPayments',
    'ready.offered',
    'activating',
    'activated.awaitingPayments',
    'activated.reloading',
  ],
}
