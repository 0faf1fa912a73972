/** The way that most people go through each machine, by the ids of its states. Charts draw it first and heavier. */
export const HAPPY_WAYS: Readonly<Record<string, readonly string[]>> = {
  delivery: ['due', 'handingOver', 'handedOver', 'delivered'],
  identityUpload: ['choosing', 'goingOn', 'opening', 'goingOn', 'uploading.sending', 'recording', 'done'],
  invoice: [
    ...['resuming', 'editing', 'checkingForm', 'reserving', 'awaitingCard'],
    ...['confirmingCard.expected', 'recording', 'receipt'],
  ],
  phoneOtp: ['editing', 'checkingAccount', 'sendingCode', 'enteringCode', 'verifying', 'done'],
  popupQueue: ['idle', 'open.loading', 'open.loaded', 'processing', 'finishing', 'idle'],
  push: ['looking', 'off', 'asking', 'subscribing', 'on'],
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
    'ready.awaitingCalm',
    'ready.offered',
    'activating',
    'activated.awaitingCalm',
    'activated.reloading',
  ],
}
