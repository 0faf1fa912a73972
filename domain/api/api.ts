import type { Output } from '../common/schema.ts'
import type { CodeBy } from '../errors/refusals.ts'
import * as account from './account.ts'
import * as errors from './errors.ts'
import * as invoices from './invoices.ts'
import * as latestAttempt from './latestAttempt.ts'
import * as notifications from './notifications.ts'
import * as payments from './payments.ts'
import * as plans from './plans.ts'
import * as transfers from './transfers.ts'
import * as wallets from './wallets.ts'

const DEFINITIONS = {
  ...payments,
  ...transfers,
  ...latestAttempt,
  ...wallets,
  ...invoices,
  ...plans,
  ...account,
  ...notifications,
  ...errors,
}

type Definition = (typeof DEFINITIONS)[keyof typeof DEFINITIONS]
type Api = { readonly [D in Definition as D['name']]: D }

/**
 * The functions that the app calls, by name. The app imports single definitions, so that its bundle contains
 * no others.
 */
export const API = Object.fromEntries(
  Object.values(DEFINITIONS).map((definition) => [definition.name, definition]),
) as Api

export type FunctionName = keyof Api
export type FunctionRequest<Name extends FunctionName> = Output<Api[Name]['request']>
export type FunctionResponse<Name extends FunctionName> = Output<Api[Name]['response']>
/** The codes with which a function can refuse. */
export type FunctionRefusalCode<Name extends FunctionName> = CodeBy<Name | FunctionGroup<Api[Name]>>

type FunctionGroup<D> =
  | 'all'
  | (D extends { readonly most: number } ? 'signedIn' : never)
  | (D extends { readonly beginsPayment: true } ? 'paying' : never)

export type { TransferPaymentRequest } from '../transfers/shapes/requestSchema.ts'
export type { PaymentRecord, ReleaseResult, Settlement } from './payments.ts'
export type { CheckoutVerification } from './plans.ts'
export type { WalletHolderAnswer } from './wallets.ts'
export type LatestAttempt = NonNullable<FunctionResponse<'latest-attempt'>['attempt']>
export type StartedPayment = FunctionResponse<'create-payment-intent'>
export type InvoicePaymentRequest = FunctionRequest<'pay-invoice'>
export type ErrorReport = FunctionRequest<'report-error'>
export type PushSubscriptionRequest = FunctionRequest<'push-subscription'>
