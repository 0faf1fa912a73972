import { toLocalMonth } from '../common/localFields.ts'
import { getPaidAmount, type InvoicePayment } from '../invoices/invoice.ts'
import { findSupplier } from '../invoices/suppliers.ts'
import { type Currency, type Money, money } from '../money/money.ts'
import { getReceiptStatus } from '../transfers/progress.ts'
import { normalizeStatus, type ReceiptStatus } from '../transfers/status.ts'
import { getAmounts, type Transaction } from '../transfers/transaction.ts'
import type { HistoryCoverage } from './historyCoverage.ts'

/** Instants are UTC milliseconds. */
export interface StatementEntry {
  readonly id: string
  readonly at: number
  readonly status: ReceiptStatus
  /** The recipient's or supplier's; null if only the number is known. */
  readonly name: string | null
  /** The recipient's number, or the invoice's reference. */
  readonly reference: string
  /** Null for received money. */
  readonly paid: Money | null
  /** Null for an invoice and for received money. */
  readonly fee: Money | null
  /** Null for an invoice. */
  readonly arrives: Money | null
}

/** One currency, without payments that failed or are still open. */
export interface StatementTotal {
  readonly transfers: Money
  /** Contained in `transfers`. */
  readonly fees: Money
  readonly invoices: Money
  /** The charges that were or will be refunded, contained in `transfers`. */
  readonly refunds: Money
  readonly received: Money
}

export interface Statement {
  /** 'YYYY-MM', in the device's time zone like the history. */
  readonly month: string
  /** Oldest first. */
  readonly entries: readonly StatementEntry[]
  readonly totals: readonly StatementTotal[]
}

/** UTC ms of a month in the device's time zone: `start` included, `end` excluded. */
export function getLocalMonthRange(month: string): { readonly start: number; readonly end: number } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { start: new Date(year, number - 1).getTime(), end: new Date(year, number).getTime() }
}

/** Newest first. */
export function listMonths(first: number, last: number): readonly string[] {
  const months: string[] = []
  const until = toLocalMonth(first)
  for (
    let month = toLocalMonth(last);
    month >= until;
    month = toLocalMonth(getLocalMonthRange(month).start - 1)
  )
    months.push(month)
  return months
}

export function buildStatement(
  month: string,
  transactions: readonly Transaction[],
  invoicePayments: readonly InvoicePayment[],
): Statement {
  const entries = [...transactions.map(toTransferEntry), ...invoicePayments.map(toInvoiceEntry)]
    .filter(({ at }) => toLocalMonth(at) === month)
    .sort((one, other) => one.at - other.at)
  const counted = entries.filter(({ status }) => COUNTED.has(status))
  const currencies = new Set(counted.flatMap(({ paid, arrives }) => (paid ?? arrives)?.currency ?? []))
  return { month, entries, totals: [...currencies].sort().map((currency) => sum(counted, currency)) }
}

/** The charge was or will be refunded, because the money could not arrive. */
const RETURNED = new Set<ReceiptStatus>(['refunded', 'refundDue', 'canceledRefunded', 'canceledRefundDue'])

/** A refund counts in the month of its payment, because the device doesn't know when it was made. */
const COUNTED = new Set<ReceiptStatus>([...RETURNED, 'completed', 'received'])

function toTransferEntry(row: Transaction): StatementEntry {
  const { gross, fee, converted } = getAmounts(row)
  const isReceived = row.type === 'received'
  return {
    id: row.id,
    at: row.createdAt,
    status: getReceiptStatus(row),
    // Received money doesn't show who sent it; the number is the user's own.
    name: isReceived ? null : row.recipientName,
    reference: isReceived ? '' : row.recipientPhone,
    paid: isReceived ? null : gross,
    fee: isReceived ? null : fee,
    arrives: converted,
  }
}

const toInvoiceEntry = (payment: InvoicePayment): StatementEntry => ({
  id: payment.id,
  at: payment.createdAt,
  status: normalizeStatus(payment.status),
  name: findSupplier(payment.supplier)?.name ?? payment.supplier,
  reference: payment.reference,
  paid: getPaidAmount(payment),
  fee: null,
  arrives: null,
})

function sum(entries: readonly StatementEntry[], currency: Currency): StatementTotal {
  const add = (pick: (entry: StatementEntry) => Money | null) =>
    money(
      entries.reduce((total, entry) => {
        const amount = pick(entry)
        return amount?.currency === currency ? total + amount.minor : total
      }, 0),
      currency,
    )
  return {
    transfers: add(({ fee, paid }) => (fee ? paid : null)),
    fees: add(({ fee }) => fee),
    invoices: add(({ fee, paid }) => (fee ? null : paid)),
    refunds: add(({ status, paid }) => (RETURNED.has(status) ? paid : null)),
    received: add(({ status, arrives }) => (status === 'received' ? arrives : null)),
  }
}

/** `asOf`: UTC ms. */
export const isProvisional = (month: string, asOf: number) => asOf < getLocalMonthRange(month).end

export interface KnownPayments {
  /** Undefined before the first answer of the server. */
  readonly history: (HistoryCoverage & { readonly asOf: number | null }) | undefined
  /** UTC ms. */
  readonly invoicesAsOf: number | undefined
  /** Rows that this version of the app can't read, of any month. */
  readonly unread: number
}

/** `known`: complete as of `asOf` (UTC ms), which may be before the month's end. */
export type StatementCoverage =
  | { readonly kind: 'missing' | 'unreadable' }
  | { readonly kind: 'known'; readonly asOf: number }

export function getStatementCoverage(
  { history, invoicesAsOf, unread }: KnownPayments,
  month: string,
): StatementCoverage {
  const { start, end } = getLocalMonthRange(month)
  const asOf = Math.min(history?.asOf ?? 0, invoicesAsOf ?? 0)
  if (!history || asOf < start) return { kind: 'missing' }
  const isMissing = history.gaps.some(({ after, until }) => {
    const isAboveStart = after === null || after.seconds >= Math.floor(start / 1000)
    return isAboveStart && (until === null || until.seconds * 1000 < end)
  })
  if (isMissing) return { kind: 'missing' }
  return unread > 0 ? { kind: 'unreadable' } : { kind: 'known', asOf }
}
