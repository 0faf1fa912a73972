import { serverNow } from '../../browser/serverTime.ts'
import { withRows } from '../../cache/database.ts'
import { keepReceipts } from '../../cache/receipts.ts'
import type { InvoicePage } from '../../services/invoices.ts'

/** How many rows are asked for at once. */
export const PAGE = 50

export interface InvoiceServer {
  readonly fetchInvoicePayments: (
    uid: string,
    after: InvoicePage['next'],
    most: number,
  ) => Promise<InvoicePage>
}

/**
 * Brings the paid invoices on this device to the server's: all of them the first time, later the new ones. What was paid never
 * changes, so a page that ends in a row that was here ends the search. Fails with `fetchInvoicePayments`.
 */
export async function refreshInvoices(uid: string, server: InvoiceServer, now = serverNow()): Promise<void> {
  const before = await withRows(uid, async ({ fetched, invoicePayments }) => ({
    isWhole: (await fetched.get('invoicePayments')) !== undefined,
    known: new Set(await invoicePayments.toCollection().primaryKeys()),
  }))
  let after: InvoicePage['next'] = null
  do {
    const { payments, next }: InvoicePage = await server.fetchInvoicePayments(uid, after, PAGE)
    await withRows(uid, (database) => keepReceipts(database, database.invoicePayments, payments))
    after = next
  } while (after !== null && !(before.isWhole && before.known.has(after.id)))
  await withRows(uid, ({ fetched }) => fetched.put({ id: 'invoicePayments', asOf: now }))
}
