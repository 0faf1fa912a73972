import { getLocale, type Language } from './language.ts'

/** Seconds up to 90, then minutes up to 90, then hours; both rounded up. */
export function formatWait(
  seconds: number,
  language: Language,
  unitDisplay: 'long' | 'short' = 'long',
): string {
  const minutes = Math.ceil(seconds / 60)
  const [value, unit] =
    seconds <= 90
      ? [seconds, 'second']
      : minutes <= 90
        ? [minutes, 'minute']
        : [Math.ceil(minutes / 60), 'hour']
  return new Intl.NumberFormat(getLocale(language), { style: 'unit', unit, unitDisplay }).format(value)
}
