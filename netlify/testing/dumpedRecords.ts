import { createInstantSchema } from '../../domain/schemas/instant.ts'
import { buildInvoicePaymentSchema } from '../../domain/schemas/invoice.ts'
import { buildTransactionSchema } from '../../domain/schemas/transaction.ts'

// Parsers of records in a dump of the emulator, whose instants are ISO 8601 texts.
const instant = createInstantSchema((value) => (typeof value === 'string' ? Date.parse(value) : null))

export const parseDumpedTransaction = buildTransactionSchema(instant)
export const parseDumpedInvoicePayment = buildInvoicePaymentSchema(instant)
