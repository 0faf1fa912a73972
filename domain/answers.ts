import type { AnswerOf, FunctionName, HolderAnswer, Release, Settlement, Verification } from './api.ts'
import { boolean, elseNull, misfit, number, object, oneOf, orNull, type Reader, text } from './read.ts'
import { invoice, invoicePayment, tier, transaction } from './stored.ts'

/** Answers that say all by arriving. */
const anything = object<object>({})

const started = object<AnswerOf<'create-payment-intent'>>({
  paymentIntentId: text,
  clientSecret: text,
  customerSession: orNull(text),
  status: text,
})

const settlement: Reader<Settlement> = (value) => {
  const { outcome } = object({ outcome: oneOf('paid', 'unpaid', 'unclear', 'refunded', 'disputed') })(value)
  if (outcome === 'refunded' || outcome === 'disputed') return { outcome }
  if (outcome !== 'paid') return { outcome, ...object({ status: text })(value) }
  const paid = object({
    transaction: orNull(transaction(number)),
    invoicePayment: orNull(invoicePayment(number)),
  })(value)
  if (paid.transaction) return { outcome, transaction: paid.transaction }
  return paid.invoicePayment ? { outcome, invoicePayment: paid.invoicePayment } : misfit()
}

const release: Reader<Release> = (value) => {
  const { outcome } = object({ outcome: text })(value)
  return outcome === 'released' ? { outcome } : settlement(value)
}

const verification: Reader<Verification> = (value) => {
  const { success } = object({ success: boolean })(value)
  return success
    ? { success, ...object({ tier, subscriptionId: text })(value) }
    : {
        success,
        ...object({
          tier,
          subscriptionId: orNull(text),
          status: oneOf('open', 'expired', 'ended', 'declined'),
        })(value),
      }
}

const holder: Reader<HolderAnswer> = (value) => {
  const { kind } = object({ kind: oneOf('named', 'none', 'silent') })(value)
  return kind === 'named' ? { kind, ...object({ name: text })(value) } : { kind }
}

/** How the browser reads what a function answers. What does not fit is no answer. */
export const ANSWERS: { readonly [Name in FunctionName]: Reader<AnswerOf<Name>> } = {
  'create-payment-intent': started,
  'pay-invoice': started,
  'record-transfer': settlement,
  'cancel-payment-intent': release,
  'wallet-holder': holder,
  'lookup-invoice': object({ invoice }),
  'create-subscription': object({ url: elseNull(text) }),
  'verify-subscription': verification,
  'cancel-subscription': object({ cancelAt: number }),
  'change-card': object({ url: text }),
  'check-phone-user': anything,
  'confirm-address': object({ signInAgain: boolean }),
  'sign-out-everywhere': anything,
  'push-subscription': anything,
  'delete-account': object({ outcome: oneOf('deleted') }),
}
