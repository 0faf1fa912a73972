import { MINUTE } from '../common/duration.ts'
import { getWalletProvider, type ProviderId, type ReceivingMethod } from './wallets.ts'

/** Whether `formatWait` writes a setting exactly: up to 90 minutes, or whole hours, less than 70 days. */
export const isPromisableDuration = (text: string): boolean =>
  /^[1-9]\d{0,4}$/.test(text) && (Number(text) <= 90 || Number(text) % 60 === 0)

/** Promised maximum in minutes; null without a promise. */
export type MaxMinutesByProvider = Readonly<Record<ProviderId | 'byHand', number | null>>

/**
 * Minutes from payment to arrival; null without a promise (section 9's estimate applies). Must match the
 * providers in the functions' `settings.ts`.
 */
export const choosePromisedMinutes = (
  wallet: ReceivingMethod | null,
  minutes: MaxMinutesByProvider,
): number | null => minutes[getWalletProvider(wallet)?.id ?? 'byHand'] ?? minutes.byHand

const MAX_LEAD_TIME = 30 * MINUTE

/** UTC ms: the estimate, or, with a promise, a tenth of its time before its end (half an hour at most). */
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
