import { DAY } from './duration.ts'
import { getLocale, type Language } from './language.ts'

/** 'YYYY-MM' in UTC, wherever the sender is. Specification, section 7. */
export function toMonth(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7)
}

/** UTC ms; cap and allowance are reset then. */
export function getNextMonthStart(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** UTC ms, in UTC days. */
export const getNextDayStart = (ms: number): number => (Math.floor(ms / DAY) + 1) * DAY

/** UTC ms: `start` included, `end` excluded. */
export function getMonthRange(month: string): { readonly start: number; readonly end: number } {
  const start = Date.parse(`${month}-01T00:00:00Z`)
  return { start, end: getNextMonthStart(start) }
}

// Creating a format is too slow for a keystroke on a cheap phone.
const formats = new Map<Language, Intl.DateTimeFormat>()

/** The UTC day of an instant (UTC ms): '1er décembre 2026', '1 December 2026'. */
export function formatDay(ms: number, language: Language): string {
  const format =
    formats.get(language) ??
    new Intl.DateTimeFormat(getLocale(language), { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(language, format)
  const day = format.format(ms)
  return language === 'fr' ? day.replace(/^1 /, '1er ') : day
}

/** The UTC day on which cap and allowance are reset next: '1er décembre', '1 December'. `ms`: UTC. */
export const formatNextReset = (ms: number, language: Language): string =>
  formatDay(getNextMonthStart(ms), language).replace(/ \d+$/, '')
