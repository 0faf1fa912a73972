import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { buildCsv } from '../../../domain/common/csv.ts'
import { getLocale, type Language } from '../../../domain/common/language.ts'
import { formatLocalMinute, getTimeZone } from '../../../domain/common/localDay.ts'
import { formatMoney, getDecimals, type Money, toMajor } from '../../../domain/money/money.ts'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import { formatMonthHeading } from '../../../domain/records/history.ts'
import {
  getLocalMonthRange,
  type Statement,
  type StatementEntry,
  type StatementTotal,
} from '../../../domain/records/statement.ts'
import type { ReceiptStatus } from '../../../domain/transfers/status.ts'
import { toSafeLine } from '../../../print/receiptContent.ts'
import type { StatementContent, StatementLine } from '../../../print/statementPage.ts'
import { operator } from '../../services/operator.ts'
import { STATUS_NAMES } from '../../ui/payment/statusNames.ts'

const STATUSES: Readonly<Record<ReceiptStatus, MessageDescriptor>> = {
  ...STATUS_NAMES,
  refundDue: msg`Remboursement en cours`,
  canceledRefunded: msg`Annulé et remboursé`,
  canceledRefundDue: msg`Annulé, à rembourser`,
}

const SUMS: Readonly<Record<keyof StatementTotal, MessageDescriptor>> = {
  transfers: msg`Transferts, frais compris`,
  fees: msg`dont frais`,
  refunds: msg`dont remboursés ou à rembourser`,
  invoices: msg`Factures payées`,
  received: msg`Argent reçu`,
}

interface StatementView {
  readonly i18n: I18n
  readonly language: Language
  /** Payments are known until this instant (UTC ms). */
  readonly asOf: number
}

export const listTotals = (
  { totals }: Statement,
  { i18n, language }: Pick<StatementView, 'i18n' | 'language'>,
) =>
  totals.map((sums) =>
    (Object.keys(SUMS) as (keyof StatementTotal)[])
      .filter((name) => sums[name].minor !== 0)
      .map((name) => ({ name, label: i18n._(SUMS[name]), value: formatMoney(sums[name], language) })),
  )

/** Refunds long after a payment are not read again (`shouldPollDelivery`, `refreshInvoicePayments`). */
export const TOTALS_NOTE = msg`Les totaux ne comptent que les paiements effectués. Un remboursement compte dans le mois de son paiement, et peut manquer s’il est tardif.`

/** `month`: 'YYYY-MM', as 'novembre 2026'. */
export const formatMonth = (month: string, language: Language) =>
  formatMonthHeading(getLocalMonthRange(month).start, language)

export function buildStatementContent(
  statement: Statement,
  { i18n, language, asOf, userName }: StatementView & { readonly userName: string },
): StatementContent {
  const format = (amount: Money | null) => (amount ? formatMoney(amount, language) : '')
  const known = formatLocalMinute(asOf, language)
  const zone = getTimeZone()
  const time = new Intl.DateTimeFormat(getLocale(language), { dateStyle: 'short', timeStyle: 'short' })
  const { name, licence, complaints } = operator
  return {
    title: i18n._(msg`Relevé mensuel`),
    month: formatMonth(statement.month, language),
    about: [toSafeLine(userName), i18n._(msg`Paiements connus le ${known}. Mois et heures : ${zone}.`)],
    totals: listTotals(statement, { i18n, language }),
    headings: buildHeadings(i18n),
    rows: statement.entries.map((entry) => {
      const title = describeEntry(entry, i18n)
      const note = [formatReference(entry), entry.id].filter((text) => text && text !== title)
      return {
        date: time.format(entry.at),
        name: title,
        note: note.join(' · '),
        status: i18n._(STATUSES[entry.status]),
        paid: format(entry.paid),
        fee: format(entry.fee),
        arrives: format(entry.arrives),
      }
    }),
    empty: i18n._(msg`Aucun paiement ce mois-ci.`),
    notes: [
      i18n._(TOTALS_NOTE),
      i18n._(msg`Service fourni par ${name}, ${licence}. Réclamations : ${complaints}.`),
    ],
  }
}

/** The numbers of payments are text. */
export function buildStatementCsv(
  { entries }: Statement,
  { i18n, language }: Pick<StatementView, 'i18n' | 'language'>,
): string {
  const decimal = (amount: Money | null) => ({
    value: amount ? toMajor(amount).toFixed(getDecimals(amount.currency)) : '',
  })
  const zone = getTimeZone()
  const { date, status, paid, fee, arrives } = buildHeadings(i18n)
  const currency = i18n._(msg`Devise`)
  const head = [
    ...[`${date} (${zone})`, i18n._(msg`Bénéficiaire ou fournisseur`), i18n._(msg`Numéro ou référence`)],
    ...[status, paid, fee, currency, arrives, currency, i18n._(msg`Numéro du paiement`)],
  ]
  const rows = entries.map((entry) => [
    { value: formatTime(entry.at) },
    ...[describeEntry(entry, i18n), formatReference(entry), i18n._(STATUSES[entry.status])],
    ...[decimal(entry.paid), decimal(entry.fee), entry.paid?.currency ?? ''],
    ...[decimal(entry.arrives), entry.arrives?.currency ?? '', entry.id],
  ])
  return buildCsv([head, ...rows], language)
}

const buildHeadings = (i18n: I18n): StatementLine => ({
  date: i18n._(msg`Date`),
  name: i18n._(msg`Paiement`),
  note: '',
  status: i18n._(msg`Statut`),
  paid: i18n._(msg`Payé`),
  fee: i18n._(msg`Frais`),
  arrives: i18n._(msg`À recevoir`),
})

const describeEntry = (entry: StatementEntry, i18n: I18n) =>
  entry.status === 'received' || !entry.paid
    ? i18n._(SUMS.received)
    : toSafeLine(entry.name ?? formatReference(entry))

const formatReference = ({ reference, arrives }: StatementEntry) =>
  arrives ? groupPhone(reference) : toSafeLine(reference)

/** UTC ms, in the device's time zone; a spreadsheet reads and sorts '2026-11-20 15:05'. */
function formatTime(ms: number): string {
  const date = new Date(ms)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
