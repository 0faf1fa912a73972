import * as v from 'valibot'
import { day, integer, uuid } from '../common/schema.ts'
import { invoiceSchema } from '../invoices/invoiceSchema.ts'
import { currencySchema } from '../money/moneySchema.ts'
import { defineFunction } from './definition.ts'
import { startedPaymentSchema } from './startedPayment.ts'

const lookup = {
  supplier: v.pipe(v.string(), v.maxLength(40)),
  reference: v.pipe(v.string(), v.maxLength(100)),
}

/** Looks up an invoice by supplier and reference. */
export const LOOK_UP_INVOICE = defineFunction({
  name: 'lookup-invoice',
  method: 'POST',
  most: 60,
  request: v.strictObject(lookup),
  response: v.object({ invoice: invoiceSchema }),
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
  request: v.strictObject({
    ...lookup,
    attemptId: uuid,
    /** The values shown on the screen. Other stored values are refused as `invoiceChanged`. */
    expected: v.strictObject({
      amount: v.pipe(integer, v.minValue(0)),
      currency: currencySchema,
      dueDate: day,
    }),
  }),
  response: startedPaymentSchema,
})
