import { DAY, HOUR } from './duration.ts'

/** Where the support is. */
const SUPPORT_TIME_ZONE = 'Europe/Paris'
/** Full hours, on weekdays, by the clock of the support. Specification, section 2: weekdays 9h to 19h. */
export const SUPPORT_OPENS_AT = 9
export const SUPPORT_CLOSES_AT = 19

export interface SupportHours {
  readonly isOpen: boolean
  /** When that changes next, in UTC ms. */
  readonly until: number
}

/**
 * Whether somebody answers the phone at `now` (UTC ms), and until when it stays so. The summer time of Paris is kept
 * in mind; its public holidays are not known. Specification, sections 2 and 9.
 */
export function supportHours(now: number): SupportHours {
  const today = dayOf(now)
  const opening = atHour(today, SUPPORT_OPENS_AT)
  const closing = atHour(today, SUPPORT_CLOSES_AT)
  if (isWeekday(today)) {
    if (now < opening) return { isOpen: false, until: opening }
    if (now < closing) return { isOpen: true, until: closing }
  }
  let next = today + DAY
  while (!isWeekday(next)) next += DAY
  return { isOpen: false, until: atHour(next, SUPPORT_OPENS_AT) }
}

const clock = new Intl.DateTimeFormat('en-US', {
  timeZone: SUPPORT_TIME_ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
})

/** What the clock of the support shows, as if it were UTC; to the hour. */
function shownAt(ms: number): number {
  const parts = clock.formatToParts(ms).map(({ type, value }) => [type, Number(value)])
  const { year, month, day, hour } = Object.fromEntries(parts)
  return Date.UTC(year, month - 1, day, hour)
}

/** The day at the support, as its midnight if it were UTC. */
function dayOf(ms: number): number {
  return Math.floor(shownAt(ms) / DAY) * DAY
}

/** The instant at which the clock of the support shows this hour; no change of summer time comes near the hours used. */
function atHour(day: number, hour: number): number {
  const shown = day + hour * HOUR
  return shown - (shownAt(shown) - shown)
}

function isWeekday(day: number): boolean {
  return ![0, 6].includes(new Date(day).getUTCDay())
}
