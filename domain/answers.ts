import type { AnswerOf, FunctionName, HolderAnswer, Release, Settlement, Verification } from './api.ts'
import { boolean, fail, fallback, nullable, number, object, picklist, type Schema, string } from './schema.ts'
import { invoicePaymentSchema, invoiceSchema } from './schemas/invoice.ts'
import { tierSchema } from './schemas/profile.ts'
import { transactionSchema } from './schemas/transaction.ts'

/** Answers that say all by arriving. */
const anything = object({})

const started = object({
  paymentIntentId: string,
  clientSecret: string,
  customerSession: nullable(string),
  status: string,
})

const settlement: Schema<Settlement> = (value) => {
  const { outcome } = object({ outcome: picklist('paid', 'unpaid', 'unclear', 'refunded', 'disputed') })(
    value,
  )
  if (outcome === 'refunded' || outcome === 'disputed') return { outcome }
  if (outcome !== 'paid') return { outcome, ...object({ status: string })(value) }
  const paid = object({
    transaction: nullable(transactionSchema(number)),
    invoicePayment: nullable(invoicePaymentSchema(number)),
  })(value)
  if (paid.transaction) return { outcome, transaction: paid.transaction }
  return paid.invoicePayment ? { outcome, invoicePayment: paid.invoicePayment } : fail()
}

const release: Schema<Release> = (value) => {
  const { outcome } = object({ outcome: string })(value)
  return outcome === 'released' ? { outcome } : settlement(value)
}

const verification: Schema<Verification> = (value) => {
  const { success } = object({ success: boolean })(value)
  return success
    ? { success, ...object({ tier: tierSchema, subscriptionId: string })(value) }
    : {
        success,
        ...object({
          tier: tierSchema,
          subscriptionId: nullable(string),
          status: picklist('open', 'expired', 'ended', 'declined'),
        })(value),
      }
}

const holder: Schema<HolderAnswer> = (value) => {
  const { kind } = object({ kind: picklist('named', 'none', 'silent') })(value)
  return kind === 'named' ? { kind, ...object({ name: string })(value) } : { kind }
}

/** How the browser reads what a function answers. What does not fit is no answer. */
export const ANSWERS: { readonly [Name in FunctionName]: Schema<AnswerOf<Name>> } = {
  'create-payment-intent': started,
  'pay-invoice': started,
  'record-transfer': settlement,
  'cancel-payment-intent': release,
  'wallet-holder': holder,
  'lookup-invoice': object({ invoice: invoiceSchema }),
  'create-subscription': object({ url: fallback(string, null) }),
  'verify-subscription': verification,
  'cancel-subscription': object({ cancelAt: number }),
  'change-card': object({ url: string }),
  'check-phone-user': anything,
  'confirm-address': object({ signInAgain: boolean }),
  'sign-out-everywhere': anything,
  'push-subscription': anything,
  'delete-account': object({ outcome: picklist('deleted') }),
}
