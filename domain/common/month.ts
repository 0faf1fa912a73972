import { DAY } from './duration.ts'
import { getLocale, type Language } from './language.ts'

/**
 * Formats the month of an instant (UTC ms) as 'YYYY-MM'. Months are UTC, wherever the sender is.
 * Specification, section 7.
 */
export function toMonth(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7)
}

/** Returns the start (UTC ms) of the month after `ms`, when cap and allowance are reset. */
export function getNextMonthStart(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** Returns the start (UTC ms) of the UTC day after `ms`. */
export const getNextDayStart = (ms: number): number => (Math.floor(ms / DAY) + 1) * DAY

/** Returns the instants (UTC ms) of a month 'YYYY-MM': `start` included, `end` excluded. */
export function getMonthRange(month: string): { readonly start: number; readonly end: number } {
  const start = Date.parse(`${month}-01T00:00:00Z`)
  return { start, end: getNextMonthStart(start) }
}

// On a cheap phone, creating a format takes longer than the rest of a keystroke.
const formats = new Map<Language, Intl.DateTimeFormat>()

/** Formats the UTC day of an instant (UTC ms): '1er décembre 2026', '1 December 2026'. */
export function formatDay(ms: number, language: Language): string {
  const format =
    formats.get(language) ??
    new Intl.DateTimeFormat(getLocale(language), { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(language, format)
  const day = format.format(ms)
  return language === 'fr' ? day.replace(/^1 /, '1er ') : day
}
