import type { Settlement, StartedPayment } from '../domain/api/api.ts'
import type { Result } from '../domain/common/result.ts'
import type { FunctionFailure } from '../domain/errors/failure.ts'
import type { RefusalProblem } from '../domain/errors/refusals.ts'

/** transfer.ts and invoice.ts each define these types once. */
export interface CheckoutParts {
  readonly payer: { readonly uid: string }
  readonly draft: object
  /** A valid form, which the user confirms and pays. */
  readonly order: unknown
  readonly problem: { readonly field: string }
  readonly refusal: { readonly kind: string }
  readonly receipt: unknown
  /** `never` if the user is not asked about duplicates. */
  readonly duplicate: { readonly id: string }
}

/** One intention to pay, charged at most once, however often it is sent. Plain data. */
export interface CheckoutAttempt<Parts extends CheckoutParts> {
  readonly id: string
  readonly draft: Parts['draft']
  /** Another order needs another attempt. */
  readonly order: Parts['order']
  /** The duplicate that the user has confirmed. */
  readonly again: string | null
}

export interface OpenCardPayment {
  readonly clientSecret: string
  readonly paymentIntentId: string
  /** Shows the user's saved cards, once; null without saved cards. */
  readonly customerSession: string | null
}

/** After `attemptEnded`, which charged nothing, the next confirmation makes a new attempt. */
export const COMMON_REFUSALS = [
  ...(['userNotFound', 'nameRequired', 'emailUnverified', 'attemptEnded', 'attemptConflict'] as const),
  ...(['tooManyRequests', 'tooManyDeclines', 'paymentsPaused', 'paymentsClosed'] as const),
] as const

export type CommonRefusal =
  | RefusalProblem<(typeof COMMON_REFUSALS)[number]>
  | { readonly kind: 'sessionExpired' }
  /** Trying again is safe. */
  | { readonly kind: 'initFailed' }
  /** Another code, for which the user at most reads a text. */
  | { readonly kind: 'refused'; readonly failure: FunctionFailure }

export type PartsRefusal<Parts extends CheckoutParts> = CommonRefusal | Parts['refusal']

export type ReserveAnswer<Parts extends CheckoutParts> = Result<StartedPayment, PartsRefusal<Parts>>

/** The answer proves nothing: the server asks the provider itself. */
export type CardAnswer =
  | { readonly kind: 'answered'; readonly status: string }
  | { readonly kind: 'cardInvalid' }
  | { readonly kind: 'declined'; readonly reason: string; readonly message: string }

export type RecordAnswer<Parts extends CheckoutParts> =
  | { readonly outcome: 'paid'; readonly receipt: Parts['receipt'] }
  | Exclude<Settlement, { readonly outcome: 'paid' }>

export type ReleaseAnswer<Parts extends CheckoutParts> =
  | { readonly outcome: 'released' }
  | RecordAnswer<Parts>

export interface SearchInput {
  readonly uid: string
  /** The form whose attempt is wanted; null: any that may be open. */
  readonly draftId: string | null
}

export interface AttemptInput {
  readonly uid: string
  readonly attemptId: string
}

/** Named as in section 8 of the specification where that has it. */
export type CheckoutProblem<Parts extends CheckoutParts> = CommonProblem | Parts['refusal']

export type CommonProblem =
  | CommonRefusal
  | { readonly kind: 'offline' }
  | { readonly kind: 'cardInvalid' }
  /** The card was declined. */
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }
  | { readonly kind: 'notCharged' }
  | { readonly kind: 'statusUnclear' }
  /** The device can't tell whether a payment was begun; nothing can be paid. */
  | { readonly kind: 'lookingUp' }
  /** Nothing is charged until the user acts; the same attempt can be paid again. */
  | { readonly kind: 'bankUnfinished' }
  | { readonly kind: 'stillChecking' }
  | { readonly kind: 'refunded' }
  | { readonly kind: 'disputed' }

export type CheckedForm<Parts extends CheckoutParts> = Result<Parts['order'], readonly Parts['problem'][]>

export interface PriceChange<Parts extends CheckoutParts> {
  readonly before: Parts['order']
  readonly after: Parts['order']
}

/** Determined once per press; decides the next state. */
export interface Confirmation<Parts extends CheckoutParts> {
  /** Unused if the open attempt is for the same order. */
  readonly attemptId: string
  /** The instant (UTC ms) whose price is paid. */
  readonly at: number
  readonly checked: CheckedForm<Parts>
  /** The price differs from the one shown at the press. */
  readonly change: PriceChange<Parts> | null
  /** Null if the user has just been asked about it. */
  readonly duplicate: Parts['duplicate'] | null
}

export interface CheckoutRules<Parts extends CheckoutParts> {
  readonly id: string
  readonly emptyDraft: Parts['draft']
  /** Whether clearing the form would lose nothing that the user typed. */
  readonly isEmpty: (draft: Parts['draft']) => boolean
  readonly change: (draft: Parts['draft'], patch: Partial<Parts['draft']>) => Parts['draft']
  readonly filterProblems: (
    problems: readonly Parts['problem'][],
    patch: Partial<Parts['draft']>,
  ) => readonly Parts['problem'][]
  /** The user must repeat each confirmation in a form read from the device. */
  readonly restore: (draft: Parts['draft']) => Parts['draft']
  /** Replaces a form that was sent. */
  readonly createEmptyDraft: (draft: Parts['draft']) => Parts['draft']
  /** `at`: now, in UTC ms. `own`: the order of the attempt open in this form. */
  readonly check: (
    draft: Parts['draft'],
    payer: Parts['payer'],
    at: number,
    own: Parts['order'] | null,
  ) => CheckedForm<Parts>
  readonly isSameForm: (one: Parts['draft'], other: Parts['draft']) => boolean
  /** Whether the server would accept both as the same attempt. */
  readonly isSameOrder: (one: Parts['order'], other: Parts['order']) => boolean
  /** Null if the server refuses duplicates without asking the user. */
  readonly duplicates: {
    readonly find: (
      order: Parts['order'],
      recent: readonly Parts['duplicate'][],
      at: number,
    ) => Parts['duplicate'] | null
    /** Sent by any device; null for other refusals. */
    readonly getRefused: (refusal: PartsRefusal<Parts>) => Parts['duplicate'] | null
    /** The ID of a form that has another attempt, which is open or was charged; null for other refusals. */
    readonly getSentDraftId: (refusal: PartsRefusal<Parts>) => string | null
  } | null
  /** Null if prices are fixed. */
  readonly prices: {
    readonly isSame: (one: Parts['order'], other: Parts['order']) => boolean
    /** Newer facts from a refusal, and their instant (UTC ms, null if unknown); null if it has none. */
    readonly applyRefusal: (
      payer: Parts['payer'],
      refusal: PartsRefusal<Parts>,
    ) => { readonly profile: Parts['payer']; readonly at: number | null } | null
    readonly releaseReservation: (payer: Parts['payer'], order: Parts['order']) => Parts['payer']
  } | null
  readonly isAttemptOver: (refusal: PartsRefusal<Parts>) => boolean
}

/** `restored`: never sent. `attempt`: restored from a resumed attempt, which may be paid. */
export type DraftOrigin = 'typed' | 'restored' | 'attempt'

export interface CheckoutInput<Parts extends CheckoutParts> {
  readonly profile: Parts['payer']
  readonly isOnline: boolean
  /** UTC ms by the server's clock, like every instant in the machine. */
  readonly at: number
  readonly draft?: Parts['draft']
}

export interface CheckoutContext<Parts extends CheckoutParts> {
  readonly profile: Parts['payer']
  /** The instant (UTC ms) of the price shown. */
  readonly at: number
  readonly isOnline: boolean
  readonly draft: Parts['draft']
  readonly origin: DraftOrigin
  /** Whether every open attempt of this device is known. */
  readonly isSearched: boolean
  /** A form that is restored or has another attempt, until the server has said whether it was paid. */
  readonly unclearDraftId: string | null
  readonly confirmation: Confirmation<Parts> | null
  readonly problems: readonly Parts['problem'][]
  readonly problem: CheckoutProblem<Parts> | null
  /** Since the user last saw the price; null if typing has caused the change. */
  readonly change: PriceChange<Parts> | null
  /** Stays after most refusals, so that confirming the same order again can't charge it twice. */
  readonly attempt: CheckoutAttempt<Parts> | null
  /** Must not come back as a form that was never sent. */
  readonly chargedDraft: Parts['draft'] | null
  /** The order before the user changed it; released before the new attempt is reserved. */
  readonly formerAttemptId: string | null
  /** The user left it with an unclear outcome; not reported as unpaid until the server says so. */
  readonly unclearAttemptId: string | null
  /** The secret must not be stored on the device. */
  readonly payment: OpenCardPayment | null
  readonly unclearAnswers: number
  readonly receipt: Parts['receipt'] | null
  readonly duplicate: Parts['duplicate'] | null
}

export type CheckoutEvent<Parts extends CheckoutParts> =
  | { type: 'draft.change'; patch: Partial<Parts['draft']> }
  /**
   * The stored form, which the user confirms at the current price. `draftId`: the form's ID in its attempts,
   * about which the server is asked; null if it can't be paid as it is.
   */
  | { type: 'draft.restore'; draft: Parts['draft']; draftId: string | null }
  | { type: 'draft.clear' }
  /** `attemptId`: a new UUID. `at`: now, in UTC ms. `recent`: this device's payments from every tab. */
  | { type: 'form.confirm'; attemptId: string; at: number; recent: readonly Parts['duplicate'][] }
  | { type: 'duplicate.confirm'; attemptId: string; at: number }
  | { type: 'duplicate.cancel' }
  | { type: 'payment.submit' }
  | { type: 'payment.close' }
  | { type: 'outcome.check' }
  | { type: 'outcome.leave' }
  | { type: 'receipt.close' }
  | { type: 'problem.dismiss' }
  /** Omitted fields are unchanged. */
  | { type: 'profile.changed'; profile: Partial<Parts['payer']> }
  /** `at`: now, in UTC ms. */
  | { type: 'time.passed'; at: number }
  | { type: 'network.lost' }
  | { type: 'network.restored' }
