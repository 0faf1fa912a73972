import { type Language, localeOf } from './language.ts'

/** How long to wait, in the unit that a person counts in: seconds up to one and a half minutes, begun minutes up to as many hours, then begun hours. */
export function formatWait(seconds: number, language: Language): string {
  const minutes = Math.ceil(seconds / 60)
  const [value, unit] =
    seconds <= 90
      ? [seconds, 'second']
      : minutes <= 90
        ? [minutes, 'minute']
        : [Math.ceil(minutes / 60), 'hour']
  return new Intl.NumberFormat(localeOf(language), { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
