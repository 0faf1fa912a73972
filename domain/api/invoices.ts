import { check, day, integer, maxLength, object, strictObject, uuid } from '../schema.ts'
import { invoiceSchema } from '../schemas/invoice.ts'
import { currencySchema } from '../schemas/money.ts'
import { defineFunction, PAYMENT_REFUSALS, SIGNED_IN_REFUSALS } from './definition.ts'
import { startedPaymentSchema } from './payments.ts'

const lookup = { supplier: maxLength(40), reference: maxLength(100) }
const LOOKUP = ['invoiceFieldsRequired', 'supplierUnknown', 'referenceInvalid', 'invoiceNotFound'] as const

/** Looks up an invoice by supplier and reference. */
export const LOOK_UP_INVOICE = defineFunction({
  name: 'lookup-invoice',
  method: 'POST',
  most: 60,
  request: strictObject(lookup),
  response: object({ invoice: invoiceSchema }),
  refusals: [...SIGNED_IN_REFUSALS, ...LOOKUP, 'invoiceUnavailable'],
})

/**
 * Checks and reserves an invoice, and creates the PaymentIntent of its attempt. The amount is the stored
 * invoice's.
 */
export const PAY_INVOICE = defineFunction({
  name: 'pay-invoice',
  method: 'POST',
  most: 60,
  beginsPayment: true,
  request: strictObject({
    ...lookup,
    attemptId: uuid,
    /** The values shown on the screen. Other stored values are refused as `invoiceChanged`. */
    expected: strictObject({
      amount: check(integer, (amount) => amount >= 0),
      currency: currencySchema,
      dueDate: day,
    }),
  }),
  response: startedPaymentSchema,
  refusals: [
    ...SIGNED_IN_REFUSALS,
    ...PAYMENT_REFUSALS,
    ...LOOKUP,
    'attemptConflict',
    'attemptEnded',
    'invoiceAlreadyPaid',
    'invoiceChanged',
    'invoicePaymentUnavailable',
    'invoiceSeemsPaid',
    'invoiceUnderWay',
    'maximumPayment',
    'minimumPayment',
    'tooManyHolds',
  ],
})
