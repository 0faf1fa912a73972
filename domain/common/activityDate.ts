import { DAY, HOUR, MINUTE } from './duration.ts'
import { getLocale, type Language } from './language.ts'
import { formatLocalDay } from './localDay.ts'
import { toLocalFields } from './localFields.ts'

/** The interface has a text for 'just now'; `Intl` formats the others. */
export type ActivityDate =
  | { readonly kind: 'justNow' }
  | { readonly kind: 'minutes' | 'hours' | 'weekday' | 'date'; readonly text: string }

/**
 * UTC ms, in the device's time zone. Up to an hour ahead is 'just now': the server's clock may be ahead.
 * Specification, section 9.
 */
export function formatActivityDate(ms: number, now: number, language: Language): ActivityDate {
  const age = now - ms
  const { ago, weekday } = getFormats(language)
  if (age < -HOUR || age >= 7 * DAY) return { kind: 'date', text: formatLocalDay(ms, language) }
  if (age < MINUTE) return { kind: 'justNow' }
  if (ago && age < HOUR) return { kind: 'minutes', text: ago.format(-Math.floor(age / MINUTE), 'minute') }
  if (ago && age < DAY) return { kind: 'hours', text: ago.format(-Math.floor(age / HOUR), 'hour') }
  return { kind: 'weekday', text: weekday.format(toLocalFields(ms)) }
}

interface Formats {
  readonly ago: Intl.RelativeTimeFormat | null
  readonly weekday: Intl.DateTimeFormat
}

const cache = new Map<Language, Formats>()

function getFormats(language: Language): Formats {
  const formats = cache.get(language)
  if (formats) return formats
  const locale = getLocale(language)
  const made = {
    ago: 'RelativeTimeFormat' in Intl ? new Intl.RelativeTimeFormat(locale) : null,
    weekday: new Intl.DateTimeFormat(locale, {
      timeZone: 'UTC',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
    }),
  }
  cache.set(language, made)
  return made
}
