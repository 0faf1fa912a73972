import { type Language, localeOf } from './language.ts'

/** 'YYYY-MM' of an instant (UTC ms). Months are UTC, wherever the sender is. Specification, section 7. */
export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7)
}

/** The first instant (UTC ms) of the month after the one of `ms`: when the cap and the allowance start anew. */
export function nextMonthStart(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** The instants (UTC ms) of a month 'YYYY-MM': from `start`, up to but without `end`. */
export function monthRange(month: string): { readonly start: number; readonly end: number } {
  const start = Date.parse(`${month}-01T00:00:00Z`)
  return { start, end: nextMonthStart(start) }
}

// Making one takes a cheap phone longer than all the rest of a keystroke.
const formats = new Map<Language, Intl.DateTimeFormat>()

/** The UTC day of an instant (UTC ms) in words: '1er décembre 2026', '1 December 2026'. */
export function formatDay(ms: number, language: Language): string {
  const format =
    formats.get(language) ??
    new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(language, format)
  const day = format.format(ms)
  return language === 'fr' ? day.replace(/^1 /, '1er ') : day
}
