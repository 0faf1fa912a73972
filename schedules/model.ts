import type { Fault } from 'service-emulators/faults'
import type { Tier } from '../domain/account/profileSchema.ts'
import { MINUTE } from '../domain/common/duration.ts'
import type { SourceCurrency } from '../domain/money/money.ts'
import type { CountryCode } from '../domain/numbers/destinations.ts'
import type { CrashMoment } from '../netlify/testing/crashingContext.ts'
import { WORLD_START } from '../netlify/testing/world.ts'
import type { OperatorStep } from './payoutOperator.ts'

// A schedule is plain data, so that fast-check can shorten it and a developer can read it.

export interface Payer {
  readonly plan: Tier | null
  readonly left: number
  /** When the paid period ends, in ms from the start; null for a plan that is renewed. */
  readonly endsAfter: number | null
  readonly refilled: 'this month' | 'last month'
  /** Published ID of a card saved earlier. */
  readonly keptCard: string | null
}

export interface Transfer {
  readonly by: 0 | 1
  readonly amount: number
  readonly currency: SourceCurrency
  readonly to: CountryCode
  readonly coupon: string | null
  /** The outcome at MTN if transfers to Guinea are paid out. */
  readonly payee: keyof typeof MTN_NUMBERS
  readonly isListed: boolean
  /** Whether its form is also that of the payer's other transfers with this flag. */
  readonly sharesForm: boolean
}

interface Bill {
  readonly by: 0 | 1
  readonly invoice: 0 | 1
}

export interface ScheduleSetting {
  readonly startsAt: number
  readonly payOut: boolean
  readonly screens: boolean
  /** In ms. */
  readonly cancellationWindow: number
  /** Maximum use of a month without an approved document, in EUR cents; null without a limit. */
  readonly identityLimit: number | null
  /** How long to wait after the last action, in ms. */
  readonly quietFor: number
  /** The seed of all latencies; null for calls that take no time. */
  readonly latencySeed: number | null
  readonly people: readonly [Payer, Payer]
  readonly transfers: readonly Transfer[]
  readonly bills: readonly Bill[]
}

export type TransferCall = {
  readonly do: 'start' | 'record' | 'cancel'
  readonly transfer: number
  readonly as?: 'other' | 'expired'
  /** The browser or its network dies before the answer arrives. */
  readonly unheard?: boolean
  /** The handling instance's clock is a minute behind. */
  readonly behind?: boolean
}

export interface CancellationCall {
  readonly do: 'undo'
  readonly transfer: number
  readonly as?: 'other' | 'expired'
  readonly behind?: boolean
}

export type PlanCall =
  | { readonly do: 'subscribe'; readonly person: 0 | 1; readonly tier: Tier }
  | { readonly do: 'verify'; readonly person: 0 | 1 }
  | { readonly do: 'end plan'; readonly person: 0 | 1; readonly as?: 'other' }

/**
 * Actions of the cardholder's bank: dispute a charge, decide for us or for its customer, return all or a part
 * of what it took after all, or only warn. Or an operator approves a charge under review.
 */
export type BankStep =
  | ('disputes' | 'is convinced' | 'takes it' | 'gives it back' | 'gives a part back')
  | ('warns' | 'approves')

export type Call =
  | TransferCall
  | CancellationCall
  | PlanCall
  | { readonly do: 'plan webhooks'; readonly person: 0 | 1 }
  /** Stripe's events about a transfer, in order or reversed, this many times concurrently. */
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
  | { readonly do: 'due-work' }
  /** The callback's claim may be false. */
  | { readonly do: 'callback'; readonly transfer: number }

export type MtnStep =
  | ('decides: arrived' | 'decides: failed' | 'is empty' | 'is filled')
  | ('ends tokens' | 'forgets reasons')

export type Step =
  | Call
  | {
      readonly do: 'pay'
      readonly transfer: number
      readonly card: string
      readonly slowly: boolean
      readonly stays?: boolean
      /**
       * `saves`: saves the card. `chooses`: pays with the saved card. `removes`: removes the saved card and
       * pays with `card`. In each case the user also completes 3-D Secure.
       */
      readonly kept?: 'saves' | 'chooses' | 'removes'
    }
  | { readonly do: 'mtn'; readonly what: MtnStep }
  | { readonly do: 'by hand'; readonly what: OperatorStep }
  | { readonly do: 'list'; readonly what: 'fails' | 'works' | 'releases' | 'refuses' }
  /** Another deployment with the same Stripe account receives all events and runs the due-work job. */
  | { readonly do: 'other deployment' }
  | { readonly do: 'bank decides'; readonly transfer: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'account is deleted'; readonly person: 0 | 1 }
  /** A user deletes their account, if possible, and creates another one with the same number. */
  | { readonly do: 'comes back'; readonly person: 0 | 1 }
  /** A second account gets the user's first number. */
  | { readonly do: 'moves number'; readonly person: 0 | 1 }
  | { readonly do: 'operator'; readonly what: 'stops' | 'lets pay'; readonly person: 0 | 1 }
  | { readonly do: 'identity'; readonly person: 0 | 1; readonly becomes: keyof typeof DOCUMENTS }
  | { readonly do: 'declines'; readonly transfer: number; readonly times: number }
  /** In Stripe's dashboard. */
  | { readonly do: 'operator refunds'; readonly transfer: number; readonly part: boolean }
  | {
      readonly do: 'bank'
      readonly transfer: number
      readonly what: BankStep
    }
  | {
      readonly do: 'supplier'
      readonly invoice: 0 | 1
      readonly change: keyof typeof SUPPLIER_CHANGES
      readonly tried: boolean
    }

export type Payment = Extract<Step, { readonly do: 'pay' }>

export type Action =
  | Step
  | { readonly do: 'dies'; readonly moment: CrashMoment; readonly step: number; readonly call: Call }
  /** Runs another step while a request of the call waits; with `paid`, the call's transfer is paid first. */
  | {
      readonly do: 'meanwhile'
      readonly request: number
      readonly call: Call
      readonly paid: boolean
      readonly other: Step
    }
  | { readonly do: 'together'; readonly calls: readonly Call[] }
  | { readonly do: 'fails'; readonly fault: Fault; readonly call: Call }

export const DOCUMENTS = {
  pending: ['pending', '2035-01-31'],
  approved: ['approved', '2035-01-31'],
  rejected: ['rejected', '2035-01-31'],
  expired: ['approved', '2026-11-20'],
} as const

export const TRANSFER_COUNT = 5
export const INVOICE_COUNT = 3

export type Schedule = readonly [ScheduleSetting, readonly Action[]]

export const MTN_NUMBERS = {
  arrives: '+224660000000',
  'is pending': '+224660000453',
  'is unknown': '+224660000457',
} as const

export const INVOICES = [
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

export const buildInvoiceDocument = ({ amount, currency, dueDate, status }: Issue) => ({
  amount,
  currency,
  dueDate,
  status,
})

export const SUPPLIER_CHANGES = {
  raises: (issue: Issue) => ({ ...buildInvoiceDocument(issue), amount: 90.01 }),
  'was paid': (issue: Issue) => ({ ...buildInvoiceDocument(issue), status: 'paid' }),
  'takes back': (issue: Issue) => ({ ...buildInvoiceDocument(issue), dueDate: null }),
  'imports it again': buildInvoiceDocument,
  'imports it without a status': ({ amount, currency, dueDate }: Issue) => ({ amount, currency, dueDate }),
  'changes the date': (issue: Issue) => ({ ...buildInvoiceDocument(issue), dueDate: '2026-12-15' }),
  'asks for the next one': (issue: Issue) => ({ ...buildInvoiceDocument(issue), dueDate: '2027-01-30' }),
}

const PLAIN = {
  times: {
    ...{ startsAt: WORLD_START, payOut: false, screens: false, cancellationWindow: 0, identityLimit: null },
    ...{ quietFor: 31 * MINUTE, latencySeed: null },
  },
  person: { plan: null, left: 0, endsAfter: null, refilled: 'this month', keptCard: null } as Payer,
  transfer: {
    by: 0,
    amount: 50_000,
    currency: 'EUR',
    to: 'GN',
    coupon: null,
    payee: 'arrives',
    isListed: false,
    sharesForm: false,
  } as Transfer,
  bill: { by: 0, invoice: 0 } as Bill,
}

/** The stored form of a schedule: only the parts of the setting that differ from the default. */
export interface RecordedSchedule {
  readonly startsAt?: number
  readonly payOut?: boolean
  readonly screens?: boolean
  readonly cancellationWindow?: number
  readonly identityLimit?: number | null
  readonly quietFor?: number
  readonly latencySeed?: number | null
  readonly people?: readonly Partial<Payer>[]
  readonly transfers?: readonly Partial<Transfer>[]
  readonly bills?: readonly Partial<Bill>[]
  readonly actions: readonly Action[]
}

export function toSchedule(recorded: RecordedSchedule): Schedule {
  const { people = [], transfers = [], bills = [], actions: todo, ...times } = recorded
  const setting: ScheduleSetting = {
    ...PLAIN.times,
    ...times,
    people: [
      { ...PLAIN.person, ...people[0] },
      { ...PLAIN.person, ...people[1] },
    ],
    transfers: Array.from({ length: TRANSFER_COUNT }, (_, i) => ({ ...PLAIN.transfer, ...transfers[i] })),
    bills: Array.from({ length: INVOICE_COUNT }, (_, i) => ({ ...PLAIN.bill, ...bills[i] })),
  }
  return [setting, todo]
}

export function toRecordedSchedule([setting, todo]: Schedule): RecordedSchedule {
  const { people: described, transfers, bills, ...times } = setting
  return {
    ...changesTo(PLAIN.times, times),
    ...listChanges('people', described, PLAIN.person),
    ...listChanges('transfers', transfers, PLAIN.transfer),
    ...listChanges('bills', bills, PLAIN.bill),
    actions: todo,
  }
}

function listChanges<T extends object>(name: string, all: readonly T[], plain: T) {
  const changes = all.map((one) => changesTo(plain, one))
  const last = changes.findLastIndex((change) => Object.keys(change).length > 0)
  return last < 0 ? {} : { [name]: changes.slice(0, last + 1) }
}

const changesTo = <T extends object>(plain: T, one: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(one).filter(([field, value]) => plain[field as keyof T] !== value),
  ) as Partial<T>
