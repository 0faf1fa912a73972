import type { PaymentStarted, Settlement } from '../domain/api.ts'
import type { Result } from '../domain/result.ts'

/**
 * What one kind of payment is made of, by the names that the whole checkout uses for it. A type only: transfer.ts and invoice.ts each
 * fill it in once.
 */
export interface CheckoutParts {
  /** Who pays, with what the form's rules need to know of them. */
  readonly payer: { readonly uid: string }
  /** The form as it is typed. */
  readonly draft: object
  /** A form that keeps every rule: what is promised, and paid. */
  readonly order: unknown
  /** What is wrong with a field of the form. */
  readonly problem: { readonly field: string }
  /** What the server may refuse of this kind only. */
  readonly refusal: { readonly kind: string }
  /** What was paid, as it is shown and kept. */
  readonly receipt: unknown
  /** What was paid a moment ago and may be the same once more; `never` where nobody is asked. */
  readonly duplicate: { readonly id: string }
}

/** One intention to pay. The server charges it at most once, however often it is sent. Plain data. */
export interface Attempt<Parts extends CheckoutParts> {
  readonly id: string
  /** The form it was made from, to show it again after a restart. */
  readonly draft: Parts['draft']
  /** What was promised. Another order needs another attempt. */
  readonly order: Parts['order']
  /** The same payment of a moment ago that the person was asked about and wants once more; null when nobody asked. */
  readonly again: string | null
}

export interface Payment {
  readonly clientSecret: string
  readonly paymentIntentId: string
  /** Opens the person's saved cards to the form, once; null where there are none to be had. */
  readonly customerSession: string | null
}

/** What the server may refuse of any payment. */
export type CommonRefusal =
  | { readonly kind: 'userNotFound' }
  | { readonly kind: 'sessionExpired' }
  | { readonly kind: 'emailUnverified' }
  /** The attempt is over, without a charge; the next confirmation makes a new one. */
  | { readonly kind: 'attemptEnded' }
  | { readonly kind: 'attemptConflict' }
  /** The payment could not be prepared; trying again is safe. */
  | { readonly kind: 'initFailed' }
  /** `retryAfterSeconds`: whole seconds. */
  | { readonly kind: 'tooManyRequests'; readonly retryAfterSeconds: number }
  /** The person may not pay for now; nobody says why. */
  | { readonly kind: 'paymentsPaused' }
  /** So many cards of the person were declined that none is taken for a while; whole seconds. */
  | { readonly kind: 'tooManyDeclines'; readonly retryAfterSeconds: number }
  /** Nobody can pay for now. */
  | { readonly kind: 'paymentsClosed' }
  /** Any other refusal, in the server's own words; empty without any. */
  | { readonly kind: 'refused'; readonly said: string }

/** Whatever the server may refuse of one kind of payment. */
export type RefusalOf<Parts extends CheckoutParts> = CommonRefusal | Parts['refusal']

/** The payment that was opened for an attempt, or why none was. */
export type ReserveAnswer<Parts extends CheckoutParts> = Result<PaymentStarted, RefusalOf<Parts>>

/** The provider's answer to the card payment. It proves nothing yet: the server asks the provider itself. */
export type CardAnswer =
  | { readonly kind: 'answered'; readonly status: string }
  | { readonly kind: 'cardInvalid' }
  | { readonly kind: 'declined'; readonly reason: string; readonly message: string }

/** Where a payment stands, by the server, with the receipt of its kind. */
export type RecordAnswer<Parts extends CheckoutParts> =
  | { readonly outcome: 'paid'; readonly receipt: Parts['receipt'] }
  | Exclude<Settlement, { readonly outcome: 'paid' }>

export type ReleaseAnswer<Parts extends CheckoutParts> =
  | { readonly outcome: 'released' }
  | RecordAnswer<Parts>

/** Which attempt of whom the server is asked about. */
export interface AttemptInput {
  readonly uid: string
  readonly attemptId: string
}

/** What the person is told above the form, by the names of the specification's section 8 where it has one. */
export type CheckoutProblem<Parts extends CheckoutParts> = CommonProblem | Parts['refusal']

export type CommonProblem =
  | CommonRefusal
  | { readonly kind: 'offline' }
  | { readonly kind: 'cardInvalid' }
  /** The card was declined. */
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }
  | { readonly kind: 'notCharged' }
  | { readonly kind: 'statusUnclear' }
  /** The bank waits for the person. Nothing is charged without; the same attempt can be paid again. */
  | { readonly kind: 'bankUnfinished' }
  /** The person went on while the outcome is still open. */
  | { readonly kind: 'stillChecking' }
  | { readonly kind: 'refunded' }
  | { readonly kind: 'disputed' }

/** The form as an order, or what is wrong with it. */
export type Checked<Parts extends CheckoutParts> = Result<Parts['order'], readonly Parts['problem'][]>

/** The same form at two prices. */
export interface PriceChange<Parts extends CheckoutParts> {
  readonly before: Parts['order']
  readonly after: Parts['order']
}

/** All that is found out when the person confirms the form, once for each press. What follows is decided by it. */
export interface Confirmation<Parts extends CheckoutParts> {
  /** Used if this is a new attempt. */
  readonly attemptId: string
  /** The instant (UTC ms) whose price is paid. */
  readonly at: number
  readonly checked: Checked<Parts>
  /** The price is another one than stood there when the person pressed. */
  readonly change: PriceChange<Parts> | null
  /** What was paid a moment ago and is the same, unless the person was asked about it just now. */
  readonly duplicate: Parts['duplicate'] | null
}

/** What one kind of payment adds to the machine: its form, and when two orders are one. */
export interface CheckoutRules<Parts extends CheckoutParts> {
  /** Of the machine. */
  readonly id: string
  readonly emptyDraft: Parts['draft']
  /** Whether there is nothing in the form that somebody would miss. */
  readonly isEmpty: (draft: Parts['draft']) => boolean
  readonly change: (draft: Parts['draft'], patch: Partial<Parts['draft']>) => Parts['draft']
  /** Of the problems that were shown, those that the change leaves. */
  readonly stillWrong: (
    problems: readonly Parts['problem'][],
    patch: Partial<Parts['draft']>,
  ) => readonly Parts['problem'][]
  /** The form as it comes back from the device. */
  readonly restore: (draft: Parts['draft']) => Parts['draft']
  /** A fresh form for who has just sent this one. */
  readonly emptyLike: (draft: Parts['draft']) => Parts['draft']
  /** `at`: now, in UTC ms. `own`: the order of the attempt that is open here. */
  readonly check: (
    draft: Parts['draft'],
    payer: Parts['payer'],
    at: number,
    own: Parts['order'] | null,
  ) => Checked<Parts>
  /** Whether both forms are the same payment, rather than one typed since. */
  readonly isSameForm: (one: Parts['draft'], other: Parts['draft']) => boolean
  /** Whether the server would take them for the same attempt. */
  readonly isSameOrder: (one: Parts['order'], other: Parts['order']) => boolean
  /** What was paid a moment ago and is the same order. Null where the server itself refuses the same twice: nobody is asked then. */
  readonly duplicates: {
    readonly find: (
      order: Parts['order'],
      recent: readonly Parts['duplicate'][],
      at: number,
    ) => Parts['duplicate'] | null
    /** The one that the server knows of, whichever device it is from. */
    readonly refused: (refusal: RefusalOf<Parts>) => Parts['duplicate'] | null
  } | null
  /** How the price follows what is known of the payer, which may change elsewhere and with time. Null where it does not. */
  readonly prices: {
    readonly isSame: (one: Parts['order'], other: Parts['order']) => boolean
    /** The payer with the newer facts that a refusal brings, and of when they are (UTC ms, null when it is not told); null without any. */
    readonly learn: (
      payer: Parts['payer'],
      refusal: RefusalOf<Parts>,
    ) => { readonly profile: Parts['payer']; readonly at: number | null } | null
    /** The payer once what the order held is given back. */
    readonly free: (payer: Parts['payer'], order: Parts['order']) => Parts['payer']
  } | null
  /** Whether a refusal says that nothing can come of this attempt any more. */
  readonly isAttemptOver: (refusal: RefusalOf<Parts>) => boolean
}

/**
 * Where the form comes from. As long as nobody has touched it: `kept` is one that was begun and never sent, `attempt` that of an
 * attempt which was taken up again, and may be paid.
 */
export type Origin = 'typed' | 'kept' | 'attempt'

export interface CheckoutInput<Parts extends CheckoutParts> {
  readonly profile: Parts['payer']
  readonly isOnline: boolean
  /** Now, in UTC ms by the server's clock, as every instant that the machine is told. */
  readonly at: number
  /** An empty form otherwise. */
  readonly draft?: Parts['draft']
}

export interface CheckoutContext<Parts extends CheckoutParts> {
  readonly profile: Parts['payer']
  /** The instant (UTC ms) whose price stands on the screen. */
  readonly at: number
  readonly isOnline: boolean
  readonly draft: Parts['draft']
  readonly origin: Origin
  /** Of the press that is being looked at; null as soon as it is decided what follows. */
  readonly confirmation: Confirmation<Parts> | null
  /** What is wrong with the form, since it was last confirmed. */
  readonly problems: readonly Parts['problem'][]
  readonly problem: CheckoutProblem<Parts> | null
  /** The price of the form has become another one since the person saw it, other than by what they typed. */
  readonly change: PriceChange<Parts> | null
  /** Kept after a refusal, so that confirming the same order again can't charge it a second time. */
  readonly attempt: Attempt<Parts> | null
  /** The attempt of an order that was changed since; to be given up before the new one is reserved. */
  readonly formerAttemptId: string | null
  /** The attempt that the person left while nobody knew what became of it: until the server says so, it is not called unpaid. */
  readonly unclearAttemptId: string | null
  /** The open payment form. Its secret is not to be kept on the device. */
  readonly payment: Payment | null
  /** How often the server could not tell the outcome. */
  readonly unclearAnswers: number
  /** What was paid. */
  readonly receipt: Parts['receipt'] | null
  /** What was paid a moment ago and is the same as what was confirmed: the person is asked whether to pay it again. */
  readonly duplicate: Parts['duplicate'] | null
}

export type CheckoutEvent<Parts extends CheckoutParts> =
  | { type: 'draft.change'; patch: Partial<Parts['draft']> }
  /**
   * The form as the device kept it, which may come before or after the attempt that is open there. It never goes on by itself: the
   * person confirms it, at the price of today.
   */
  | { type: 'draft.restore'; draft: Parts['draft'] }
  | { type: 'draft.clear' }
  /**
   * `attemptId`: a fresh UUID, used if this is a new attempt. `at`: now, in UTC ms. `recent`: what this device paid, in any
   * tab, as far as its rows tell.
   */
  | { type: 'form.confirm'; attemptId: string; at: number; recent: readonly Parts['duplicate'][] }
  /** Yes, the same once more. `attemptId` and `at` as above. */
  | { type: 'again.confirm'; attemptId: string; at: number }
  | { type: 'again.leave' }
  | { type: 'payment.submit' }
  | { type: 'payment.close' }
  | { type: 'outcome.ask' }
  | { type: 'outcome.leave' }
  | { type: 'receipt.close' }
  | { type: 'problem.dismiss' }
  /** What the device knows of the payer now; what is left out stays. */
  | { type: 'profile.changed'; profile: Partial<Parts['payer']> }
  /** The price may be another one by now. `at`: now, in UTC ms. */
  | { type: 'time.passed'; at: number }
  | { type: 'network.lost' }
  | { type: 'network.back' }
