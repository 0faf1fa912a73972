import type { Settlement, StartedPayment } from '../domain/api/api.ts'
import type { Result } from '../domain/common/result.ts'

/**
 * The types of one kind of payment, by the names used throughout the checkout. transfer.ts and invoice.ts
 * each define them once.
 */
export interface CheckoutParts {
  /** The payer, with the data that the form's rules need. */
  readonly payer: { readonly uid: string }
  /** The form as typed. */
  readonly draft: object
  /** A valid form: the order that the user confirms and pays. */
  readonly order: unknown
  /** A problem with a field of the form. */
  readonly problem: { readonly field: string }
  /** Refusals specific to this kind of payment. */
  readonly refusal: { readonly kind: string }
  /** The paid item, as shown and stored. */
  readonly receipt: unknown
  /** A recent payment that may be the same; `never` if the user is not asked about duplicates. */
  readonly duplicate: { readonly id: string }
}

/** One intention to pay. The server charges it at most once, however often it is sent. Plain data. */
export interface Attempt<Parts extends CheckoutParts> {
  readonly id: string
  /** The form from which the attempt was made, to restore it after a restart. */
  readonly draft: Parts['draft']
  /** The promised order. Another order needs another attempt. */
  readonly order: Parts['order']
  /** ID of the duplicate that the user has confirmed; null if there was none. */
  readonly again: string | null
}

export interface OpenCardPayment {
  readonly clientSecret: string
  readonly paymentIntentId: string
  /**
   * Client secret of a customer session, with which the form shows the user's saved cards, once; null without
   * saved cards.
   */
  readonly customerSession: string | null
}

/** Refusals common to all payments. */
export type CommonRefusal =
  | { readonly kind: 'userNotFound' }
  /** The profile has no name. */
  | { readonly kind: 'nameRequired' }
  | { readonly kind: 'sessionExpired' }
  | { readonly kind: 'emailUnverified' }
  /** The attempt has ended without a charge; the next confirmation makes a new one. */
  | { readonly kind: 'attemptEnded' }
  | { readonly kind: 'attemptConflict' }
  /** The payment could not be prepared; trying again is safe. */
  | { readonly kind: 'initFailed' }
  /** `retryAfterSeconds`: whole seconds. */
  | { readonly kind: 'tooManyRequests'; readonly retryAfterSeconds: number }
  /** The user may not pay at present; the server gives no reason. */
  | { readonly kind: 'paymentsPaused' }
  /** Too many of the user's cards were declined, so none is accepted for this many seconds. */
  | { readonly kind: 'tooManyDeclines'; readonly retryAfterSeconds: number }
  /** Payments are closed for all users. */
  | { readonly kind: 'paymentsClosed' }
  /** Any other refusal, in the server's own words; empty if it has none. */
  | { readonly kind: 'refused'; readonly said: string }

/** Every refusal of one kind of payment. */
export type PartsRefusal<Parts extends CheckoutParts> = CommonRefusal | Parts['refusal']

/** The payment opened for an attempt, or the refusal. */
export type ReserveAnswer<Parts extends CheckoutParts> = Result<StartedPayment, PartsRefusal<Parts>>

/** The provider's answer to the card payment. It proves nothing: the server asks the provider itself. */
export type CardAnswer =
  | { readonly kind: 'answered'; readonly status: string }
  | { readonly kind: 'cardInvalid' }
  | { readonly kind: 'declined'; readonly reason: string; readonly message: string }

/** The server's answer about a payment, with the receipt of its kind. */
export type RecordAnswer<Parts extends CheckoutParts> =
  | { readonly outcome: 'paid'; readonly receipt: Parts['receipt'] }
  | Exclude<Settlement, { readonly outcome: 'paid' }>

export type ReleaseAnswer<Parts extends CheckoutParts> =
  | { readonly outcome: 'released' }
  | RecordAnswer<Parts>

/** Input of the search for a payment that the device may not know of. */
export interface SearchInput<Parts extends CheckoutParts> {
  readonly uid: string
  /** A restored form, whose attempts are wanted; null: any that may be open. */
  readonly restored: { readonly draftId: string; readonly draft: Parts['draft'] } | null
}

/** Input of the actors that ask the server about an attempt. */
export interface AttemptInput {
  readonly uid: string
  readonly attemptId: string
}

/** The problem shown above the form, named as in section 8 of the specification where that has it. */
export type CheckoutProblem<Parts extends CheckoutParts> = CommonProblem | Parts['refusal']

export type CommonProblem =
  | CommonRefusal
  | { readonly kind: 'offline' }
  | { readonly kind: 'cardInvalid' }
  /** The card was declined. */
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }
  | { readonly kind: 'notCharged' }
  | { readonly kind: 'statusUnclear' }
  /** The device can't tell whether a payment was begun, so the server is asked; nothing can be paid. */
  | { readonly kind: 'lookingUp' }
  /** The bank is waiting for the user. Nothing is charged until then; the same attempt can be paid again. */
  | { readonly kind: 'bankUnfinished' }
  /** The user has left the check of an outcome that is still unclear. */
  | { readonly kind: 'stillChecking' }
  | { readonly kind: 'refunded' }
  | { readonly kind: 'disputed' }

/** The form as an order, or its problems. */
export type CheckedForm<Parts extends CheckoutParts> = Result<Parts['order'], readonly Parts['problem'][]>

/** The order of one form at the old price and at the new one. */
export interface PriceChange<Parts extends CheckoutParts> {
  readonly before: Parts['order']
  readonly after: Parts['order']
}

/** Everything determined when the user confirms the form, once per press. It decides the next state. */
export interface Confirmation<Parts extends CheckoutParts> {
  /** ID for a new attempt; unused if the open attempt is for the same order. */
  readonly attemptId: string
  /** The instant (UTC ms) whose price is paid. */
  readonly at: number
  readonly checked: CheckedForm<Parts>
  /** The price differs from the one shown at the press. */
  readonly change: PriceChange<Parts> | null
  /** A recent payment that the order duplicates, unless the user has just been asked about it. */
  readonly duplicate: Parts['duplicate'] | null
}

/** Defines one kind of payment for the machine: its form, and how orders are compared. */
export interface CheckoutRules<Parts extends CheckoutParts> {
  /** The machine's ID. */
  readonly id: string
  readonly emptyDraft: Parts['draft']
  /** Whether clearing the form would lose nothing that the user typed. */
  readonly isEmpty: (draft: Parts['draft']) => boolean
  readonly change: (draft: Parts['draft'], patch: Partial<Parts['draft']>) => Parts['draft']
  /** Returns the shown problems that remain after a change. */
  readonly filterProblems: (
    problems: readonly Parts['problem'][],
    patch: Partial<Parts['draft']>,
  ) => readonly Parts['problem'][]
  /** Prepares a form read from the device for display. The user must repeat each confirmation in it. */
  readonly restore: (draft: Parts['draft']) => Parts['draft']
  /** Returns the empty form that replaces a form that was sent. */
  readonly createEmptyDraft: (draft: Parts['draft']) => Parts['draft']
  /** Checks the form. `at`: now, in UTC ms. `own`: the order of the attempt open in this form. */
  readonly check: (
    draft: Parts['draft'],
    payer: Parts['payer'],
    at: number,
    own: Parts['order'] | null,
  ) => CheckedForm<Parts>
  /** Whether both forms are the same payment. */
  readonly isSameForm: (one: Parts['draft'], other: Parts['draft']) => boolean
  /** Whether the server would accept both as the same attempt. */
  readonly isSameOrder: (one: Parts['order'], other: Parts['order']) => boolean
  /** How duplicates are recognized; null if the server refuses them without asking the user. */
  readonly duplicates: {
    readonly find: (
      order: Parts['order'],
      recent: readonly Parts['duplicate'][],
      at: number,
    ) => Parts['duplicate'] | null
    /**
     * Returns the duplicate that made the server refuse the order, whichever device sent it; null for other
     * refusals.
     */
    readonly getRefused: (refusal: PartsRefusal<Parts>) => Parts['duplicate'] | null
  } | null
  /**
   * How prices follow the payer's data, which may change elsewhere and with time. Null if prices are fixed.
   */
  readonly prices: {
    readonly isSame: (one: Parts['order'], other: Parts['order']) => boolean
    /**
     * Returns the payer with newer facts from a refusal, and their instant (UTC ms, null if unknown); null if
     * the refusal has none.
     */
    readonly applyRefusal: (
      payer: Parts['payer'],
      refusal: PartsRefusal<Parts>,
    ) => { readonly profile: Parts['payer']; readonly at: number | null } | null
    /** Returns the payer after the order has released what it reserved. */
    readonly releaseReservation: (payer: Parts['payer'], order: Parts['order']) => Parts['payer']
  } | null
  /** Whether a refusal ends the attempt. */
  readonly isAttemptOver: (refusal: PartsRefusal<Parts>) => boolean
}

/**
 * Origin of the form: `typed` by the user; `kept`: restored from the device, never sent; `attempt`: restored
 * from a resumed attempt, which may be paid.
 */
export type DraftOrigin = 'typed' | 'kept' | 'attempt'

export interface CheckoutInput<Parts extends CheckoutParts> {
  readonly profile: Parts['payer']
  readonly isOnline: boolean
  /** Now in UTC ms by the server's clock, like every instant in the machine. */
  readonly at: number
  /** Default: an empty form. */
  readonly draft?: Parts['draft']
}

export interface CheckoutContext<Parts extends CheckoutParts> {
  readonly profile: Parts['payer']
  /** The instant (UTC ms) of the price shown. */
  readonly at: number
  readonly isOnline: boolean
  readonly draft: Parts['draft']
  readonly origin: DraftOrigin
  /** Whether every open attempt of this device is known, from the device or from the server. */
  readonly isSearched: boolean
  /** ID of a restored form until the server has said whether it was paid; null otherwise. */
  readonly unclearDraftId: string | null
  /** The confirmation being handled; null once the next step is decided. */
  readonly confirmation: Confirmation<Parts> | null
  /** The problems of the form at the last confirmation. */
  readonly problems: readonly Parts['problem'][]
  readonly problem: CheckoutProblem<Parts> | null
  /** The change in price since the user last saw the price; null without one, or if typing has caused it. */
  readonly change: PriceChange<Parts> | null
  /**
   * The open attempt. It stays after most refusals, so that confirming the same order again can't charge it
   * twice.
   */
  readonly attempt: Attempt<Parts> | null
  /** The form of the attempt that was charged last; it must not come back as one that was never sent. */
  readonly chargedDraft: Parts['draft'] | null
  /**
   * ID of the attempt for the order before the user changed it; released before the new attempt is reserved.
   */
  readonly formerAttemptId: string | null
  /**
   * ID of the attempt whose outcome was unclear when the user left it; not reported as unpaid until the
   * server says so.
   */
  readonly unclearAttemptId: string | null
  /** The open payment form. Its secret must not be stored on the device. */
  readonly payment: OpenCardPayment | null
  /** How often the server did not know the outcome. */
  readonly unclearAnswers: number
  /** Receipt of the paid item; null until it is paid. */
  readonly receipt: Parts['receipt'] | null
  /** A duplicate of the confirmed order; the user is asked whether to pay again. */
  readonly duplicate: Parts['duplicate'] | null
}

export type CheckoutEvent<Parts extends CheckoutParts> =
  | { type: 'draft.change'; patch: Partial<Parts['draft']> }
  /**
   * The form stored on the device, which may arrive before or after its open attempt. It never continues by
   * itself: the user confirms it at the current price. `draftId`: the form's ID in its attempts, about which
   * the server is asked; null if the form can't be paid as it is.
   */
  | { type: 'draft.restore'; draft: Parts['draft']; draftId: string | null }
  | { type: 'draft.clear' }
  /**
   * `attemptId`: a new UUID for a new attempt. `at`: now, in UTC ms. `recent`: this device's payments from
   * every tab, as far as stored.
   */
  | { type: 'form.confirm'; attemptId: string; at: number; recent: readonly Parts['duplicate'][] }
  /** The user confirms the duplicate. `attemptId` and `at`: see `form.confirm`. */
  | { type: 'duplicate.confirm'; attemptId: string; at: number }
  | { type: 'duplicate.cancel' }
  | { type: 'payment.submit' }
  | { type: 'payment.close' }
  | { type: 'outcome.check' }
  | { type: 'outcome.leave' }
  | { type: 'receipt.close' }
  | { type: 'problem.dismiss' }
  /** New data of the payer on this device; omitted fields are unchanged. */
  | { type: 'profile.changed'; profile: Partial<Parts['payer']> }
  /** The price may have changed. `at`: now, in UTC ms. */
  | { type: 'time.passed'; at: number }
  | { type: 'network.lost' }
  | { type: 'network.restored' }
