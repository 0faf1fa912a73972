import { type Language, localeOf } from './language.ts'
import { decimalsOf, type Money, toMajor } from './money.ts'
import type { DeliveryStage } from './schemas/delivery.ts'
import { folded, nameMatcher, phoneMatcher } from './search.ts'
import { normaliseStatus, type Status } from './status.ts'
import { amountsOf, type Transaction } from './transaction.ts'

/** What a person looks for in the history. */
export interface HistoryFilter {
  /** A name, a telephone number, an amount or the number of a transfer; all of them when empty. */
  readonly text: string
  readonly status: Status | 'all'
  /** Whether the money has arrived, or is on its way to the recipient, as far as that is known. */
  readonly delivery: 'all' | 'onItsWay' | 'arrived'
}

export const EVERYTHING: HistoryFilter = { text: '', status: 'all', delivery: 'all' }

/** Whether the filter leaves out anything at all. */
export const isNarrow = ({ text, status, delivery }: HistoryFilter): boolean =>
  text.trim() !== '' || status !== 'all' || delivery !== 'all'

const DELIVERIES: Record<DeliveryStage, HistoryFilter['delivery'] | null> = {
  ordered: 'onItsWay',
  handedOver: 'onItsWay',
  delivered: 'arrived',
  failed: null,
  paidBack: null,
}

/**
 * Whether a transfer is what is looked for. A name may lack its accents; a number may be grouped in any way, with or
 * without its prefix; an amount is the one paid, sent or received, in full or without its decimals. `nameOf` knows the
 * recipient's name by the number.
 */
export function historyMatcher(
  { text, status, delivery }: HistoryFilter,
  nameOf: (phone: string) => string | undefined,
): (row: Transaction) => boolean {
  const typed = folded(text)
  const isNamed = nameMatcher(text)
  const isWanted = phoneMatcher(text) ?? never
  const isWorth = isOfAmount(text) ?? never
  const id = !/\s/.test(typed) && typed.length >= SHORTEST_ID ? typed : null
  return (row) => {
    if (status !== 'all' && normaliseStatus(row.status) !== status) return false
    if (delivery !== 'all' && !(row.delivery && DELIVERIES[row.delivery.stage] === delivery)) return false
    if (typed === '' || isWanted(row.recipientPhone) || isWorth(row)) return true
    if (id !== null && row.id.toLowerCase().includes(id)) return true
    return isNamed(nameOf(row.recipientPhone) ?? '')
  }
}

const SHORTEST_ID = 4

const never = () => false

function isOfAmount(text: string): ((row: Transaction) => boolean) | null {
  const typed = text.replace(/[\s\p{Cf}]|EUR|CAD|GNF|\$CA|CA\$|€/giu, '')
  const grouped = /^([1-9]\d{0,2}(?:[.,'’]\d{3})+)(?:[.,](\d{1,2}))?$/.exec(typed)
  const plain = /^(0|[1-9]\d*)(?:[.,](\d{0,2}))?$/.exec(typed)
  const [, whole = '', decimals = ''] = grouped ?? plain ?? []
  if (whole === '') return null
  const start = `${whole.replace(/\D/g, '')}.${decimals}`
  const isIt = (amount: Money) => `${toMajor(amount).toFixed(decimalsOf(amount.currency))}.`.startsWith(start)
  return (row) => {
    const { gross, net, converted } = amountsOf(row)
    return isIt(gross) || isIt(net) || isIt(converted)
  }
}

/** Whether the row is the first of its month, in the device's own time zone, as the dates of rows are. */
export function startsMonth(rows: readonly Transaction[], index: number): boolean {
  const row = rows[index]
  const above = rows[index - 1]
  return row !== undefined && (above === undefined || monthIn(row.createdAt) !== monthIn(above.createdAt))
}

function monthIn(ms: number): number {
  const date = new Date(ms)
  return date.getFullYear() * 12 + date.getMonth()
}

/** The month of an instant (UTC ms) as a heading, in the device's own time zone: 'novembre 2026'. */
export const monthHeading = (ms: number, language: Language): string => formatOf('month', language).format(ms)

/**
 * An instant (UTC ms) as seen at `now`, in the device's own time zone: the time alone on the same day, with its date
 * otherwise.
 */
export function asOfText(ms: number, now: number, language: Language): { isToday: boolean; text: string } {
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString()
  return { isToday, text: formatOf(isToday ? 'time' : 'dateTime', language).format(ms) }
}

const FORMATS = {
  month: { month: 'long', year: 'numeric' },
  time: { timeStyle: 'short' },
  dateTime: { dateStyle: 'long', timeStyle: 'short' },
} as const

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(name: keyof typeof FORMATS, language: Language): Intl.DateTimeFormat {
  const key = `${name} ${language}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(localeOf(language), FORMATS[name])
  formats.set(key, format)
  return format
}
