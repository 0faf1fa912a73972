/** UTC microseconds. A number is exact until the year 2255. */
export type Micros = number

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/i

/** Six digits after the second, as in `createTime` and `updateTime`. */
export const formatTimestamp = (micros: Micros): string =>
  `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, '0')}Z`

/** UTC and microseconds with a fixed width, so that text order is time order. Null if invalid. */
export function normalizeTimestamp(text: string): string | null {
  const [, seconds, fraction = '', zone] = RFC_3339.exec(text) ?? []
  const ms = seconds && zone ? Date.parse(seconds + zone) : Number.NaN
  return Number.isNaN(ms)
    ? null
    : `${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`
}

/** 0, 3 or 6 digits after the second, as in stored values; null if invalid. */
export const shortenTimestamp = (text: string): string | null =>
  normalizeTimestamp(text)?.replace(/\.?(000){1,2}Z$/, 'Z') ?? null

/** Throws for anything that `formatTimestamp` did not make. */
export const parseMicros = (full: string): Micros => {
  const micros = Date.parse(`${full.slice(0, 23)}Z`) * 1000 + Number(full.slice(23, 26))
  if (Number.isNaN(micros)) throw new Error(`Not a full timestamp: ${full}`)
  return micros
}
