import { fallback, number, object, picklist, string } from '../schema.ts'
import { INVOICE_TYPES } from '../suppliers.ts'
import type { Instant } from './instant.ts'
import { currencySchema, moneySchema } from './money.ts'

/** An invoice as its supplier issued it. Specification, section 3. */
export const invoiceSchema = object({
  supplier: string,
  reference: string,
  type: picklist(...INVOICE_TYPES),
  /** What the card is charged: paying an invoice costs no fee. */
  amount: moneySchema,
  /** 'YYYY-MM-DD'. */
  dueDate: string,
  status: picklist('due', 'processing', 'paid', 'seemsPaid'),
})

/** A paid invoice, as it is stored for its payer: decimals in major units, but instants in UTC ms. */
export const invoicePaymentSchema = (instant: Instant) =>
  object({
    /** The PaymentIntent ID. */
    id: string,
    payerId: string,
    supplier: string,
    reference: string,
    type: picklist(...INVOICE_TYPES),
    amount: number,
    currency: currencySchema,
    dueDate: string,
    /** As stored; `normaliseStatus` makes of it what is shown. */
    status: fallback(string, ''),
    description: fallback(string, ''),
    paymentMethod: fallback(picklist('card'), 'card'),
    createdAt: instant,
    settledAt: instant,
  })
