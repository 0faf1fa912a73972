import { MINUTE } from './duration.ts'

/**
 * Takes and returns UTC ms: the instant whose fields in UTC are those of `ms` in the device's time zone. A
 * stored formatter in UTC can show it; one in the device's time zone would keep an old zone.
 */
export const toLocalFields = (ms: number): number => ms - new Date(ms).getTimezoneOffset() * MINUTE
