import { serverNow } from '../../browser/serverTime.ts'
import { type UserDatabase, withRows } from '../../cache/database.ts'
import { listUntriedRows, rememberUnread } from '../../cache/unread.ts'
import type { InvoicePage } from '../../services/invoices.ts'

export const INVOICE_PAGE_SIZE = 50

export interface InvoicePaymentServer {
  readonly fetchInvoicePayments: (
    uid: string,
    after: InvoicePage['next'],
    most: number,
  ) => Promise<InvoicePage>
}

/**
 * Stops at a page whose last row is already known; the newest page also brings the status changed by a refund
 * or dispute. @throws a failure of the operation `fetchInvoicePayments`.
 */
export async function refreshInvoicePayments(
  uid: string,
  server: InvoicePaymentServer,
  now = serverNow(),
): Promise<void> {
  const before = await withRows(uid, async (database) => {
    const { fetched, invoicePayments, unread } = database
    const isFetched = (await fetched.get('invoicePayments')) !== undefined
    return {
      isWhole: isFetched && (await listUntriedRows(database, 'invoicePayments', 1)).length === 0,
      known: new Set([
        ...(await invoicePayments.toCollection().primaryKeys()),
        ...(await unread.toCollection().primaryKeys()),
      ]),
    }
  })
  let after: InvoicePage['next'] = null
  do {
    const page: InvoicePage = await server.fetchInvoicePayments(uid, after, INVOICE_PAGE_SIZE)
    await withRows(uid, (database) => storePage(database, page))
    after = page.next
  } while (after !== null && !(before.isWhole && before.known.has(after.id)))
  await withRows(uid, async (database) => {
    // The server no longer has the rows that a complete answer did not contain.
    if (!before.isWhole)
      await database.unread.bulkDelete(await listUntriedRows(database, 'invoicePayments', Infinity))
    await database.fetched.put({ id: 'invoicePayments', asOf: now })
  })
}

const storePage = (database: UserDatabase, { payments, unreadIds }: InvoicePage) =>
  database.transaction('rw', [database.invoicePayments, database.unread], async () => {
    await database.invoicePayments.bulkPut(payments)
    await rememberUnread(database, 'invoicePayments', { readIds: payments.map(({ id }) => id), unreadIds })
  })
