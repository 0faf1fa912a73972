import { fallback, number, object, picklist, string } from '../schema.ts'
import { INVOICE_TYPES } from '../suppliers.ts'
import type { InstantSchema } from './instant.ts'
import { currencySchema, moneySchema } from './money.ts'

/** An invoice as its supplier issued it. Specification, section 3. */
export const invoiceSchema = object({
  supplier: string,
  reference: string,
  type: picklist(...INVOICE_TYPES),
  /** The charged amount: invoices have no fee. */
  amount: moneySchema,
  /** 'YYYY-MM-DD'. */
  dueDate: string,
  status: picklist('due', 'processing', 'paid', 'seemsPaid'),
})

/** A paid invoice as stored for its payer: decimals in major units, instants in UTC ms. */
export const buildInvoicePaymentSchema = (instant: InstantSchema) =>
  object({
    /** PaymentIntent ID. */
    id: string,
    payerId: string,
    /** The payer's name when the invoice was reserved; null without one, and after the legal term. */
    payerName: fallback(string, null),
    supplier: string,
    reference: string,
    type: picklist(...INVOICE_TYPES),
    amount: number,
    currency: currencySchema,
    dueDate: string,
    /** As stored; `normalizeStatus` derives the status shown. */
    status: fallback(string, ''),
    description: fallback(string, ''),
    paymentMethod: fallback(picklist('card'), 'card'),
    createdAt: instant,
    settledAt: instant,
  })
