import fc from 'fast-check'
import type { Fault } from 'service-emulators/faults'
import type Stripe from 'stripe'
import { expect } from 'vitest'
import { CREATE_PAYMENT_INTENT } from '../../domain/api/payments.ts'
import type { PaymentStarted } from '../../domain/api.ts'
import { type CountryCode, destinationByCode } from '../../domain/destinations.ts'
import { DAY, HOUR, MINUTE } from '../../domain/duration.ts'
import { money, type SourceCurrency } from '../../domain/money.ts'
import { monthOf, monthRange } from '../../domain/month.ts'
import { PLANS } from '../../domain/plans.ts'
import { quoteTransfer } from '../../domain/quote.ts'
import { RECENT_FOR } from '../../domain/recentTransfers.ts'
import type { Subscription, Tier } from '../../domain/schemas/profile.ts'
import { BY_OPERATOR, liftPause, pausePaying } from '../server/operations/pauses.ts'
import { reconcile } from '../server/operations/reconcile.ts'
import { sumOfMonth } from '../server/payments/monthSum.ts'
import type { PayoutContext } from '../server/payouts/payoutContext.ts'
import type { TransferAttempt } from '../server/platform/documents.ts'
import { personKeys } from '../server/platform/persons.ts'
import { attemptKey, subscriptionOf } from '../server/platform/records.ts'
import { crashAt, type Moment } from './crashAt.ts'
import { parseTransaction } from './dumped.ts'
import { createHands, type HandStep } from './hands.ts'
import { CAP, type Records } from './invariants.ts'
import { answerBank, keepCard, openCardForm, payAndSave } from './savedCards.ts'
import { type Called, requestOf, START, type World } from './world.ts'

// A schedule is plain data, so that fast-check can make it shorter and a person can read it.
const MONTH_END = Date.UTC(2026, 11, 1) - 2000

interface Person {
  readonly plan: Tier | null
  readonly left: number
  /** Paid for until then, in ms from the start; null for a plan that goes on. */
  readonly endsIn: number | null
  readonly refilled: 'this month' | 'last month'
  /** A card that they have kept from another time, by its published id. */
  readonly keptCard: string | null
}

interface Transfer {
  readonly by: 0 | 1
  readonly amount: number
  readonly currency: SourceCurrency
  readonly to: CountryCode
  readonly coupon: string | null
  /** What becomes of it at MTN, where transfers to Guinea are paid out. */
  readonly payee: keyof typeof MTN_NUMBERS
}

/** An invoice that somebody wants to pay; two people may want to pay the same one. */
interface Bill {
  readonly by: 0 | 1
  readonly invoice: 0 | 1
}

interface Setting {
  readonly startsAt: number
  /** Whether transfers are paid out, by MTN and by hand. */
  readonly payOut: boolean
  /** How long nothing but time passes at the end, in ms. */
  readonly quietFor: number
  readonly people: readonly [Person, Person]
  readonly transfers: readonly Transfer[]
  /** Actions number them after the transfers. */
  readonly bills: readonly Bill[]
}

type TransferCall = {
  readonly do: 'start' | 'record' | 'cancel'
  readonly transfer: number
  /** Somebody else with a good token; or the right person with one that has ended. */
  readonly as?: 'other' | 'expired'
  /** The browser dies, or its network, before it has the answer. */
  readonly unheard?: boolean
  /** It comes to an instance whose clock is a minute behind. */
  readonly behind?: boolean
}

/** What a person does about plans: opens a checkout and pays it there, comes back from it, or ends the plan. */
type PlanCall =
  | { readonly do: 'subscribe'; readonly person: 0 | 1; readonly tier: Tier }
  | { readonly do: 'verify'; readonly person: 0 | 1 }
  /** With `as` somebody else wants to end it. */
  | { readonly do: 'end plan'; readonly person: 0 | 1; readonly as?: 'other' }

/**
 * The bank of the card's holder: contests a charge, decides about that for us or for its customer, or only warns. Or somebody approves
 * a charge that is reviewed.
 */
type BankStep = 'disputes' | 'is convinced' | 'takes it' | 'warns' | 'approves'

/** What makes the functions work. */
export type Call =
  | TransferCall
  | PlanCall
  /** What the provider tells of all plans of a person. */
  | { readonly do: 'plan webhooks'; readonly person: 0 | 1 }
  /** What the provider tells of a transfer, from its first event or from its last, so many times at once. */
  | {
      readonly do: 'webhooks'
      readonly transfer: number
      readonly from: 'first' | 'last'
      readonly copies: number
    }
  | {
      readonly do: 'forged webhook'
      readonly transfer: number
      readonly how: 'unsigned' | 'stale' | 'future'
    }
  | { readonly do: 'sweep' }
  /** Somebody says that something became of the payout of a transfer, truly or not. */
  | { readonly do: 'callback'; readonly transfer: number }

/** The account at MTN, and what is pending there. */
type MtnStep =
  | ('decides: arrived' | 'decides: failed' | 'is empty' | 'is filled')
  | ('ends tokens' | 'forgets reasons')

type Step =
  | Call
  /**
   * The person presses the button: the payment is started if it was not, and the card is confirmed. Who stays waits for the
   * receipt too.
   */
  | {
      readonly do: 'pay'
      readonly transfer: number
      readonly card: string
      readonly slowly: boolean
      readonly stays?: boolean
      /**
       * Keeps the card for the next time; pays with the one that was kept; or takes that away and pays with this one. Who has one
       * answers the bank.
       */
      readonly kept?: 'saves' | 'chooses' | 'removes'
    }
  | { readonly do: 'mtn'; readonly what: MtnStep }
  | { readonly do: 'by hand'; readonly what: HandStep }
  /** Another deployment on the same account hears of everything, and sweeps. */
  | { readonly do: 'other deployment' }
  | { readonly do: 'bank decides'; readonly transfer: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'account is deleted'; readonly person: 0 | 1 }
  /** Somebody deletes their account, if it can go, and makes another one with the same number. */
  | { readonly do: 'comes back'; readonly person: 0 | 1 }
  /** An operator pauses somebody's payments, or lets them pay again. */
  | { readonly do: 'operator'; readonly what: 'stops' | 'lets pay'; readonly person: 0 | 1 }
  /** Somebody tries out cards. */
  | { readonly do: 'declines'; readonly transfer: number; readonly times: number }
  /** Somebody gives back all that is left of a charge, or a part, in the provider's dashboard. */
  | { readonly do: 'operator refunds'; readonly transfer: number; readonly part: boolean }
  | {
      readonly do: 'bank'
      readonly transfer: number
      readonly what: BankStep
    }
  | {
      readonly do: 'supplier'
      readonly invoice: 0 | 1
      readonly change: keyof typeof SUPPLIERS_CHANGE
      /** Whoever has the invoice in hand then tries to pay it. */
      readonly tried: boolean
    }

type Payment = Extract<Step, { readonly do: 'pay' }>

export type Action =
  | Step
  | { readonly do: 'dies'; readonly moment: Moment; readonly step: number; readonly call: Call }
  /** While a request of the call waits, something else happens; `paid` has the call's transfer paid before. */
  | {
      readonly do: 'meanwhile'
      readonly request: number
      readonly call: Call
      readonly paid: boolean
      readonly other: Step
    }
  | { readonly do: 'together'; readonly calls: readonly Call[] }
  | { readonly do: 'fails'; readonly fault: Fault; readonly call: Call }

/** More than others can change while one person agrees. */
const MOST_QUESTIONS = 5
const TRANSFERS = 5
const BILLS = 3
const transfer = fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7)
const person = fc.constantFrom(0 as const, 1 as const)

const people: fc.Arbitrary<Person> = fc.record({
  plan: fc.constantFrom(null, 'basic' as const, 'premium' as const),
  left: fc.nat(2),
  endsIn: fc.constantFrom(null, null, 5 * DAY),
  refilled: fc.constantFrom('this month' as const, 'this month' as const, 'last month' as const),
  keptCard: fc.constantFrom(
    ...[null, null, 'pm_card_visa', 'pm_card_authenticationRequired', 'pm_card_authenticationRequired'],
    ...['pm_card_chargeCustomerFail', 'pm_card_refundFail', 'pm_card_pendingRefund'],
  ),
})

const settings: fc.Arbitrary<Setting> = fc.record({
  startsAt: fc.constantFrom(START, MONTH_END),
  payOut: fc.boolean(),
  quietFor: fc.constantFrom(31 * MINUTE, 72 * HOUR),
  people: fc.tuple(people, people),
  transfers: fc.array(
    fc.record({
      by: fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const),
      amount: fc.constantFrom(50_000, 50_000, 50_000, 33_333, 10_000, 2017, 1667),
      currency: fc.constantFrom('EUR' as const, 'EUR' as const, 'CAD' as const),
      to: fc.constantFrom('GN' as const, 'GN' as const, 'FR' as const, 'CA' as const),
      coupon: fc.constantFrom(null, null, 'ZÉRO'),
      payee: fc.constantFrom(...(['arrives', 'arrives', 'arrives', 'is pending', 'is unknown'] as const)),
    }),
    { minLength: TRANSFERS, maxLength: TRANSFERS },
  ),
  bills: fc.array(fc.record({ by: person, invoice: fc.constantFrom(0 as const, 0 as const, 1 as const) }), {
    minLength: BILLS,
    maxLength: BILLS,
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

const calls: fc.Arbitrary<Call> = fc.oneof(
  { weight: 10, arbitrary: aboutTransfer },
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
  { weight: 2, arbitrary: fc.constant({ do: 'sweep' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('callback' as const), transfer }) },
)

/** As payments all but the second line go through; the last line is about what becomes of a refund. */
const CARDS = [
  ...['pm_card_visa', 'pm_card_visa'],
  ...['pm_card_visa_chargeDeclined', 'pm_card_authenticationRequired'],
  ...['pm_card_pendingRefund', 'pm_card_pendingRefund', 'pm_card_refundFail', 'pm_card_refundFail'],
  // Somebody has to review it.
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
      ),
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
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('operator' as const),
      what: fc.constantFrom('stops' as const, 'lets pay' as const, 'lets pay' as const),
      person,
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
  // Answered so for a day, whoever asks again.
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

/** Where it begins, and what happens then. */
export type Schedule = readonly [Setting, readonly Action[]]

export const schedules: fc.Arbitrary<Schedule> = fc.tuple(
  settings,
  fc.array(actions, { minLength: 1, maxLength: 20, size: 'max' }),
)

const PLAIN = {
  times: { startsAt: START, payOut: false, quietFor: 31 * MINUTE },
  person: { plan: null, left: 0, endsIn: null, refilled: 'this month', keptCard: null } as Person,
  transfer: { by: 0, amount: 50_000, currency: 'EUR', to: 'GN', coupon: null, payee: 'arrives' } as Transfer,
  bill: { by: 0, invoice: 0 } as Bill,
}

/** A schedule to read and to keep: of where it begins only what is not plain, which is mostly all that matters. */
export interface Recorded {
  readonly startsAt?: number
  readonly payOut?: boolean
  readonly quietFor?: number
  readonly people?: readonly Partial<Person>[]
  readonly transfers?: readonly Partial<Transfer>[]
  readonly bills?: readonly Partial<Bill>[]
  readonly actions: readonly Action[]
}

export function scheduleOf(recorded: Recorded): Schedule {
  const { people = [], transfers = [], bills = [], actions: todo, ...times } = recorded
  const setting: Setting = {
    ...PLAIN.times,
    ...times,
    people: [
      { ...PLAIN.person, ...people[0] },
      { ...PLAIN.person, ...people[1] },
    ],
    transfers: Array.from({ length: TRANSFERS }, (_, i) => ({ ...PLAIN.transfer, ...transfers[i] })),
    bills: Array.from({ length: BILLS }, (_, i) => ({ ...PLAIN.bill, ...bills[i] })),
  }
  return [setting, todo]
}

export function recordOf([setting, todo]: Schedule): Recorded {
  const { people: described, transfers, bills, ...times } = setting
  return {
    ...changesTo(PLAIN.times, times),
    ...named('people', described, PLAIN.person),
    ...named('transfers', transfers, PLAIN.transfer),
    ...named('bills', bills, PLAIN.bill),
    actions: todo,
  }
}

/** Nothing after the last one that is not plain. */
function named<T extends object>(name: string, all: readonly T[], plain: T) {
  const changes = all.map((one) => changesTo(plain, one))
  const last = changes.findLastIndex((change) => Object.keys(change).length > 0)
  return last < 0 ? {} : { [name]: changes.slice(0, last + 1) }
}

const changesTo = <T extends object>(plain: T, one: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(one).filter(([field, value]) => plain[field as keyof T] !== value),
  ) as Partial<T>

/** A schedule under way: what the devices know, what was promised, and a line for each thing that happened. */
export async function beginSchedule(world: World, other: World, setting: Setting) {
  const { startsAt, payOut, quietFor, people: described, transfers, bills } = setting
  world.reset()
  other.reset()
  world.setTime(startsAt)
  if (payOut) world.payOutAsDeployed()
  const uids = await Promise.all(described.map((one) => world.person(subscriptionFor(one, startsAt))))
  for (const [index, { keptCard }] of described.entries())
    if (keptCard) await keepCard(world, uids[index] ?? '', keptCard)
  /** All accounts that there were, by whose they are: whoever comes back has another one. */
  const accountsOf = uids.map((uid) => [uid])
  const invoiceAt = (index: 0 | 1) =>
    world.context.db.doc(`invoices/${INVOICES[index].supplier}_${INVOICES[index].reference}`)
  /** What suppliers have written: nobody else writes there. */
  const issued = new Map<string, object>()
  async function supply(index: 0 | 1, invoice: object) {
    const { path, id } = invoiceAt(index)
    issued.set(id, invoice)
    await world.context.db.doc(path).set(invoice)
  }
  await Promise.all(([0, 1] as const).map((index) => supply(index, issueOf(INVOICES[index]))))
  const billAttempts = bills.map(() => crypto.randomUUID())
  const requests = transfers.map(({ by, amount, currency, to, coupon, payee }) =>
    requestOf(uids[by] ?? '', {
      attemptId: crypto.randomUUID(),
      amount,
      currency: currency === 'EUR' ? 'eur' : 'cad',
      couponCode: coupon,
      ...(payOut && to === 'GN'
        ? { recipientPhone: MTN_NUMBERS[payee], receivingMethod: 'mtn_money' as const }
        : RECIPIENTS[to]),
    }),
  )
  /** The PaymentIntents whose secret a browser has learned, by transfer. */
  const secrets = new Map<number, string>()
  /** What opened the card form last, by transfer. */
  const forms = new Map<number, Pick<PaymentStarted, 'clientSecret' | 'customerSession'>>()
  /** Who has deleted their account. */
  const gone = new Set<string>()
  /** How many transfers each person's plan has in each period; the first period's are given, later ones are the plan's. */
  const firstPeriods = new Map(
    uids.map((uid) => [uid, subscriptionOf(world.sandbox.firestore.documents()[`users/${uid}`])]),
  )
  /** Whose account began a payment: who comes back begins it anew. */
  const begunBy = new Map<number, string>()
  /** The checkout that each person came back from last. */
  const checkouts = new Map<number, string>()
  /** The same transfers that somebody was asked about and wanted once more, by the attempt that they wanted. */
  const agreedTo = new Map<string, readonly { readonly id: string; readonly at: number }[]>()
  const history: string[] = []

  const billAt = (index: number) => bills[index - TRANSFERS]
  const transferAt = (index: number) => transfers[index] as Transfer
  const payerOf = (index: number) => (billAt(index) ?? transferAt(index)).by
  const ownerOf = (index: number) => begunBy.get(index) ?? uids[payerOf(index)] ?? ''
  const attemptOf = (index: number) =>
    (billAt(index) ? billAttempts[index - TRANSFERS] : requests[index]?.attemptId) ?? ''

  /** The price that the screen shows: made from the profile as the device has it, and by the device's clock. */
  function priced(index: number) {
    const { amount, currency, to, coupon } = transferAt(index)
    const { fee, converted } = quoteTransfer({
      gross: money(amount, currency),
      destination: destinationByCode(to),
      coupon,
      subscription: subscriptionOf(world.sandbox.firestore.documents()[`users/${ownerOf(index)}`]),
      now: world.now(),
    })
    const expected = { fee: fee.minor, converted: converted.minor }
    return { ...requests[index], senderId: ownerOf(index), expected }
  }

  /** An invoice as the screen shows it: with what is due now, and by when. */
  function billed(index: 0 | 1) {
    const { supplier, reference, currency } = INVOICES[index]
    const stored = world.sandbox.firestore.documents()[`invoices/${supplier}_${reference}`]
    return {
      supplier,
      reference,
      expected: {
        amount: Math.round(Number(stored?.amount ?? 0) * 100),
        currency,
        dueDate: typeof stored?.dueDate === 'string' ? stored.dueDate : '2026-11-30',
      },
    }
  }

  /** What somebody adds to a request to agree to what its answer asks; null when it asks nothing. */
  function agreementTo(index: number, { body: { code, details } }: Called) {
    if (code === 'quoteChanged') {
      const { fee, converted } = details as { fee: number; converted: number }
      return { expected: { fee, converted } }
    }
    if (code !== 'sentAlready') return null
    const { id, at } = details as { id: string; at: number }
    agreedTo.set(attemptOf(index), [...(agreedTo.get(attemptOf(index)) ?? []), { id, at }])
    return { again: id }
  }

  async function callAbout(
    { do: what, transfer: index, as: role, unheard, behind }: TransferCall,
    process?: PayoutContext,
  ) {
    const as = behind ? { ...(process ?? world.context), now: () => world.now() - MINUTE } : process
    const caller = role === 'other' ? (uids[1 - payerOf(index)] ?? '') : ownerOf(index)
    const token = await world.token(caller, role === 'expired' ? { issuedAt: world.now() - 2 * HOUR } : {})
    const attemptId = attemptOf(index)
    if (what === 'start' && !role) begunBy.set(index, ownerOf(index))
    const ask = async (): Promise<Called> => {
      if (what === 'record')
        return world.invoke('record-transfer', { attemptId }, { token, ...(as && { as }) })
      if (what === 'cancel')
        return world.invoke('cancel-payment-intent', { attemptId }, { token, ...(as && { as }) })
      const bill = billAt(index)
      if (bill) {
        const body = { attemptId, ...billed(bill.invoice) }
        return world.invoke('pay-invoice', body, { token, ...(as && { as }) })
      }
      const begin = (body: object) =>
        world.invoke('create-payment-intent', { ...body }, { token, ...(as && { as }) })
      let body: object = priced(index)
      let answer = await begin(body)
      // The person sees what is asked, and agrees to it; others may change it again meanwhile.
      for (let questions = 0; questions < MOST_QUESTIONS; questions += 1) {
        const agreement = agreementTo(index, answer)
        if (!agreement) return answer
        body = { ...body, ...agreement }
        answer = await begin(body)
      }
      return answer
    }
    const answer = await ask()
    checkAnswer(what, index, role, answer)
    if (what === 'start' && answer.status === 200 && !unheard && !role) {
      const begun = CREATE_PAYMENT_INTENT.response(answer.body)
      secrets.set(index, begun.paymentIntentId)
      forms.set(index, begun)
    }
    return `${answer.status} ${answer.body.code ?? answer.body.outcome ?? answer.body.status ?? ''}`.trim()
  }

  /** What a person is told is true, and told to nobody else. */
  function checkAnswer(
    what: TransferCall['do'],
    index: number,
    role: TransferCall['as'],
    { status, body }: Called,
  ) {
    // An invoice can be paid by anybody: then it is an attempt of that person's own.
    if (role === 'other' && billAt(index)) return
    if (role) expect([401, 403, 404, 503], `answer to somebody else (${role})`).toContain(status)
    const intent = world.sandbox.stripe
      .paymentIntents()
      .find(
        ({ id }) =>
          id === (((body.transaction ?? body.invoicePayment) as { id?: string })?.id ?? body.paymentIntentId),
      )
    if (what === 'start' && status === 200 && !billAt(index)) {
      const { amount, currency } = transferAt(index)
      expect([intent?.amount, intent?.currency, intent?.metadata.uid], 'the PaymentIntent').toEqual([
        amount,
        currency.toLowerCase(),
        ownerOf(index),
      ])
    }
    if (body.outcome === 'paid') {
      expect(intent?.status, 'what is called paid').toBe('succeeded')
      expect(body.transaction ?? body.invoicePayment, 'the receipt').toMatchObject({
        [billAt(index) ? 'payerId' : 'senderId']: ownerOf(index),
      })
    }
  }

  /** What the provider has told about a transfer, oldest first. */
  function eventsOf(index: number) {
    const { stripe } = world.sandbox
    const intent = intentOf(index)
    return stripe.events().filter(({ data }) => {
      const { id, payment_intent: of } = data.object as { id?: string; payment_intent?: string }
      return intent !== undefined && (of ?? id) === intent.id
    })
  }

  const billedTo = (uid: string) =>
    world.sandbox.stripe.subscriptions().filter(({ metadata }) => metadata.uid === uid)

  async function callAboutPlan(asked: PlanCall, as?: PayoutContext): Promise<string> {
    const userId = uids[asked.person] ?? ''
    if (asked.do === 'end plan' && asked.as) return endPlanOfAnother(asked.person, as)
    const by = { token: await world.token(userId), ...(as && { as }) }
    const inWords = ({ status, body }: Called) =>
      `${status} ${body.code ?? body.success ?? body.cancelAt ?? ''}`
    if (asked.do === 'end plan') {
      const [subscription] = billedTo(userId)
      if (!subscription) return 'no plan'
      return inWords(await world.invoke('cancel-subscription', { subscriptionId: subscription.id }, by))
    }
    if (asked.do === 'verify') {
      const sessionId = checkouts.get(asked.person)
      if (!sessionId) return 'no checkout'
      return inWords(
        await world.invoke('verify-subscription', { session_id: sessionId }, { ...by, method: 'GET' }),
      )
    }
    const answer = await world.invoke('create-subscription', { tier: asked.tier, userId }, by)
    if (answer.status !== 200) return inWords(answer)
    // The provider tells time in seconds, and a plan's periods go by the time they began.
    world.pass(1000)
    const back = await world.payCheckout(String(answer.body.url))
    const sessionId = back && new URL(back, world.origin).searchParams.get('session_id')
    if (sessionId) checkouts.set(asked.person, sessionId)
    return sessionId ? 'paid' : 'not paid'
  }

  /** Nobody ends the plan of somebody else. */
  async function endPlanOfAnother(owner: 0 | 1, as?: PayoutContext): Promise<string> {
    const theirs = () => billedTo(uids[owner] ?? '')[0]
    const subscription = theirs()
    if (!subscription) return 'no plan'
    const { cancel_at_period_end: ends } = subscription
    const token = await world.token(uids[1 - owner] ?? '')
    const body = { subscriptionId: subscription.id }
    const { status } = await world.invoke('cancel-subscription', body, { token, ...(as && { as }) })
    expect([403, 404, 429, 503], 'answer to who ends the plan of another').toContain(status)
    if (isAlone) expect(theirs()?.cancel_at_period_end, 'the plan that another wants to end').toBe(ends)
    return String(status)
  }

  /** Nobody pays for two plans at once; what is stored of a plan is what somebody pays for. */
  function checkPlans({ users }: Records) {
    for (const uid of accountsOf.flat()) {
      const billed = billedTo(uid)
      const live = billed.filter(({ status }) => status === 'active' || status === 'past_due')
      expect(live.length, `plans that ${uid} pays for`).toBeLessThanOrEqual(1)
      const { stripeSubscriptionId, tier } = subscriptionOf(users.get(uid))
      if (stripeSubscriptionId === null) continue
      const of = billed.find(({ id }) => id === stripeSubscriptionId)
      expect(of?.metadata.tier, `what ${uid} pays for`).toBe(tier)
    }
  }

  async function call(asked: Call, as?: PayoutContext): Promise<string> {
    switch (asked.do) {
      case 'subscribe':
      case 'verify':
      case 'end plan':
        return callAboutPlan(asked, as)
      case 'plan webhooks': {
        const uid = uids[asked.person]
        const told = world.sandbox.stripe
          .events()
          .filter(
            ({ data }) =>
              (data.object as { metadata?: { uid?: string; kind?: string } }).metadata?.uid === uid,
          )
          .filter(({ type }) => !type.startsWith('payment_intent'))
        const statuses: number[] = []
        for (const event of told) statuses.push((await world.deliver(event, { ...(as && { as }) })).status)
        return statuses.join(' ')
      }
      case 'webhooks': {
        const events = eventsOf(asked.transfer)
        if (asked.from === 'last') events.reverse()
        const statuses: number[] = []
        for (const event of events) {
          const copies = Array.from({ length: asked.copies }, () =>
            world.deliver(event, { ...(as && { as }) }),
          )
          statuses.push(...(await Promise.all(copies)).map(({ status }) => status))
        }
        return statuses.join(' ')
      }
      case 'forged webhook': {
        const event = eventsOf(asked.transfer).at(-1)
        if (!event) return 'no event'
        const before = JSON.stringify(world.sandbox.firestore.documents())
        const { status } = await world.deliver(event, {
          ...FORGERIES[asked.how](world.now()),
          ...(as && { as }),
        })
        expect(status, `answer to a webhook that is ${asked.how}`).not.toBe(200)
        if (isAlone) expect(JSON.stringify(world.sandbox.firestore.documents())).toBe(before)
        return String(status)
      }
      case 'sweep':
        return JSON.stringify((await world.invoke('sweep', {}, { ...(as && { as }) })).body)
      case 'callback': {
        const externalId = intentOf(asked.transfer)?.id
        if (!externalId) return 'no payment'
        const said = { externalId, status: 'FAILED', reason: 'PAYEE_NOT_FOUND' }
        return String((await world.invoke('delivery-callback', said, { ...(as && { as }) })).status)
      }
      default:
        return callAbout(asked, as)
    }
  }

  async function tryToPay(invoice: 0 | 1): Promise<readonly string[]> {
    const answers: string[] = []
    for (const [index, bill] of bills.entries())
      if (bill.invoice === invoice)
        answers.push(
          await step({
            do: 'pay',
            transfer: TRANSFERS + index,
            card: 'pm_card_visa',
            slowly: false,
            stays: true,
          }),
        )
    return answers
  }

  async function step(asked: Step): Promise<string> {
    switch (asked.do) {
      case 'pay': {
        // Cards are shown to who opens the form anew.
        const preparing =
          secrets.has(asked.transfer) && !asked.kept
            ? ''
            : `${await callAbout({ do: 'start', transfer: asked.transfer })}, `
        const id = secrets.get(asked.transfer)
        if (!id) return preparing
        world.sandbox.stripe.slowNetworks(asked.slowly)
        const answer = await confirm(asked.transfer, id, asked)
        world.sandbox.stripe.slowNetworks(false)
        const paid = `${preparing}${typeof answer === 'object' ? answer.status : answer}`
        if (!asked.stays || typeof answer !== 'object' || answer.status !== 'succeeded') return paid
        return `${paid}, ${await callAbout({ do: 'record', transfer: asked.transfer })}`
      }
      case 'bank decides': {
        const id = secrets.get(asked.transfer)
        if (!id || !isProcessing(id)) return 'nothing to decide'
        world.sandbox.stripe.finishProcessing(id)
        return 'done'
      }
      case 'wait':
        world.pass(asked.ms)
        return ''
      case 'mtn':
        return stepOfMtn(asked.what)
      case 'by hand':
        return hands.step(asked.what)
      case 'other deployment':
        return otherDeployment()
      case 'supplier':
        await supply(asked.invoice, SUPPLIERS_CHANGE[asked.change](INVOICES[asked.invoice]))
        return asked.tried ? (await tryToPay(asked.invoice)).join(', ') : ''
      case 'declines': {
        const answers: string[] = []
        for (let n = 0; n < asked.times; n += 1)
          answers.push(
            await step({
              do: 'pay',
              transfer: asked.transfer,
              card: 'pm_card_visa_chargeDeclined',
              slowly: false,
            }),
          )
        return answers.join(' ')
      }
      case 'operator refunds':
        return refundByHand(asked.transfer, asked.part)
      case 'bank':
        return dispute(asked.transfer, asked.what)
      case 'account is deleted':
        await world.context.db.doc(`users/${uids[asked.person]}`).delete()
        return ''
      case 'comes back':
        return comeBack(asked.person)
      case 'operator':
        await OPERATOR[asked.what](world.context, uids[asked.person] ?? '', BY_OPERATOR)
        return ''
      default:
        return call(asked)
    }
  }

  /** What the person does in the card form. */
  async function confirm(index: number, id: string, { card, kept }: Pick<Payment, 'card' | 'kept'>) {
    if (!kept) return world.pay(id, card)
    const opened = forms.get(index)
    const form = opened ? await openCardForm(world, opened) : null
    const [saved] = form?.cards ?? []
    for (const { customer } of form?.cards ?? [])
      expect(ownerOfCustomer(customer), 'whose cards are shown').toBe(ownerOf(index))
    if (kept === 'removes' && saved) expect([200, 404]).toContain(await form?.remove(saved.id))
    const answer =
      kept === 'chooses' && form && saved
        ? await form.pay(id, saved.id)
        : kept === 'saves'
          ? await payAndSave(world, id, card)
          : await world.pay(id, card)
    if (typeof answer !== 'object' || answer.status !== 'requires_action') return answer
    const { status } = await answerBank(world, answer)
    return { status }
  }

  const ownerOfCustomer = (customer: Stripe.PaymentMethod['customer']) =>
    world.sandbox.stripe.customers().find(({ id }) => id === customer)?.metadata.uid

  /** Of who is gone no card is kept. */
  function checkGone() {
    for (const { id, customer } of world.sandbox.stripe.paymentMethods())
      expect(gone, `for whom the card ${id} is kept`).not.toContain(ownerOfCustomer(customer) ?? '')
  }

  async function comeBack(who: 0 | 1): Promise<string> {
    const uid = uids[who] ?? ''
    const answer = await world.invoke('delete-account', {}, { token: await world.token(uid) })
    if (answer.status !== 200) return `${answer.status} ${answer.body.code}`
    const back = await world.person({}, uid)
    gone.add(uid)
    uids[who] = back
    accountsOf[who]?.push(back)
    checkouts.delete(who)
    return 'done'
  }

  /** All that the provider has told, to one of the two deployments. */
  async function tellAll(to: World) {
    for (const event of world.sandbox.stripe.events()) expect((await to.deliver(event)).status).toBe(200)
  }

  /** Nothing of what is another one's is written down or paid back. */
  async function otherDeployment(): Promise<string> {
    const refunded = world.sandbox.stripe.refunds().length
    await tellAll(other)
    const swept = JSON.stringify((await other.invoke('sweep', {})).body)
    if (isAlone) {
      const written = Object.keys(other.sandbox.firestore.documents())
      expect(written.filter((path) => !path.startsWith('settings/'))).toEqual([])
      expect(world.sandbox.stripe.refunds()).toHaveLength(refunded)
    }
    return swept
  }

  /** Charges that somebody else had a hand in before they were recorded, with nothing else under way. */
  const reversed = new Set<string>()
  async function noteReversal(id: string) {
    const { transactions, invoicePayments } = await world.records()
    if (isAlone && !transactions.has(id) && !invoicePayments.has(id)) reversed.add(id)
  }

  function intentOf(index: number) {
    const key = attemptKey(ownerOf(index), attemptOf(index))
    return world.sandbox.stripe.paymentIntents().find(({ metadata }) => metadata.attemptKey === key)
  }

  function stepOfMtn(what: MtnStep): string {
    const { mtn } = world.sandbox
    if (what === 'is empty') mtn.fill(-mtn.balance())
    if (what === 'is filled') mtn.fill(100_000_000)
    if (what === 'ends tokens') mtn.endTokens()
    if (what === 'forgets reasons') mtn.forgetReasons()
    if (what === 'decides: arrived' || what === 'decides: failed')
      for (const { reference, status } of mtn.transfers())
        if (status === 'PENDING' || status === 'CREATED')
          mtn.decide(reference, what === 'decides: failed' ? 'PAYEE_NOT_FOUND' : null)
    return 'done'
  }

  const hands = createHands(world)

  /** Charges of which some went back, or may. */
  const reversedCharges = () => {
    const { stripe } = world.sandbox
    const back = stripe
      .refunds()
      .flatMap(({ payment_intent: id, status }) => (status === 'failed' ? [] : [id]))
    const contested = stripe.charges().flatMap(({ payment_intent: id, disputed }) => (disputed ? [id] : []))
    return new Set([...back, ...contested])
  }

  /** Whatever is paid out from now on has a charge that is whole now, and nobody warns of or reviews unheard. */
  function watchPayouts(): (records: Records) => void {
    if (!payOut) return () => {}
    // A refund that has failed by now is told so with the next call.
    world.sandbox.stripe.bill()
    const before = new Set(world.takenPayouts().map(({ reference }) => reference))
    const reversed = reversedCharges()
    const doubts = world.doubts()
    return ({ deliveries }: Records) => {
      for (const { reference, transferId } of world.takenPayouts()) {
        if (before.has(reference)) continue
        expect(reversed.has(transferId), `${transferId} is paid out after its charge went back`).toBe(false)
        const { lifted = [] } = deliveries.get(transferId) ?? {}
        const open = (doubts.get(transferId) ?? []).filter((cause) => !lifted.includes(cause))
        expect(open, `what speaks against paying ${transferId} out`).toEqual([])
      }
    }
  }

  /** Charges that a bank contested or warned of. */
  const contested = new Map<string, string>()

  /** Whoever paid with such a card is stopped under their number too, unless an operator or the bank took it back. */
  function checkStopped({ restrictions }: Records) {
    for (const [cause, intentId] of contested) {
      if (world.sandbox.stripe.disputes().some(({ id, status }) => id === cause && status === 'won')) continue
      const uid = world.sandbox.stripe.paymentIntents().find(({ id }) => id === intentId)?.metadata.uid ?? ''
      for (const name of personKeys(world.context, world.callerOf(uid))) {
        const { open = [], lifted = [] } = restrictions.get(name) ?? {}
        expect([...open, ...lifted], `what stops ${name}, whose card is contested`).toContain(cause)
      }
    }
  }

  /** The payment of this transfer, or if it was not charged, the first that was. */
  function chargedIntent(index: number) {
    const every = [index, ...Array.from({ length: TRANSFERS + BILLS }, (_, one) => one)]
    return every.map(intentOf).find((intent) => intent?.status === 'succeeded')
  }

  async function refundByHand(index: number, isPart: boolean): Promise<string> {
    const intent = chargedIntent(index)
    if (!intent) return 'nothing to refund'
    const byHand = crypto.randomUUID()
    return world.context.stripe.refunds
      .create(
        { payment_intent: intent.id, metadata: { byHand }, ...(isPart && { amount: 500 }) },
        { idempotencyKey: `hand:${byHand}` },
      )
      .then(
        async () => {
          await noteReversal(intent.id)
          return 'done'
        },
        ({ code }) => `refused: ${code}`,
      )
  }

  async function dispute(index: number, what: BankStep): Promise<string> {
    const { stripe } = world.sandbox
    const intent = chargedIntent(index)
    if (!intent) return 'nothing to dispute'
    if (what === 'warns') {
      contested.set(stripe.warnOfFraud(intent.id), intent.id)
      return 'done'
    }
    if (what === 'approves') {
      const review = stripe.reviews().find(({ open, payment_intent: id }) => open && id === intent.id)
      if (!review) return 'nothing to approve'
      await world.context.stripe.reviews.approve(review.id)
      return 'done'
    }
    if (what === 'disputes') {
      const begun = stripe.dispute(intent.id)
      if (begun) contested.set(begun, intent.id)
      if (stripe.charges().some(({ id, disputed }) => id === intent.latest_charge && disputed))
        await noteReversal(intent.id)
      return 'done'
    }
    const open = stripe
      .disputes()
      .find(({ payment_intent: id, status }) => id === intent.id && status === 'needs_response')
    if (!open) return 'nothing to decide'
    const said = what === 'is convinced' ? 'winning_evidence' : 'losing_evidence'
    await world.context.stripe.disputes.update(open.id, { evidence: { uncategorized_text: said } })
    return 'done'
  }

  /** Whether it still is: the bank may have sent a refund back, and after that we may give back what could not be paid out. */
  const isReversed = (id: string) =>
    world.sandbox.stripe
      .refunds()
      .some(
        ({ payment_intent: of, status, metadata }) => of === id && status !== 'failed' && metadata.byHand,
      ) || world.sandbox.stripe.disputes().some(({ payment_intent: of }) => of === id)

  /** What went back, or is contested, before it was recorded is never recorded. */
  function checkReversals({ transactions, invoicePayments }: Records) {
    for (const id of reversed) {
      const isRecorded = transactions.has(id) || invoicePayments.has(id)
      // What came back to us may be recorded, and contested once more after that.
      if (isRecorded && !isReversed(id)) reversed.delete(id)
      else if (isReversed(id)) expect(isRecorded, `${id} is recorded`).toBe(false)
    }
  }

  const isProcessing = (id: string) =>
    world.sandbox.stripe.paymentIntents().some((intent) => intent.id === id && intent.status === 'processing')

  /** Whether nothing else happens at the same time. */
  let isAlone = true
  async function act(action: Action): Promise<string> {
    isAlone = action.do !== 'meanwhile' && action.do !== 'together'
    switch (action.do) {
      case 'dies': {
        const { context, life } = crashAt(world.context, action.step, action.moment)
        const answer = await call(action.call, context)
        return life.dead ? `${answer} (dead)` : answer
      }
      case 'meanwhile': {
        const answers: string[] = []
        if (action.paid && 'transfer' in action.call)
          answers.push(
            await step({ do: 'pay', transfer: action.call.transfer, card: 'pm_card_visa', slowly: false }),
          )
        const note = (work: Promise<string>) => work.then((answer) => void answers.push(answer))
        await world.interrupted(
          action.request,
          () => note(call(action.call)),
          () => note(step(action.other)),
        )
        return answers.join(' | ')
      }
      case 'together':
        return (await Promise.all(action.calls.map((one) => call(one)))).join(' | ')
      case 'fails': {
        world.sandbox.faults.add(action.fault)
        const answer = await call(action.call)
        world.sandbox.faults.reset()
        return answer
      }
      default:
        return step(action)
    }
  }

  function checkAllowances({ attempts, users }: Records) {
    for (const uid of accountsOf.flat()) {
      const { tier, lastReset, transactionsLeft } = subscriptionOf(users.get(uid))
      if (!users.has(uid) || tier === null || lastReset === null) continue
      const taken = [...attempts.values()].filter(
        (attempt) => attempt.uid === uid && attempt.slotPeriod === lastReset,
      )
      const ofPeriod = (of: string) => taken.filter(({ status }) => status === of).length
      // What another plan made the price of was not taken from this one's.
      for (const { attemptId, transfer } of taken)
        expect(['coupon', tier], `the price of ${attemptId}, taken from ${tier}`).toContain(
          transfer.quote.feeRule,
        )
      const first = firstPeriods.get(uid)
      const isFirst = lastReset === first?.lastReset && tier === first.tier
      const allowance = isFirst ? first.transactionsLeft : PLANS[tier].allowance
      expect((transactionsLeft ?? 0) + ofPeriod('recorded'), `the allowance of ${uid}`).toBe(allowance)
      expect(ofPeriod('reserved'), `reserved transfers of ${uid}`).toBeLessThanOrEqual(transactionsLeft ?? 0)
    }
  }

  /** What a person uses of a month's cap is what all of their accounts do, until some time after the month. */
  function checkCapUses({ ledgers, capUses }: Records) {
    for (const accounts of accountsOf)
      for (const month of new Set([...ledgers.values()].map((ledger) => ledger.month))) {
        const mine = [...ledgers.values()].filter(
          (ledger) => ledger.month === month && accounts.includes(ledger.uid),
        )
        if (mine.length === 0) continue
        const cents = (of: 'recordedCents' | 'reservedCents') =>
          mine.reduce((sum, ledger) => sum + ledger[of], 0)
        const own = { recordedCents: cents('recordedCents'), reservedCents: cents('reservedCents') }
        const [uid = ''] = accounts
        const within = `EUR cents that ${accounts.join(' and ')} took in ${month}`
        expect(own.recordedCents + own.reservedCents, within).toBeLessThanOrEqual(CAP)
        for (const person of personKeys(world.context, world.callerOf(uid)).slice(1)) {
          const use = capUses.get(`${person}_${month}`)
          const used = use && { recordedCents: use.recordedCents, reservedCents: use.reservedCents }
          const isOver = monthRange(month).end <= world.now() - 6 * HOUR
          if (used || !isOver) expect(used, `the cap of ${uid} in ${month}`).toEqual(own)
        }
      }
  }

  /** What a transfer of the plan is taken from is never newer than the month in which the transfer counts. */
  function checkSlots({ attempts }: Records) {
    for (const { month, slotPeriod, attemptId } of attempts.values())
      if (slotPeriod !== null)
        expect(month >= monthOf(slotPeriod), `the month of ${attemptId} and of its allowance`).toBe(true)
  }

  /** Nobody begins the same transfer twice without having been asked, from whichever tab. */
  function checkDuplicates({ attempts, transactions }: Records) {
    const kept = [...attempts.values()].filter(({ status }) => status === 'reserved' || status === 'recorded')
    const wasAsked = (attempt: TransferAttempt, about: TransferAttempt) =>
      (agreedTo.get(attempt.attemptId) ?? []).some(
        ({ id, at }) => id === about.attemptId || id === about.paymentIntentId || at >= about.createdAt,
      )
    for (const later of kept)
      for (const first of kept) {
        const isSame = first.uid === later.uid && first.transfer.phone === later.transfer.phone
        const { minor, currency } = first.transfer.gross
        const { gross } = later.transfer
        if (first === later || !isSame || minor !== gross.minor || currency !== gross.currency) continue
        const paid = transactions.get(first.paymentIntentId ?? '')
        const paidAt = paid ? parseTransaction(paid).settledAt : null
        const isLong = paidAt !== null && later.createdAt - paidAt > RECENT_FOR
        // Of two that began within what clocks differ by either may have come second.
        const isAbout = later.createdAt - first.createdAt <= MINUTE
        if (first.createdAt > later.createdAt || isLong) continue
        const isAsked = wasAsked(later, first) || (isAbout && wasAsked(first, later))
        expect(isAsked, `asked about ${first.attemptId} before ${later.attemptId}`).toBe(true)
      }
  }

  /** Suppliers find what they wrote, and nothing of ours among it. */
  function checkIssued({ invoices }: Records) {
    for (const [id, invoice] of issued)
      expect(invoices.get(id), `what the supplier wrote of ${id}`).toEqual(invoice)
  }

  /** Nobody else can begin to pay an invoice while an attempt is open. */
  function checkHolds({ invoiceAttempts, invoiceClaims }: Records) {
    for (const [key, { status, invoice }] of invoiceAttempts) {
      const holder = invoiceClaims.get(`${invoice.supplier}_${invoice.reference}`)?.heldBy
      if (status === 'reserved') expect(holder, 'who holds the invoice').toBe(key)
    }
  }

  /** The month's transfers, added up with and without the index, are what its ledger says. */
  async function checkSums({ ledgers }: Records) {
    for (const { uid, month, recordedCents } of ledgers.values()) {
      const sum = () => sumOfMonth(world.context, uid, month)
      expect(await sum(), `the sum of ${uid} for ${month}`).toBe(recordedCents)
      world.sandbox.faults.add({ on: `${DOCUMENTS}:runQuery`, times: 1, what: { kind: 'noIndex' } })
      expect(await sum(), `the sum of ${uid} for ${month} without the index`).toBe(recordedCents)
    }
  }

  /** What cards paid and what the records say come to the same, each day. */
  async function checkBooks() {
    const days = new Set(
      world.sandbox.stripe.charges().map(({ created }) => Math.floor((created * 1000) / DAY) * DAY),
    )
    for (const day of days) {
      const { differences } = await reconcile(world.context, day)
      expect(differences, `what does not add up of ${new Date(day).toISOString()}`).toEqual([])
    }
  }

  /** Banks decide about refunds later, and nobody tells: the sweep asks once a day. */
  async function passDaysOfRefunds() {
    const { stripe } = world.sandbox
    if (stripe.refunds().length + stripe.disputes().length === 0) return
    for (let days = 0; days < 2; days += 1) {
      world.pass(DAY)
      history.push(`a day later  →  ${JSON.stringify((await world.invoke('sweep', {})).body)}`)
    }
  }

  /** What is paid out is asked about once an hour at least: MTN decides, and its account has enough. */
  async function passTimeOfPayouts() {
    stepOfMtn('is filled')
    for (let hours = 0; hours < 5; hours += 1) {
      stepOfMtn('decides: arrived')
      world.pass(HOUR)
      history.push(`an hour later  →  ${JSON.stringify((await world.invoke('sweep', {})).body)}`)
    }
  }

  return {
    history,
    async act(action: Action) {
      world.pass(1000)
      const line = history.push(JSON.stringify(action)) - 1
      const checkPayouts = watchPayouts()
      history[line] += `  →  ${await act(action)}`
      const records = await world.checkInvariants({ requests: world.providerRequests })
      checkPayouts(records)
      checkAllowances(records)
      checkHolds(records)
      checkDuplicates(records)
      checkIssued(records)
      checkSlots(records)
      checkCapUses(records)
      checkPlans(records)
      checkReversals(records)
      hands.check(records)
    },
    /** A long time later: banks have decided, and of everything else only the sweep still works. */
    async untilIdle() {
      world.sandbox.faults.reset()
      for (const { id } of world.sandbox.stripe.paymentIntents())
        if (isProcessing(id)) world.sandbox.stripe.finishProcessing(id)
      world.pass(quietFor)
      history.push(`${quietFor / MINUTE} minutes later`)
      for (let runs = 0; runs < 2; runs += 1) await world.invoke('sweep', {})
      if (payOut) await passTimeOfPayouts()
      await passDaysOfRefunds()
      const records = await world.checkInvariants({ requests: world.providerRequests, quiet: true })
      checkAllowances(records)
      checkReversals(records)
      checkGone()
      checkStopped(records)
      await checkSums(records)
      await checkBooks()
    },
  }
}

const OPERATOR = { stops: pausePaying, 'lets pay': liftPause }

const RECIPIENTS = {
  GN: { recipientPhone: '+224620000000', receivingMethod: 'orange_money' },
  FR: { recipientPhone: '+33612345678', receivingMethod: 'wero' },
  CA: { recipientPhone: '+15145550100', receivingMethod: 'interac' },
} satisfies Record<CountryCode, object>

/** By the test numbers of MTN's sandbox. */
const MTN_NUMBERS = {
  arrives: '+224660000000',
  'is pending': '+224660000453',
  'is unknown': '+224660000457',
} as const

const INVOICES = [
  {
    supplier: 'edf',
    reference: '6012-1001',
    amount: 84.5,
    currency: 'EUR',
    dueDate: '2026-11-30',
    status: 'due',
  },
  {
    supplier: 'edf',
    reference: '6012-1002',
    amount: 19.99,
    currency: 'EUR',
    dueDate: '2026-12-30',
    status: 'due',
  },
] as const

type Issue = Omit<(typeof INVOICES)[number], 'supplier' | 'reference'>

const issueOf = ({ amount, currency, dueDate, status }: Issue) => ({ amount, currency, dueDate, status })

/** What happens to an invoice outside of the product, whatever became of it here. */
const SUPPLIERS_CHANGE = {
  raises: (issue: Issue) => ({ ...issueOf(issue), amount: 90.01 }),
  'was paid': (issue: Issue) => ({ ...issueOf(issue), status: 'paid' }),
  'takes back': (issue: Issue) => ({ ...issueOf(issue), dueDate: null }),
  'imports it again': issueOf,
  'imports it without a status': ({ amount, currency, dueDate }: Issue) => ({ amount, currency, dueDate }),
  'changes the date': (issue: Issue) => ({ ...issueOf(issue), dueDate: '2026-12-15' }),
  'asks for the next one': (issue: Issue) => ({ ...issueOf(issue), dueDate: '2027-01-30' }),
}

const FORGERIES = {
  unsigned: () => ({ secret: 'whsec_somebody_else' }),
  stale: (now: number) => ({ signedAt: now - 10 * MINUTE }),
  future: (now: number) => ({ signedAt: now + 10 * MINUTE }),
}

function subscriptionFor({ plan, left, endsIn, refilled }: Person, startsAt: number): Partial<Subscription> {
  if (!plan) return {}
  const lastReset = refilled === 'this month' ? startsAt - HOUR : startsAt - 40 * DAY
  return {
    tier: plan,
    status: endsIn === null ? 'active' : 'canceled',
    transactionsLeft: left,
    startDate: startsAt - 60 * DAY,
    lastReset,
    cancelAt: endsIn === null ? null : startsAt + endsIn,
  }
}
