import { DAY, HOUR, MINUTE } from './duration.ts'
import { type Language, localeOf } from './language.ts'

/** 'Just now' is a text of the interface; everything else is written by the locale. */
export type ActivityDate =
  | { readonly kind: 'justNow' }
  | { readonly kind: 'minutes' | 'hours' | 'weekday' | 'date'; readonly text: string }

/**
 * How recent activity says when something happened; instants in UTC ms, shown in `timeZone` (the device's own when
 * left out). What lies up to an hour ahead is just now, as the server's clock may be ahead of the device's.
 * Specification, section 9.
 */
export function activityDate(ms: number, now: number, language: Language, timeZone?: string): ActivityDate {
  const age = now - ms
  const { ago, weekday, date } = formatsOf(language, timeZone)
  if (age < -HOUR || age >= 7 * DAY) return { kind: 'date', text: date.format(ms) }
  if (age < MINUTE) return { kind: 'justNow' }
  if (age < HOUR) return { kind: 'minutes', text: ago.format(-Math.floor(age / MINUTE), 'minute') }
  if (age < DAY) return { kind: 'hours', text: ago.format(-Math.floor(age / HOUR), 'hour') }
  return { kind: 'weekday', text: weekday.format(ms) }
}

interface Formats {
  readonly ago: Intl.RelativeTimeFormat
  readonly weekday: Intl.DateTimeFormat
  readonly date: Intl.DateTimeFormat
}

const known = new Map<string, Formats>()

function formatsOf(language: Language, timeZone: string | undefined): Formats {
  const key = `${language} ${timeZone}`
  const formats = known.get(key)
  if (formats) return formats
  const locale = localeOf(language)
  const made = {
    ago: new Intl.RelativeTimeFormat(locale),
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
