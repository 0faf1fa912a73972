import { type LongestMinutes, promisedMinutes } from '../../domain/promise.ts'
import type { ReceivingMethod } from '../../domain/wallets.ts'

// The functions read the same two settings. In a build without them nothing is left of this but null.
const longest: LongestMinutes = {
  mtn: import.meta.env.VITE_MTN_LONGEST_MINUTES ? Number(import.meta.env.VITE_MTN_LONGEST_MINUTES) : null,
  byHand: import.meta.env.VITE_BY_HAND_LONGEST_MINUTES
    ? Number(import.meta.env.VITE_BY_HAND_LONGEST_MINUTES)
    : null,
}

/** Within how many minutes of the payment a transfer to this wallet is promised to arrive; null where nothing is promised. */
export const promisedTo = (wallet: ReceivingMethod | null): number | null => promisedMinutes(wallet, longest)
