import { serverNow } from '../../browser/serverTime.ts'
import { withRows } from '../../cache/database.ts'
import type { InvoicePage } from '../../services/invoices.ts'

/** Number of rows that one call requests. */
export const INVOICE_PAGE_SIZE = 50

export interface InvoicePaymentServer {
  readonly fetchInvoicePayments: (
    uid: string,
    after: InvoicePage['next'],
    most: number,
  ) => Promise<InvoicePage>
}

/**
 * Updates the paid invoices on this device from the server: all at first, later the new ones. It stops at a
 * page whose last row is already stored; the newest page also brings the status changed by a refund or
 * dispute.
 *
 * @throws a failure of the operation `fetchInvoicePayments`.
 */
export async function refreshInvoicePayments(
  uid: string,
  server: InvoicePaymentServer,
  now = serverNow(),
): Promise<void> {
  const before = await withRows(uid, async ({ fetched, invoicePayments }) => ({
    isWhole: (await fetched.get('invoicePayments')) !== undefined,
    known: new Set(await invoicePayments.toCollection().primaryKeys()),
  }))
  let after: InvoicePage['next'] = null
  do {
    const { payments, next }: InvoicePage = await server.fetchInvoicePayments(uid, after, INVOICE_PAGE_SIZE)
    await withRows(uid, (database) => database.invoicePayments.bulkPut(payments))
    after = next
  } while (after !== null && !(before.isWhole && before.known.has(after.id)))
  await withRows(uid, ({ fetched }) => fetched.put({ id: 'invoicePayments', asOf: now }))
}
