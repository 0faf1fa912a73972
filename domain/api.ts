import * as account from './api/account.ts'
import * as invoices from './api/invoices.ts'
import * as notifications from './api/notifications.ts'
import * as payments from './api/payments.ts'
import * as plans from './api/plans.ts'
import * as wallets from './api/wallets.ts'
import type { InferOutput } from './schema.ts'

/** The functions that the app calls, by name. The app itself imports single definitions, to load no others. */
export const API = {
  'create-payment-intent': payments.CREATE_PAYMENT_INTENT,
  'record-transfer': payments.RECORD_TRANSFER,
  'cancel-payment-intent': payments.CANCEL_PAYMENT_INTENT,
  'wallet-holder': wallets.WALLET_HOLDER,
  'lookup-invoice': invoices.LOOKUP_INVOICE,
  'pay-invoice': invoices.PAY_INVOICE,
  'create-subscription': plans.CREATE_SUBSCRIPTION,
  'verify-subscription': plans.VERIFY_SUBSCRIPTION,
  'cancel-subscription': plans.CANCEL_SUBSCRIPTION,
  'change-card': plans.CHANGE_CARD,
  'check-phone-user': account.CHECK_PHONE_USER,
  'confirm-address': account.CONFIRM_ADDRESS,
  'sign-out-everywhere': account.SIGN_OUT_EVERYWHERE,
  'push-subscription': notifications.PUSH_SUBSCRIPTION,
  'delete-account': account.DELETE_ACCOUNT,
} as const

type Api = typeof API
export type FunctionName = keyof Api
export type RequestOf<Name extends FunctionName> = InferOutput<Api[Name]['request']>
export type AnswerOf<Name extends FunctionName> = InferOutput<Api[Name]['response']>
/** The codes that a function refuses with. */
export type CodeOf<Name extends FunctionName> = Api[Name]['refusals'][number]

export type { Paid, Release, Settlement } from './api/payments.ts'
export type { Verification } from './api/plans.ts'
export type { HolderAnswer } from './api/wallets.ts'
export type PaymentStarted = AnswerOf<'create-payment-intent'>
export type TransferPaymentRequest = RequestOf<'create-payment-intent'>
export type InvoicePaymentRequest = RequestOf<'pay-invoice'>
export type PushSubscriptionRequest = RequestOf<'push-subscription'>
