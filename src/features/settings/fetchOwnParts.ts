import { monthOf } from '../../../domain/month.ts'
import type { OwnParts } from '../../../domain/ownData.ts'
import { ServiceError } from '../../browser/failure.ts'
import type { fetchContacts } from '../../services/contacts.ts'
import type { fetchIdentityFiles } from '../../services/identityFiles.ts'
import type { fetchInvoicePayments } from '../../services/invoices.ts'
import type { fetchLedger } from '../../services/ledgers.ts'
import type { fetchProfile } from '../../services/profiles.ts'
import type { fetchHistory } from '../../services/transactions.ts'

/** What the server is asked. */
export interface OwnServer {
  readonly fetchContacts: typeof fetchContacts
  readonly fetchHistory: typeof fetchHistory
  readonly fetchIdentityFiles: typeof fetchIdentityFiles
  readonly fetchInvoicePayments: typeof fetchInvoicePayments
  readonly fetchLedger: typeof fetchLedger
  readonly fetchProfile: typeof fetchProfile
}

/** How many rows one call asks for. */
const PAGE = 100

/**
 * Everything of the person, from the server and not from this device, which may hold only a part. All or nothing: a call that fails
 * ends it with its failure. `onProgress` is told how many transfers and invoices have come.
 */
export async function fetchOwnParts(
  uid: string,
  server: OwnServer,
  { now, onProgress }: { readonly now: number; readonly onProgress: (count: number) => void },
): Promise<Omit<OwnParts, 'announcements'>> {
  let count = 0
  const tell = (more: number) => {
    count += more
    onProgress(count)
  }
  const [profile, ledger, contacts, identityFiles, transactions, invoicePayments] = await Promise.all([
    server.fetchProfile(uid),
    server.fetchLedger(uid, monthOf(now)),
    server.fetchContacts(uid),
    server.fetchIdentityFiles(uid),
    allTransactions(uid, server, tell),
    allInvoicePayments(uid, server, tell),
  ])
  if (!profile) throw new ServiceError({ kind: 'data', operation: 'fetchProfile', cause: 'other' })
  return { profile, ledger, contacts, identityFiles, transactions, invoicePayments }
}

async function allTransactions(uid: string, { fetchHistory }: OwnServer, tell: (more: number) => void) {
  const rows: OwnParts['transactions'][number][] = []
  let after: Parameters<typeof fetchHistory>[1] = null
  do {
    const { transactions, stretch } = await fetchHistory(uid, after, PAGE)
    rows.push(...transactions)
    tell(transactions.length)
    after = stretch.oldest
  } while (after !== null)
  return rows
}

async function allInvoicePayments(
  uid: string,
  { fetchInvoicePayments }: OwnServer,
  tell: (more: number) => void,
) {
  const rows: OwnParts['invoicePayments'][number][] = []
  let after: Parameters<typeof fetchInvoicePayments>[1] = null
  do {
    const { payments, next } = await fetchInvoicePayments(uid, after, PAGE)
    rows.push(...payments)
    tell(payments.length)
    after = next
  } while (after !== null)
  return rows
}
