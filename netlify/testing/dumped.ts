import { instantWith, invoicePayment, transaction } from '../../domain/stored.ts'

// Records in a dump of the emulator, whose instants are ISO 8601 texts.
const instant = instantWith((value) => (typeof value === 'string' ? Date.parse(value) : null))

export const readTransaction = transaction(instant)
export const readInvoicePayment = invoicePayment(instant)
