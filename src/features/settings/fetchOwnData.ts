import { toMonth } from '../../../domain/common/month.ts'
import type { DataOperation } from '../../../domain/errors/failure.ts'
import type { InvoicePayment } from '../../../domain/invoices/invoice.ts'
import type { HistoryCursor } from '../../../domain/records/historyCoverage.ts'
import type { OwnDataParts } from '../../../domain/records/ownData.ts'
import type { Transaction } from '../../../domain/transfers/transaction.ts'
import { ServiceError } from '../../browser/failure.ts'
import type { fetchContacts } from '../../services/contacts.ts'
import type { fetchIdentityFiles } from '../../services/identityFiles.ts'
import type { fetchInvoicePayments, InvoicePage } from '../../services/invoices.ts'
import type { fetchLedger } from '../../services/ledgers.ts'
import type { fetchProfile } from '../../services/profiles.ts'
import type { fetchHistory } from '../../services/transactions.ts'

export interface OwnDataServer {
  readonly fetchContacts: typeof fetchContacts
  readonly fetchHistory: typeof fetchHistory
  readonly fetchIdentityFiles: typeof fetchIdentityFiles
  readonly fetchInvoicePayments: typeof fetchInvoicePayments
  readonly fetchLedger: typeof fetchLedger
  readonly fetchProfile: typeof fetchProfile
}

const PAGE = 100

/**
 * This device may hold only a part of the data. Fails if any call fails. `onProgress` gets the number of
 * transfers and invoices so far.
 */
export async function fetchOwnData(
  uid: string,
  server: OwnDataServer,
  { now, onProgress }: { readonly now: number; readonly onProgress: (count: number) => void },
): Promise<Omit<OwnDataParts, 'announcements'>> {
  let count = 0
  const tell = (more: number) => {
    count += more
    onProgress(count)
  }
  const [profile, ledger, contacts, identityFiles, transactions, invoicePayments] = await Promise.all([
    server.fetchProfile(uid),
    server.fetchLedger(uid, toMonth(now)),
    server.fetchContacts(uid),
    server.fetchIdentityFiles(uid),
    fetchAll<Transaction, HistoryCursor>(async (after) => {
      const { transactions, unreadIds, stretch } = await server.fetchHistory(uid, after, PAGE)
      requireAllRead('fetchHistory', unreadIds)
      return { rows: transactions, next: stretch.oldest }
    }, tell),
    fetchAll<InvoicePayment, InvoicePage['next']>(async (after) => {
      const { payments, unreadIds, next } = await server.fetchInvoicePayments(uid, after, PAGE)
      requireAllRead('fetchInvoicePayments', unreadIds)
      return { rows: payments, next }
    }, tell),
  ])
  if (!profile) throw new ServiceError({ kind: 'data', operation: 'fetchProfile', cause: 'other' })
  return { profile, ledger, contacts, identityFiles, transactions, invoicePayments }
}

async function fetchAll<Row, Cursor>(
  fetchPage: (after: Cursor | null) => Promise<{ rows: readonly Row[]; next: Cursor | null }>,
  tell: (more: number) => void,
): Promise<readonly Row[]> {
  const all: Row[] = []
  let after: Cursor | null = null
  do {
    const { rows, next } = await fetchPage(after)
    all.push(...rows)
    tell(rows.length)
    after = next
  } while (after !== null)
  return all
}

/** Only a newer version of the app knows the values of an unread payment. */
function requireAllRead(operation: DataOperation, unreadIds: readonly string[]) {
  if (unreadIds.length > 0) throw new ServiceError({ kind: 'data', operation, cause: 'unreadable' })
}
