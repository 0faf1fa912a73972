import type { RecordedSchedule } from './model.ts'

/** Schedules by test title. Add the short schedule that a failed property test prints. */
export const REGRESSIONS: Readonly<Record<string, RecordedSchedule>> = {
  'a transfer above the limit without identity needs an approved document': {
    identityLimit: 30_000,
    transfers: [{ amount: 10_000 }, { amount: 33_333 }, { to: 'FR', amount: 10_000 }],
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'pay', transfer: 1, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'identity', person: 0, becomes: 'pending' },
      { do: 'pay', transfer: 1, card: 'pm_card_visa', slowly: false, stays: true },
      {
        do: 'meanwhile',
        request: 4,
        call: { do: 'start', transfer: 1 },
        paid: false,
        other: { do: 'identity', person: 0, becomes: 'approved' },
      },
      { do: 'pay', transfer: 1, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'identity', person: 0, becomes: 'expired' },
      { do: 'pay', transfer: 2, card: 'pm_card_visa', slowly: false, stays: true },
    ],
  },
  'the monthly cap counts an attempt that the provider answered with 409': {
    transfers: [{}, {}, { by: 1 }],
    actions: [
      {
        do: 'fails',
        fault: { on: 'POST /v1/payment_intents', times: 1, what: { kind: 'status', status: 409 } },
        call: { do: 'start', transfer: 3 },
      },
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
    ],
  },
  'a payment that two webhooks report is recorded once': {
    actions: [
      {
        do: 'meanwhile',
        request: 1,
        call: { do: 'start', transfer: 0 },
        paid: true,
        other: { do: 'forged webhook', transfer: 0, how: 'unsigned' },
      },
      { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
      { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
    ],
  },
  'two payments recorded at the same time both count toward the cap': {
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
      { do: 'pay', transfer: 1, card: 'pm_card_visa', slowly: false, stays: false },
      {
        do: 'meanwhile',
        request: 3,
        call: { do: 'record', transfer: 0 },
        paid: false,
        other: { do: 'record', transfer: 1 },
      },
    ],
  },
  'a pending refund does not count as paid back': {
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_pendingRefund', slowly: false, stays: false },
      { do: 'account is deleted', person: 0 },
      { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
    ],
  },
  'a refund that fails days after it succeeded is sent again': {
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_refundFail', slowly: false, stays: false },
      { do: 'account is deleted', person: 0 },
      { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
      { do: 'wait', ms: 950400000 },
      { do: 'wait', ms: 950400000 },
      { do: 'wait', ms: 950400000 },
    ],
  },
  'a refund whose error the provider repeats for a day is requested with another key': {
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
      { do: 'account is deleted', person: 0 },
      {
        do: 'fails',
        fault: { on: 'POST /v1/refunds', times: 1, what: { kind: 'status', status: 500, kept: true } },
        call: { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
      },
    ],
  },
  'a payment that begins before midnight on the last day of a month uses a slot of that month': {
    startsAt: 1796083198000,
    people: [{ plan: 'premium', left: 1 }],
    transfers: [{ amount: 10000 }, { amount: 33333 }, { amount: 2017 }],
    actions: [
      { do: 'due-work' },
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'start', transfer: 1, behind: true },
    ],
  },
  'an identical transfer begins only after the user confirms it': {
    actions: [
      { do: 'start', transfer: 0 },
      { do: 'start', transfer: 1 },
    ],
  },
  'a form that is sent twice at once has one attempt': {
    transfers: [{ sharesForm: true }, { sharesForm: true, amount: 33_333 }],
    actions: [
      {
        do: 'together',
        calls: [
          { do: 'start', transfer: 0 },
          { do: 'start', transfer: 1 },
        ],
      },
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'pay', transfer: 1, card: 'pm_card_visa', slowly: false, stays: true },
    ],
  },
  'an invoice is paid once even if its supplier changes the amount': {
    actions: [
      { do: 'supplier', invoice: 0, tried: true, change: 'raises' },
      { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
    ],
  },
  'a paid invoice stays paid when its supplier changes the due date': {
    actions: [
      { do: 'pay', transfer: 5, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'supplier', invoice: 0, change: 'changes the date', tried: true },
    ],
  },
  'a charge that is disputed before its record is not recorded': {
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
      { do: 'bank', transfer: 0, what: 'disputes' },
      { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
    ],
  },
  'an unrecordable charge is not refunded while its dispute is open': {
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
      { do: 'account is deleted', person: 0 },
      { do: 'bank', transfer: 0, what: 'disputes' },
      { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
    ],
  },
  ...Object.fromEntries(
    (['gives it back', 'gives a part back'] as const).map((what): [string, RecordedSchedule] => [
      `an unrecordable charge is refunded when its bank ${what} after a lost dispute`,
      {
        actions: [
          { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
          { do: 'account is deleted', person: 0 },
          { do: 'bank', transfer: 0, what: 'disputes' },
          { do: 'bank', transfer: 0, what: 'takes it' },
          { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
          { do: 'due-work' },
          { do: 'wait', ms: 86_400_000 },
          { do: 'bank', transfer: 0, what },
        ],
      },
    ]),
  ),
  'an undelivered transfer is refunded after its lost dispute is won': {
    payOut: true,
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'bank', transfer: 0, what: 'disputes' },
      { do: 'bank', transfer: 0, what: 'takes it' },
      { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
      { do: 'wait', ms: 86_400_000 },
      { do: 'bank', transfer: 0, what: 'gives it back' },
      { do: 'due-work' },
    ],
  },
  'a plan’s charge is booked although its webhooks are lost': {
    actions: [
      {
        do: 'together',
        calls: [
          { do: 'subscribe', person: 0, tier: 'basic' },
          { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
          { do: 'start', transfer: 0 },
        ],
      },
      { do: 'wait', ms: 950_400_000 },
      { do: 'subscribe', person: 0, tier: 'basic' },
      { do: 'start', transfer: 0 },
    ],
  },
  "an operator's partial refund is completed and not repeated": {
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
      { do: 'operator refunds', transfer: 0, part: true },
      { do: 'webhooks', transfer: 0, from: 'first', copies: 1 },
    ],
  },
  'two attempts do not share the last discounted slot': {
    people: [{ plan: 'basic', left: 1 }],
    actions: [
      { do: 'start', transfer: 0 },
      { do: 'start', transfer: 1 },
    ],
  },
  'a payment that succeeds while it is canceled is recorded': {
    actions: [
      { do: 'start', transfer: 0 },
      {
        do: 'meanwhile',
        request: 1,
        call: { do: 'cancel', transfer: 0 },
        paid: false,
        other: { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
      },
    ],
  },
  'the monthly cap follows a user who deletes the account and signs up again': {
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'pay', transfer: 1, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'comes back', person: 0 },
      { do: 'pay', transfer: 2, card: 'pm_card_visa', slowly: false, stays: true },
    ],
  },
  'the monthly cap follows a number that its user moves to a second account': {
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'moves number', person: 0 },
      { do: 'pay', transfer: 1, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'pay', transfer: 2, card: 'pm_card_visa', slowly: false, stays: true },
    ],
  },
  'a dispute stops the new account of a user who deleted the disputed one': {
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'comes back', person: 0 },
      { do: 'bank', transfer: 0, what: 'disputes' },
    ],
  },
  'two plans in one month keep separate allowances': {
    people: [{ plan: 'premium' }],
    actions: [
      { do: 'subscribe', person: 0, tier: 'basic' },
      { do: 'wait', ms: 950400000 },
      {
        do: 'meanwhile',
        request: 1,
        call: { do: 'webhooks', transfer: 0, from: 'last', copies: 1 },
        paid: true,
        other: { do: 'due-work' },
      },
    ],
  },
  'the state of a payout without an answer is queried, and the payout is not sent twice': {
    payOut: true,
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
      {
        do: 'fails',
        fault: { on: 'POST /disbursement/v1_0/transfer', times: 1, what: { kind: 'cutAfter' } },
        call: { do: 'record', transfer: 0 },
      },
      { do: 'wait', ms: 60_000 },
      { do: 'due-work' },
    ],
  },
  'a transfer whose payout fails permanently is refunded': {
    payOut: true,
    transfers: [{ payee: 'is unknown' }],
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'wait', ms: 60_000 },
      { do: 'due-work' },
    ],
  },
  'an undeliverable transfer does not refill the slots of a later month': {
    startsAt: 1796083198000,
    payOut: true,
    people: [{ plan: 'premium', left: 2 }],
    transfers: [{ to: 'FR', amount: 10_000 }, { amount: 33_333 }],
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'wait', ms: 60_000 },
      { do: 'start', transfer: 1 },
      { do: 'by hand', what: 'gives up' },
    ],
  },
  'a payout that arrives after it was given up is booked as a loss': {
    payOut: true,
    transfers: [{ payee: 'is pending' }],
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'wait', ms: 60_000 },
      { do: 'due-work' },
      { do: 'wait', ms: 93_600_000 },
      { do: 'by hand', what: 'gives up wrongly' },
      { do: 'due-work' },
    ],
  },
  'a transfer refunded before its payout is not paid out': {
    payOut: true,
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
      {
        do: 'fails',
        fault: { on: 'POST /disbursement/v1_0/transfer', times: 1, what: { kind: 'cutBefore' } },
        call: { do: 'record', transfer: 0 },
      },
      { do: 'operator refunds', transfer: 0, part: true },
      { do: 'wait', ms: 60_000 },
      { do: 'due-work' },
    ],
  },
  'a transfer that an operator claimed is not refunded automatically': {
    payOut: true,
    transfers: [{ to: 'FR' }],
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'by hand', what: 'claims' },
      { do: 'operator refunds', transfer: 0, part: true },
      { do: 'webhooks', transfer: 0, from: 'last', copies: 1 },
    ],
  },
  'a delivered transfer is not refunded when its charge is reversed': {
    payOut: true,
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: true },
      { do: 'wait', ms: 60_000 },
      { do: 'due-work' },
      { do: 'operator refunds', transfer: 0, part: true },
      { do: 'webhooks', transfer: 0, from: 'last', copies: 1 },
    ],
  },
  'an early fraud warning before the record holds the payout': {
    payOut: true,
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
      { do: 'bank', transfer: 0, what: 'warns' },
      { do: 'record', transfer: 0 },
    ],
  },
  'a hold that an operator lifted stays lifted': {
    payOut: true,
    actions: [
      { do: 'pay', transfer: 0, card: 'pm_card_visa', slowly: false, stays: false },
      { do: 'bank', transfer: 0, what: 'warns' },
      { do: 'record', transfer: 0 },
      { do: 'by hand', what: 'releases' },
      { do: 'due-work' },
    ],
  },
  'an undeliverable transfer is refunded even if an earlier refund by an operator failed': {
    payOut: true,
    people: [{}, { keptCard: 'pm_card_refundFail' }],
    transfers: [{}, {}, { by: 1, payee: 'is unknown' }],
    actions: [
      { do: 'pay', transfer: 2, card: 'pm_card_visa', slowly: false, stays: false, kept: 'chooses' },
      { do: 'operator refunds', transfer: 0, part: false },
      { do: 'start', transfer: 0 },
    ],
  },
  'a name on the list of sanctions holds transfers to MTN and by hand until an operator decides': {
    payOut: true,
    screens: true,
    transfers: [{ isListed: true }, { isListed: true, amount: 10_000 }, { isListed: true, to: 'FR' }],
    actions: [
      ...[0, 1, 2].map((transfer) => ({
        ...{ do: 'pay' as const, transfer, card: 'pm_card_visa', slowly: false, stays: true },
      })),
      { do: 'due-work' },
      { do: 'by hand', what: 'claims and pays' },
      { do: 'by hand', what: 'releases' },
      { do: 'due-work' },
      { do: 'list', what: 'releases' },
      { do: 'due-work' },
      { do: 'list', what: 'refuses' },
    ],
  },
  'a list of sanctions that fails holds each transfer until it works again': {
    payOut: true,
    screens: true,
    transfers: [{}, { isListed: true, amount: 10_000 }, { to: 'FR' }],
    actions: [
      { do: 'list', what: 'fails' },
      ...[0, 1, 2].map((transfer) => ({
        ...{ do: 'pay' as const, transfer, card: 'pm_card_visa', slowly: false, stays: true },
      })),
      { do: 'by hand', what: 'claims and pays' },
      { do: 'due-work' },
      { do: 'by hand', what: 'releases' },
      { do: 'due-work' },
      { do: 'list', what: 'works' },
      { do: 'due-work' },
      { do: 'list', what: 'refuses' },
    ],
  },
}
