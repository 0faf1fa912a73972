import type { Language } from './language.ts'
import { formatDay } from './month.ts'

/**
 * The day of an instant (UTC ms) in words, in the device's own time zone, as receipts and the history have it:
 * '1er décembre 2026', '1 December 2026'.
 */
export function localDay(ms: number, language: Language): string {
  const date = new Date(ms)
  return formatDay(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()), language)
}
