import * as v from 'valibot'
import { finiteNumber } from '../../domain/common/schema.ts'
import { buildInvoicePaymentSchema } from '../../domain/invoices/invoiceSchema.ts'
import { buildTransactionSchema } from '../../domain/transfers/shapes/transactionSchema.ts'

// Parsers of records in a dump of the emulator, whose instants are ISO 8601 texts.
const instant = v.pipe(v.string(), v.transform(Date.parse), finiteNumber)

export const parseDumpedTransaction = v.parser(buildTransactionSchema(instant))
export const parseDumpedInvoicePayment = v.parser(buildInvoicePaymentSchema(instant))
