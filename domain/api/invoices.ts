import { check, day, integer, maxLength, object, strictObject, uuid } from '../schema.ts'
import { invoiceSchema } from '../schemas/invoice.ts'
import { currencySchema } from '../schemas/money.ts'
import { defineFunction, MAY_PAY, SIGNED_IN } from './definition.ts'
import { paymentStartedSchema } from './payments.ts'

const lookup = { supplier: maxLength(40), reference: maxLength(100) }
const LOOKUP = ['invoiceFieldsRequired', 'supplierUnknown', 'referenceInvalid', 'invoiceNotFound'] as const

/** An invoice by supplier and reference. */
export const LOOKUP_INVOICE = defineFunction({
  name: 'lookup-invoice',
  method: 'POST',
  most: 60,
  request: strictObject(lookup),
  response: object({ invoice: invoiceSchema }),
  refusals: [...SIGNED_IN, ...LOOKUP, 'invoiceUnavailable'],
})

/** Checks and reserves an invoice, and makes the PaymentIntent of its attempt. What the invoice says decides. */
export const PAY_INVOICE = defineFunction({
  name: 'pay-invoice',
  method: 'POST',
  most: 60,
  beginsPayment: true,
  request: strictObject({
    ...lookup,
    attemptId: uuid,
    /** What the screen showed. */
    expected: strictObject({
      amount: check(integer, (amount) => amount >= 0),
      currency: currencySchema,
      dueDate: day,
    }),
  }),
  response: paymentStartedSchema,
  refusals: [
    ...SIGNED_IN,
    ...MAY_PAY,
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
