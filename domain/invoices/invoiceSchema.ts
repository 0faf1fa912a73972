import * as v from 'valibot'
import type { InstantSchema } from '../common/instant.ts'
import { finiteNumber, legacyString } from '../common/schema.ts'
import { currencySchema, moneySchema } from '../money/moneySchema.ts'
import { INVOICE_TYPES, type InvoiceType } from './suppliers.ts'

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

/** The invoice that an attempt pays. Its type may no longer exist, but the charge must still be recorded. */
export const invoiceOrderSchema = v.object({
  ...invoiceSchema.entries,
  type: legacyString<InvoiceType>(),
  status: legacyString<v.InferOutput<typeof invoiceSchema>['status']>(),
})

/** As typed. Stored on the device, possibly by another version of the app. */
export const invoiceDraftSchema = v.object({
  type: v.nullish(legacyString<InvoiceType>(), null),
  supplier: v.string(),
  reference: v.string(),
  invoice: v.nullish(invoiceOrderSchema, null),
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
