import { type Language, localeOf } from './language.ts'

/** How long to wait, in the unit that a person counts in: seconds up to a minute and a half, then begun minutes. */
export function formatWait(seconds: number, language: Language): string {
  const [value, unit] = seconds <= 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(localeOf(language), { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
