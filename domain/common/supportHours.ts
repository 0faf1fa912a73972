import { DAY, HOUR } from './duration.ts'

const SUPPORT_TIME_ZONE = 'Europe/Paris'
/** Full hours on weekdays, in Paris. Specification, section 2. */
export const SUPPORT_OPENS_AT = 9
export const SUPPORT_CLOSES_AT = 19

export interface SupportHours {
  readonly isOpen: boolean
  /** The next change, in UTC ms. */
  readonly until: number
}

/** At `now` (UTC ms). Knows Parisian summer time, but no public holidays. Specification, sections 2 and 9. */
export function getSupportHours(now: number): SupportHours {
  const today = toLocalDay(now)
  const opening = toInstant(today, SUPPORT_OPENS_AT)
  const closing = toInstant(today, SUPPORT_CLOSES_AT)
  if (isWeekday(today)) {
    if (now < opening) return { isOpen: false, until: opening }
    if (now < closing) return { isOpen: true, until: closing }
  }
  let next = today + DAY
  while (!isWeekday(next)) next += DAY
  return { isOpen: false, until: toInstant(next, SUPPORT_OPENS_AT) }
}

const clock = new Intl.DateTimeFormat('en-US', {
  timeZone: SUPPORT_TIME_ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
})

/** Local time to the hour, expressed as UTC ms. */
function toLocalHour(ms: number): number {
  const parts = clock.formatToParts(ms).map(({ type, value }) => [type, Number(value)])
  const { year, month, day, hour } = Object.fromEntries(parts)
  return Date.UTC(year, month - 1, day, hour)
}

function toLocalDay(ms: number): number {
  return Math.floor(toLocalHour(ms) / DAY) * DAY
}

/** The clocks never change near the opening hours. */
function toInstant(day: number, hour: number): number {
  const shown = day + hour * HOUR
  return shown - (toLocalHour(shown) - shown)
}

function isWeekday(day: number): boolean {
  return ![0, 6].includes(new Date(day).getUTCDay())
}
