import type { Invoice, InvoicePayment } from './invoice.ts'
import type { Language } from './language.ts'
import type { Money } from './money.ts'
import type { Tier } from './plans.ts'
import type { RefusalCode } from './refusals.ts'
import type { Transaction } from './transaction.ts'

/**
 * The functions that the app calls: what each is asked, what it answers when it does not refuse, and the codes that it refuses with.
 * The server's schemas are checked against the requests, its handlers against answers and refusals, and the app's calls against all
 * three; `answers.ts` and `refusals.ts` read what arrives. Specification, section 7.
 */
export interface Api {
  readonly 'create-payment-intent': Call<
    TransferPaymentRequest,
    PaymentStarted,
    | SignedIn
    | PaymentRefusal
    | 'forbidden'
    | 'amountRequired'
    | 'amountTooHigh'
    | 'amountTooLow'
    | 'capUnavailable'
    | 'couponEnded'
    | 'couponInvalid'
    | 'monthlyCapExceeded'
    | 'phoneInvalid'
    | 'phonePrefix'
    | 'phoneRequired'
    | 'quoteChanged'
    | 'sentAlready'
    | 'unsupportedDestination'
    | 'walletRequired'
  >
  readonly 'pay-invoice': Call<
    InvoicePaymentRequest,
    PaymentStarted,
    | SignedIn
    | PaymentRefusal
    | InvoiceLookupRefusal
    | 'invoiceAlreadyPaid'
    | 'invoiceChanged'
    | 'invoicePaymentUnavailable'
    | 'invoiceSeemsPaid'
    | 'invoiceUnderWay'
    | 'maximumPayment'
    | 'minimumPayment'
    | 'tooManyHolds'
  >
  readonly 'record-transfer': Call<
    AttemptRequest | { readonly paymentIntentId: string },
    Settlement,
    SignedIn | 'paymentNotFound' | 'forbidden'
  >
  readonly 'cancel-payment-intent': Call<AttemptRequest, Release, SignedIn | 'paymentNotFound'>
  readonly 'wallet-holder': Call<
    { readonly phone: string; readonly receivingMethod: string },
    HolderAnswer,
    SignedIn
  >
  readonly 'lookup-invoice': Call<
    InvoiceRequest,
    { readonly invoice: Invoice },
    SignedIn | InvoiceLookupRefusal | 'invoiceUnavailable'
  >
  /** `url`: null when the provider gave none. */
  readonly 'create-subscription': Call<
    { readonly tier: Tier; readonly userId: string; readonly locale?: Language },
    { readonly url: string | null },
    SignedIn | MayPay | 'forbidden' | 'planActive' | 'planUnavailable' | 'checkoutReplaced'
  >
  readonly 'verify-subscription': Call<
    { readonly session_id: string },
    Verification,
    SignedIn | 'checkoutNotFound' | 'forbidden'
  >
  /** `cancelAt`: when what is paid ends, in UTC ms. */
  readonly 'cancel-subscription': Call<
    PlanRequest,
    { readonly cancelAt: number },
    SignedIn | 'planNotFound' | 'forbidden'
  >
  readonly 'change-card': Call<
    PlanRequest & { readonly locale?: Language },
    { readonly url: string },
    SignedIn | MayPay | 'planNotFound' | 'planUnavailable' | 'forbidden'
  >
  readonly 'check-phone-user': Call<
    { readonly phone: string },
    object,
    Anybody | 'phoneRequired' | 'phoneInvalid' | 'tooManyRequests'
  >
  /** `another`: although the address was that of another account before. */
  readonly 'confirm-address': Call<
    { readonly another?: true },
    { readonly signInAgain: boolean },
    SignedIn | 'userNotFound' | 'otherWayIn' | 'formerAddress'
  >
  readonly 'sign-out-everywhere': Call<EmptyRequest, object, SignedIn>
  readonly 'push-subscription': Call<
    PushSubscriptionRequest,
    object,
    SignedIn | 'forbidden' | 'pushUnavailable' | 'pushServiceUnknown'
  >
  readonly 'delete-account': Call<
    EmptyRequest,
    { readonly outcome: 'deleted' },
    SignedIn | 'recentSignInRequired' | 'paymentOpen' | 'planRunning'
  >
}

interface Call<Request, Answer, Code extends RefusalCode> {
  readonly request: Request
  readonly answer: Answer
  readonly refusal: Code
}

/** Of every function. */
type Anybody = 'methodNotAllowed' | 'invalidRequest' | 'paymentUnavailable' | 'unavailable'
/** Of every function that somebody signs in for. */
type SignedIn = Anybody | 'unauthenticated' | 'emailUnverified' | 'tooManyRequests'
/** Where a payment or a plan begins. */
type MayPay = 'userNotFound' | 'paymentsPaused' | 'paymentsClosed' | 'tooManyDeclines'
/** Where a card is to be charged. */
type PaymentRefusal = MayPay | 'attemptConflict' | 'attemptEnded'
type InvoiceLookupRefusal =
  | 'invoiceFieldsRequired'
  | 'supplierUnknown'
  | 'referenceInvalid'
  | 'invoiceNotFound'

export type FunctionName = keyof Api
export type RequestOf<Name extends FunctionName> = Api[Name]['request']
export type AnswerOf<Name extends FunctionName> = Api[Name]['answer']
/** The codes that a function refuses with. */
export type CodeOf<Name extends FunctionName> = Api[Name]['refusal']

/** The call says all by being made. */
type EmptyRequest = Readonly<Record<string, never>>

/** `attemptId`: a UUID that the device made, the same for each try to pay the same thing. */
export interface AttemptRequest {
  readonly attemptId: string
}

interface InvoiceRequest {
  readonly supplier: string
  readonly reference: string
}

interface PlanRequest {
  readonly subscriptionId: string
}

/** A browser's subscription to be told with the app closed. `device`: null ends it. The keys are base64url, without padding. */
export interface PushSubscriptionRequest {
  readonly endpoint: string
  readonly device: {
    readonly p256dh: string
    readonly auth: string
    readonly language: Language
  } | null
}

/** Amounts in minor units. `expected` is what the screen showed: nobody is charged at a price that they have not seen. */
export interface TransferPaymentRequest extends AttemptRequest {
  readonly amount: number
  readonly currency: 'eur' | 'cad'
  readonly description: string
  readonly senderId: string
  readonly recipientPhone: string
  readonly receivingMethod: string | null
  readonly couponCode: string | null
  readonly expected: {
    readonly fee: number
    readonly converted: number
    /** Within how many minutes of the payment it is to arrive; left out where nothing was promised. */
    readonly minutes?: number | undefined
  }
  /** The id of the same transfer of a moment ago, once the person was asked about it and wants it once more. */
  readonly again: string | null
}

/** `expected` is what the screen showed, its amount in minor units and its due date as 'YYYY-MM-DD'. */
export interface InvoicePaymentRequest extends InvoiceRequest, AttemptRequest {
  readonly expected: {
    readonly amount: number
    readonly currency: Money['currency']
    readonly dueDate: string
  }
}

/**
 * Whose wallet a number is. `named`: its holder's first name and an initial. `none`: no wallet that could receive has it, by whoever pays out. `silent`:
 * nobody says.
 */
export type HolderAnswer =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'none' | 'silent' }

/** What the browser needs to pay at the provider. */
export interface PaymentStarted {
  readonly paymentIntentId: string
  readonly clientSecret: string
  /** Opens the person's saved cards to the provider's form, once and for half an hour; null where there are none to be shown or kept. */
  readonly customerSession: string | null
  /** The provider's status of the PaymentIntent: an attempt that is sent again may have been paid already. */
  readonly status: string
}

/** What a card payment ends as: the record of what it paid for. */
export type Paid = { readonly transaction: Transaction } | { readonly invoicePayment: InvoicePayment }

/** Where a payment stands, by the provider. `status`: the PaymentIntent's. */
export type Settlement =
  | ({ readonly outcome: 'paid' } & Paid)
  /** Nothing is charged. */
  | { readonly outcome: 'unpaid'; readonly status: string }
  /** It may still be charged. */
  | { readonly outcome: 'unclear'; readonly status: string }
  /** `disputed`: its holder turned to the bank, which decides who gets the money. Nothing was sent. */
  | { readonly outcome: 'refunded' | 'disputed' }

/** What became of an attempt that was given up. */
export type Release = { readonly outcome: 'released' } | Settlement

/**
 * Where a checkout stands. `status` says why it is no success: not paid yet, never to be paid any more, a plan that has ended since,
 * or another card that the bank refused too.
 */
export type Verification =
  | { readonly success: true; readonly tier: Tier; readonly subscriptionId: string }
  | {
      readonly success: false
      readonly tier: Tier
      readonly subscriptionId: string | null
      readonly status: 'open' | 'expired' | 'ended' | 'declined'
    }
