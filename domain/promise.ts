import { MINUTE } from './duration.ts'
import type { ReceivingMethod } from './wallets.ts'

/** Whether a setting says a provider's longest time as people can be told it exactly (`formatWait`): up to 90 minutes, or whole hours, less than 70 days. */
export const isLongest = (text: string): boolean =>
  /^[1-9]\d{0,4}$/.test(text) && (Number(text) <= 90 || Number(text) % 60 === 0)

/** How long each provider may take, in minutes; null where the operator promises nothing of it. */
export interface LongestMinutes {
  readonly mtn: number | null
  readonly byHand: number | null
}

/**
 * Within how many minutes of the payment a transfer to this wallet is promised to arrive: its provider's longest time. Null where nothing is
 * promised, and section 9's estimate stands. Who pays to a wallet the functions' settings have to agree with (`settings.ts`).
 */
export const promisedMinutes = (
  wallet: ReceivingMethod | null,
  { mtn, byHand }: LongestMinutes,
): number | null => (wallet === 'mtn_money' ? (mtn ?? byHand) : byHand)

/**
 * What is kept of a promise: what the person saw before paying, but never more than the provider's longest time. The app may have shown
 * an earlier, shorter one, and what was seen binds. In minutes; null where neither promised anything.
 */
export function keptPromise(ours: number | null, shown: number | null): number | null {
  return ours === null || shown === null ? ours : Math.min(ours, shown)
}

/** The time before the end of a promise in which we know that it will not be kept: a tenth of it, half an hour at most. */
const MOST_AHEAD = 30 * MINUTE

/**
 * From when on it is said of money that has not arrived that it comes later than promised, in UTC ms: somewhat before the promised time is over. Of
 * what was only estimated, when it is.
 */
export function lateFrom({
  estimatedArrival,
  promisedMinutes,
}: {
  readonly estimatedArrival: number
  readonly promisedMinutes?: number | null
}): number {
  return promisedMinutes
    ? estimatedArrival - Math.min((promisedMinutes * MINUTE) / 10, MOST_AHEAD)
    : estimatedArrival
}
