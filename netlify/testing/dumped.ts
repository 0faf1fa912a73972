import { instantWith } from '../../domain/schemas/instant.ts'
import { invoicePaymentSchema } from '../../domain/schemas/invoice.ts'
import { transactionSchema } from '../../domain/schemas/transaction.ts'

// Records in a dump of the emulator, whose instants are ISO 8601 texts.
const instant = instantWith((value) => (typeof value === 'string' ? Date.parse(value) : null))

export const parseTransaction = transactionSchema(instant)
export const parseInvoicePayment = invoicePaymentSchema(instant)
