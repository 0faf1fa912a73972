import fc from 'fast-check'
import type { Fault } from 'service-emulators/faults'
import { DAY, HOUR, MINUTE } from '../domain/common/duration.ts'
import { WORLD_START } from '../netlify/testing/world.ts'
import {
  type Action,
  type Call,
  INVOICE_COUNT,
  type Payer,
  type Schedule,
  type ScheduleSetting,
  type Step,
  TRANSFER_COUNT,
} from './model.ts'

const MONTH_END = Date.UTC(2026, 11, 1) - 2000

const transfer = fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7)
const person = fc.constantFrom(0 as const, 1 as const)

const people: fc.Arbitrary<Payer> = fc.record({
  plan: fc.constantFrom(null, 'basic' as const, 'premium' as const),
  left: fc.nat(2),
  endsAfter: fc.constantFrom(null, null, 5 * DAY),
  refilled: fc.constantFrom('this month' as const, 'this month' as const, 'last month' as const),
  keptCard: fc.constantFrom(
    ...[null, null, 'pm_card_visa', 'pm_card_authenticationRequired', 'pm_card_authenticationRequired'],
    ...['pm_card_chargeCustomerFail', 'pm_card_refundFail', 'pm_card_pendingRefund'],
  ),
})

const settings: fc.Arbitrary<ScheduleSetting> = fc.record({
  startsAt: fc.constantFrom(WORLD_START, MONTH_END),
  payOut: fc.boolean(),
  screens: fc.boolean(),
  cancellationWindow: fc.constantFrom(0, MINUTE, MINUTE),
  identityLimit: fc.constantFrom(null, null, null, 30_000),
  quietFor: fc.constantFrom(31 * MINUTE, 72 * HOUR),
  latencySeed: fc.option(fc.noShrink(fc.nat()), { freq: 20 }),
  people: fc.tuple(people, people),
  transfers: fc.array(
    fc.record({
      by: fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const),
      amount: fc.constantFrom(50_000, 50_000, 50_000, 33_333, 10_000, 2017, 1667),
      currency: fc.constantFrom('EUR' as const, 'EUR' as const, 'CAD' as const),
      to: fc.constantFrom('GN' as const, 'GN' as const, 'FR' as const, 'CA' as const),
      coupon: fc.constantFrom(null, null, 'ZÉRO'),
      payee: fc.constantFrom(...(['arrives', 'arrives', 'arrives', 'is pending', 'is unknown'] as const)),
      isListed: fc.constantFrom(false, false, true),
      sharesForm: fc.constantFrom(false, false, false, true),
    }),
    { minLength: TRANSFER_COUNT, maxLength: TRANSFER_COUNT },
  ),
  bills: fc.array(fc.record({ by: person, invoice: fc.constantFrom(0 as const, 0 as const, 1 as const) }), {
    minLength: INVOICE_COUNT,
    maxLength: INVOICE_COUNT,
  }),
})

const aboutTransfer: fc.Arbitrary<Call> = fc
  .record({
    do: fc.constantFrom('start' as const, 'start' as const, 'record' as const, 'cancel' as const),
    transfer,
    as: fc.constantFrom(...Array<undefined>(16).fill(undefined), 'other' as const, 'expired' as const),
    unheard: fc.constantFrom(...Array<undefined>(8).fill(undefined), true as const),
    behind: fc.constantFrom(...Array<undefined>(3).fill(undefined), true as const),
  })
  .map(({ as, unheard, behind, ...call }) => ({
    ...call,
    ...(as && { as }),
    ...(unheard && { unheard }),
    ...(behind && { behind }),
  }))

const cancellation: fc.Arbitrary<Call> = fc
  .record({
    do: fc.constant('undo' as const),
    transfer,
    as: fc.constantFrom(...Array<undefined>(8).fill(undefined), 'other' as const, 'expired' as const),
    behind: fc.constantFrom(...Array<undefined>(3).fill(undefined), true as const),
  })
  .map(({ as, behind, ...call }) => ({ ...call, ...(as && { as }), ...(behind && { behind }) }))

const calls: fc.Arbitrary<Call> = fc.oneof(
  { weight: 10, arbitrary: aboutTransfer },
  { weight: 4, arbitrary: cancellation },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('subscribe' as const),
      person,
      tier: fc.constantFrom('basic' as const, 'premium' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('verify' as const, 'end plan' as const, 'plan webhooks' as const),
      person,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('end plan' as const),
      person,
      as: fc.constant('other' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('webhooks' as const),
      transfer,
      from: fc.constantFrom('first' as const, 'last' as const),
      copies: fc.constantFrom(1, 1, 3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('forged webhook' as const),
      transfer,
      how: fc.constantFrom('unsigned' as const, 'stale' as const, 'future' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'due-work' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('callback' as const), transfer }) },
)

/** Second line: declined, or 3-D Secure. Third line: refunds are pending or fail. */
const CARDS = [
  ...['pm_card_visa', 'pm_card_visa'],
  ...['pm_card_visa_chargeDeclined', 'pm_card_authenticationRequired'],
  ...['pm_card_pendingRefund', 'pm_card_pendingRefund', 'pm_card_refundFail', 'pm_card_refundFail'],
  // Triggers a review.
  'pm_card_riskLevelElevated',
]

const steps: fc.Arbitrary<Step> = fc.oneof(
  { withCrossShrink: true },
  { weight: 12, arbitrary: calls },
  { weight: 1, arbitrary: fc.constant({ do: 'other deployment' as const }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      transfer,
      card: fc.constantFrom(...CARDS),
      slowly: fc.constantFrom(false, false, false, true),
      stays: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      transfer,
      card: fc.constantFrom('pm_card_visa', 'pm_card_authenticationRequired', 'pm_card_pendingRefund'),
      slowly: fc.constantFrom(false, false, false, true),
      stays: fc.boolean(),
      kept: fc.constantFrom(
        'saves' as const,
        'saves' as const,
        'chooses' as const,
        'chooses' as const,
        'removes' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('bank decides' as const), transfer }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('mtn' as const),
      what: fc.constantFrom(
        ...(['decides: arrived', 'decides: failed', 'is empty', 'is filled', 'ends tokens'] as const),
        'forgets reasons' as const,
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('by hand' as const),
      what: fc.constantFrom(
        ...(['claims', 'pays', 'fails', 'claims and pays', 'claims and pays'] as const),
        ...(['claims and fails', 'releases', 'releases', 'holds', 'gives up', 'asks the provider'] as const),
        'gives up wrongly' as const,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      what: fc.constantFrom('fails' as const, 'works' as const, 'releases' as const, 'refuses' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(MINUTE, 31 * MINUTE, 25 * HOUR, 11 * DAY),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('account is deleted' as const), person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('comes back' as const), person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('moves number' as const), person }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('operator' as const),
      what: fc.constantFrom('stops' as const, 'lets pay' as const, 'lets pay' as const),
      person,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('identity' as const),
      person,
      becomes: fc.constantFrom(
        ...(['pending', 'approved', 'approved', 'approved', 'rejected', 'expired'] as const),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('operator refunds' as const), transfer, part: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('declines' as const),
      transfer,
      times: fc.constantFrom(3, 6, 12),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('bank' as const),
      transfer,
      what: fc.constantFrom(
        'disputes' as const,
        'disputes' as const,
        'is convinced' as const,
        'takes it' as const,
        'gives it back' as const,
        'gives a part back' as const,
        'warns' as const,
        'approves' as const,
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('supplier' as const),
      invoice: fc.constantFrom(0 as const, 0 as const, 1 as const),
      tried: fc.boolean(),
      change: fc.constantFrom(
        ...(['raises', 'was paid', 'takes back', 'imports it again', 'imports it again'] as const),
        ...([
          'imports it without a status',
          'changes the date',
          'changes the date',
          'asks for the next one',
        ] as const),
      ),
    }),
  },
)

const DOCUMENTS = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents'
const FAULTS: readonly Fault[] = [
  ...['POST /v1/payment_intents', 'POST /v1/refunds', 'GET /v1/payment_intents', 'GET /v1/refunds'].flatMap(
    (on) =>
      [
        ...[409, 429, 500].map((status): Fault => ({ on, times: 1, what: { kind: 'status', status } })),
        { on, times: 3, what: { kind: 'status', status: 500 } },
        { on, times: 1, what: { kind: 'cutBefore' } },
        { on, times: 3, what: { kind: 'cutBefore' } },
        { on, times: 1, what: { kind: 'cutAfter' } },
        { on, times: 3, what: { kind: 'cutAfter' } },
      ] satisfies Fault[],
  ),
  // Stripe repeats this answer for a day to every call with the same idempotency key.
  ...[
    ...['POST /v1/payment_intents', 'POST /v1/refunds', 'POST /v1/checkout', 'POST /v1/customers'],
    ...['POST /v1/subscriptions', 'DELETE /v1/subscriptions', 'POST /v1/invoices'],
  ].map((on): Fault => ({ on, times: 1, what: { kind: 'status', status: 500, kept: true } })),
  ...[1, 2, 3, 4, 5, 100].map(
    (times): Fault => ({ on: `${DOCUMENTS}:commit`, times, what: { kind: 'abort' } }),
  ),
  ...[1, 2].flatMap((times): Fault[] => [
    { on: `${DOCUMENTS}:commit`, times, what: { kind: 'cutBefore' } },
    { on: `${DOCUMENTS}:commit`, times, what: { kind: 'cutAfter' } },
    { on: `${DOCUMENTS}:batchGet`, times, what: { kind: 'cutBefore' } },
  ]),
  ...[
    'POST /disbursement/v1_0/transfer',
    'GET /disbursement/v1_0/transfer',
    'POST /disbursement/token',
  ].flatMap(
    (on) =>
      [
        { on, times: 1, what: { kind: 'status', status: 500 } },
        { on, times: 1, what: { kind: 'cutBefore' } },
        { on, times: 1, what: { kind: 'cutAfter' } },
        { on, times: 3, what: { kind: 'cutAfter' } },
      ] satisfies Fault[],
  ),
  // The service answers after the client's time limit, but still does its work.
  ...[
    ...['POST /v1/payment_intents', 'GET /v1/payment_intents', 'POST /v1/refunds', 'GET /v1/charges'],
    ...['POST /disbursement/v1_0/transfer', 'GET /disbursement/v1_0/transfer'],
  ].flatMap((on) => [1, 3].map((times): Fault => ({ on, times, what: { kind: 'delay', ms: 10_000 } }))),
  ...['commit', 'batchGet', 'runQuery'].map(
    (what): Fault => ({ on: `${DOCUMENTS}:${what}`, times: 1, what: { kind: 'delay', ms: 12_000 } }),
  ),
  { on: `${DOCUMENTS}:batchGet`, times: 9, what: { kind: 'status', status: 403 } },
  { on: `${DOCUMENTS}:runQuery`, times: 1, what: { kind: 'noIndex' } },
]

const actions: fc.Arbitrary<Action> = fc.oneof(
  { withCrossShrink: true },
  { weight: 12, arbitrary: steps },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('dies' as const),
      moment: fc.constantFrom('before' as const, 'after' as const),
      step: fc.integer({ min: 1, max: 4 }),
      call: calls,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('meanwhile' as const),
      request: fc.constantFrom(1, 2, 3, 4, 4, 5, 5, 6, 7),
      call: calls,
      paid: fc.boolean(),
      other: steps,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('together' as const),
      calls: fc.array(calls, { minLength: 2, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fails' as const),
      fault: fc.constantFrom(...FAULTS),
      call: calls,
    }),
  },
)

export const scheduleArbitrary: fc.Arbitrary<Schedule> = fc.tuple(
  settings,
  fc.array(actions, { minLength: 1, maxLength: 20, size: 'max' }),
)
