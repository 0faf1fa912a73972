import { DAY, HOUR, MINUTE } from './duration.ts'
import { getLocale, type Language } from './language.ts'

/** The interface has a text for 'just now'; `Intl` formats the others. */
export type ActivityDate =
  | { readonly kind: 'justNow' }
  | { readonly kind: 'minutes' | 'hours' | 'weekday' | 'date'; readonly text: string }

/** UTC ms. Up to an hour ahead is 'just now': the server's clock may be ahead. Specification, section 9. */
export function formatActivityDate(
  ms: number,
  now: number,
  language: Language,
  timeZone?: string,
): ActivityDate {
  const age = now - ms
  const { ago, weekday, date } = getFormats(language, timeZone)
  if (age < -HOUR || age >= 7 * DAY) return { kind: 'date', text: date.format(ms) }
  if (age < MINUTE) return { kind: 'justNow' }
  if (ago && age < HOUR) return { kind: 'minutes', text: ago.format(-Math.floor(age / MINUTE), 'minute') }
  if (ago && age < DAY) return { kind: 'hours', text: ago.format(-Math.floor(age / HOUR), 'hour') }
  return { kind: 'weekday', text: weekday.format(ms) }
}

interface Formats {
  readonly ago: Intl.RelativeTimeFormat | null
  readonly weekday: Intl.DateTimeFormat
  readonly date: Intl.DateTimeFormat
}

const known = new Map<string, Formats>()

function getFormats(language: Language, timeZone: string | undefined): Formats {
  const key = `${language} ${timeZone}`
  const formats = known.get(key)
  if (formats) return formats
  const locale = getLocale(language)
  const made = {
    ago: 'RelativeTimeFormat' in Intl ? new Intl.RelativeTimeFormat(locale) : null,
    weekday: new Intl.DateTimeFormat(locale, {
      timeZone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
    }),
    date: new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long' }),
  }
  known.set(key, made)
  return made
}
