import { MINUTE } from '../common/duration.ts'
import type { ReceivingMethod } from './wallets.ts'

/**
 * Whether a setting is a duration that can be promised, because `formatWait` writes it exactly: up to 90
 * minutes, or whole hours, less than 70 days.
 */
export const isPromisableDuration = (text: string): boolean =>
  /^[1-9]\d{0,4}$/.test(text) && (Number(text) <= 90 || Number(text) % 60 === 0)

/** The longest time that each provider is promised to take, in minutes; null without a promise. */
export interface MaxMinutesByProvider {
  readonly mtn: number | null
  readonly byHand: number | null
}

/**
 * Returns the promised minutes from payment to arrival for this wallet: its provider's longest time. Null
 * without a promise (section 9's estimate applies). Must match the providers in the functions' `settings.ts`.
 */
export const choosePromisedMinutes = (
  wallet: ReceivingMethod | null,
  { mtn, byHand }: MaxMinutesByProvider,
): number | null => (wallet === 'mtn_money' ? (mtn ?? byHand) : byHand)

/** The longest time before the end of its promise at which a transfer begins to count as late. */
const MAX_LEAD_TIME = 30 * MINUTE

/**
 * Returns when a transfer that has not arrived begins to count as late (UTC ms): at the estimated time, or,
 * with a promise, a tenth of the promised time before its end, but at most half an hour.
 */
export function getLateTime({
  estimatedArrival,
  promisedMinutes,
}: {
  readonly estimatedArrival: number
  readonly promisedMinutes?: number | null
}): number {
  return promisedMinutes
    ? estimatedArrival - Math.min((promisedMinutes * MINUTE) / 10, MAX_LEAD_TIME)
    : estimatedArrival
}
