import { err, ok, type Result } from './result.ts'

export interface InvoiceLookup {
  readonly supplier: string
  readonly reference: string
}

/** Looking up an invoice takes a supplier and a reference number. Specification, section 5. */
export function checkInvoiceLookup(
  lookup: InvoiceLookup,
): Result<InvoiceLookup, { readonly kind: 'invoiceFieldsRequired' }> {
  const supplier = lookup.supplier.trim()
  const reference = lookup.reference.trim()
  return supplier && reference ? ok({ supplier, reference }) : err({ kind: 'invoiceFieldsRequired' })
}
