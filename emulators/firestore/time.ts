/** Microseconds since the epoch, UTC: the precision of Firestore's own times. Exact as a number until 2255. */
export type Micros = number

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/i

/** With all six digits, as in createTime and updateTime. */
export const timestampOf = (micros: Micros): string =>
  `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, '0')}Z`

/** In UTC, cut to microseconds, in the fixed width in which text order is time order; null for anything else. */
export function fullTimestamp(text: string): string | null {
  const [, seconds, fraction = '', zone] = RFC_3339.exec(text) ?? []
  const ms = seconds && zone ? Date.parse(seconds + zone) : Number.NaN
  return Number.isNaN(ms)
    ? null
    : `${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`
}

/** As a stored value is written: no more digits than are needed, in threes. */
export const shortTimestamp = (text: string): string | null =>
  fullTimestamp(text)?.replace(/\.?(000){1,2}Z$/, 'Z') ?? null

/** Throws for anything but a timestamp that `timestampOf` made. */
export const microsOf = (full: string): Micros => {
  const micros = Date.parse(`${full.slice(0, 23)}Z`) * 1000 + Number(full.slice(23, 26))
  if (Number.isNaN(micros)) throw new Error(`Not a full timestamp: ${full}`)
  return micros
}
