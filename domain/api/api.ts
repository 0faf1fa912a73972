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

/**
 * The functions that the app calls, by name. The app imports single definitions, so that its bundle contains
 * no others.
 */
export const API = {
  'create-payment-intent': payments.CREATE_PAYMENT_INTENT,
  'record-transfer': payments.RECORD_TRANSFER,
  'cancel-payment-intent': payments.CANCEL_PAYMENT_INTENT,
  'cancel-transfer': transfers.CANCEL_TRANSFER,
  'mail-receipt': transfers.MAIL_RECEIPT,
  'latest-attempt': latestAttempt.FIND_LATEST_ATTEMPT,
  'wallet-holder': wallets.LOOK_UP_WALLET_HOLDER,
  'lookup-invoice': invoices.LOOK_UP_INVOICE,
  'pay-invoice': invoices.PAY_INVOICE,
  'create-subscription': plans.CREATE_SUBSCRIPTION,
  'verify-subscription': plans.VERIFY_SUBSCRIPTION,
  'refresh-plan': plans.REFRESH_PLAN,
  'cancel-subscription': plans.CANCEL_SUBSCRIPTION,
  'change-card': plans.CHANGE_CARD,
  'check-phone-user': account.CHECK_PHONE_USER,
  'confirm-address': account.CONFIRM_ADDRESS,
  'send-address-link': account.SEND_ADDRESS_LINK,
  'sign-out-everywhere': account.SIGN_OUT_EVERYWHERE,
  'push-subscription': notifications.SET_PUSH_SUBSCRIPTION,
  'delete-account': account.DELETE_ACCOUNT,
  'report-error': errors.REPORT_ERROR,
} as const

type Api = typeof API
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
