import { getLocale, type Language } from '../common/language.ts'
import { toLocalMonth } from '../common/localFields.ts'
import { createNameMatcher, createPhoneMatcher, foldText } from '../common/search.ts'
import { cleanAmount } from '../money/cleanAmount.ts'
import { getDecimals, type Money, toMajor } from '../money/money.ts'
import type { DeliveryStage } from '../transfers/deliverySchema.ts'
import { normalizeStatus, type Status } from '../transfers/status.ts'
import { getAmounts, type Transaction } from '../transfers/transaction.ts'

export interface HistoryFilter {
  /** A name, phone number, amount or transfer number. */
  readonly text: string
  readonly status: Status | 'all'
  /** By whether the money has arrived or is on its way, as far as known. */
  readonly delivery: 'all' | 'onItsWay' | 'arrived'
}

export const NO_FILTER: HistoryFilter = { text: '', status: 'all', delivery: 'all' }

export const isFilterActive = ({ text, status, delivery }: HistoryFilter): boolean =>
  text.trim() !== '' || status !== 'all' || delivery !== 'all'

const DELIVERIES: Record<DeliveryStage, HistoryFilter['delivery'] | null> = {
  ordered: 'onItsWay',
  handedOver: 'onItsWay',
  delivered: 'arrived',
  failed: null,
  canceled: null,
  paidBack: null,
}

/** Accents, hyphens, grouping, prefixes and decimals are optional; any of a transfer's amounts matches. */
export function createHistoryMatcher(
  { text, status, delivery }: HistoryFilter,
  getName: (phone: string) => string | undefined,
): (row: Transaction) => boolean {
  const typed = foldText(text)
  const isNamed = createNameMatcher(text)
  const isWanted = createPhoneMatcher(text) ?? never
  const isWorth = createAmountMatcher(text) ?? never
  const id = !/\s/.test(typed) && typed.length >= MIN_ID_LENGTH ? typed : null
  return (row) => {
    if (status !== 'all' && normalizeStatus(row.status) !== status) return false
    if (delivery !== 'all' && !(row.delivery && DELIVERIES[row.delivery.stage] === delivery)) return false
    if (typed === '' || isWanted(row.recipientPhone) || isWorth(row)) return true
    if (id !== null && row.id.toLowerCase().includes(id)) return true
    return isNamed(getName(row.recipientPhone) ?? '')
  }
}

const MIN_ID_LENGTH = 4

const never = () => false

function createAmountMatcher(text: string): ((row: Transaction) => boolean) | null {
  const typed = cleanAmount(text, 'EUR', 'CAD', 'GNF').replaceAll(' ', '')
  const grouped = /^([1-9]\d{0,2}(?:[.,'’]\d{3})+)(?:[.,](\d{1,2}))?$/.exec(typed)
  const plain = /^(0|[1-9]\d*)(?:[.,](\d{0,2}))?$/.exec(typed)
  const [, whole = '', decimals = ''] = grouped ?? plain ?? []
  if (whole === '') return null
  const start = `${whole.replace(/\D/g, '')}.${decimals}`
  const isIt = (amount: Money) =>
    `${toMajor(amount).toFixed(getDecimals(amount.currency))}.`.startsWith(start)
  return (row) => {
    const { gross, net, converted } = getAmounts(row)
    return isIt(gross) || isIt(net) || isIt(converted)
  }
}

/** In the device's time zone, as in the dates of rows. */
export function isFirstOfMonth(rows: readonly Transaction[], index: number): boolean {
  const row = rows[index]
  const above = rows[index - 1]
  return (
    row !== undefined &&
    (above === undefined || toLocalMonth(row.createdAt) !== toLocalMonth(above.createdAt))
  )
}

/** Takes UTC ms, in the device's time zone: 'novembre 2026'. */
export const formatMonthHeading = (ms: number, language: Language): string =>
  new Intl.DateTimeFormat(getLocale(language), { month: 'long', year: 'numeric' }).format(ms)

/** Takes UTC ms, in the device's time zone; only the time on the day of `now`. */
export function formatTimeOrDate(
  ms: number,
  now: number,
  language: Language,
): { isToday: boolean; text: string } {
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString()
  const dateStyle = isToday ? undefined : 'long'
  const format = new Intl.DateTimeFormat(getLocale(language), { dateStyle, timeStyle: 'short' })
  return { isToday, text: format.format(ms) }
}
