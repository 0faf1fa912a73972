import { MINUTE } from './duration.ts'
import { toMonth } from './month.ts'

/**
 * Takes and returns UTC ms: the instant whose fields in UTC are those of `ms` in the device's time zone. A
 * stored formatter in UTC can show it; one in the device's time zone would keep an old zone.
 */
export const toLocalFields = (ms: number): number => ms - new Date(ms).getTimezoneOffset() * MINUTE

/** 'YYYY-MM' of an instant (UTC ms), in the device's time zone. */
export const toLocalMonth = (ms: number): string => toMonth(toLocalFields(ms))
