import * as v from 'valibot'
import type { InstantSchema } from '../common/instant.ts'
import { finiteNumber } from '../common/schema.ts'
import { currencySchema, moneySchema } from '../money/moneySchema.ts'
import { INVOICE_TYPES } from './suppliers.ts'

/** Specification, section 3. */
export const invoiceSchema = v.object({
  supplier: v.string(),
  reference: v.string(),
  type: v.picklist(INVOICE_TYPES),
  /** The charged amount: invoices have no fee. */
  amount: moneySchema,
  /** 'YYYY-MM-DD'. */
  dueDate: v.string(),
  status: v.picklist(['due', 'processing', 'paid', 'seemsPaid']),
})

/** Decimals in major units, instants in UTC ms. */
export const buildInvoicePaymentSchema = (instant: InstantSchema) =>
  v.object({
    /** PaymentIntent ID. */
    id: v.string(),
    payerId: v.string(),
    /** Null without a name when the invoice was reserved, and after the legal term. */
    payerName: v.fallback(v.nullable(v.string()), null),
    supplier: v.string(),
    reference: v.string(),
    type: v.picklist(INVOICE_TYPES),
    amount: finiteNumber,
    currency: currencySchema,
    dueDate: v.string(),
    /** As stored; `normalizeStatus` derives the status shown. */
    status: v.fallback(v.string(), ''),
    description: v.fallback(v.string(), ''),
    paymentMethod: v.fallback(v.literal('card'), 'card'),
    createdAt: instant,
    settledAt: instant,
  })
