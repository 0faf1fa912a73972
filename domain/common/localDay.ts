import { MINUTE } from './duration.ts'
import { getLocale, type Language } from './language.ts'
import { toLocalFields } from './localFields.ts'
import { formatDay } from './month.ts'

/** The device's time zone, which changes while its user travels. */
export const getTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The day of an instant (UTC ms) in the device's time zone: '1er décembre 2026', '1 December 2026'. */
export function formatLocalDay(ms: number, language: Language): string {
  return formatDay(toLocalFields(ms), language)
}

/** Rounds an instant (UTC ms) up to a minute: '1 December 2026 at 09:30'. Default: the device's time zone. */
export function formatLocalMinute(ms: number, language: Language, timeZone?: string): string {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone } as const
  const time = new Intl.DateTimeFormat(getLocale(language), style)
  const minute = time.format(Math.ceil(ms / MINUTE) * MINUTE)
  return language === 'fr' ? minute.replace(/^1 /, '1er ') : minute
}
