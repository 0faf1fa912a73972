import { promisedMinutes } from '../../domain/promise.ts'
import type { ReceivingMethod } from '../../domain/wallets.ts'

const minutesOf = (setting: string | undefined) => (setting ? Number(setting) : null)

/**
 * Within how many minutes of the payment a transfer to this wallet is promised to arrive; null where nothing is promised. The functions read
 * the same two settings. A build without them has nothing of it but null.
 */
export const promisedTo = (wallet: ReceivingMethod | null): number | null =>
  import.meta.env.VITE_MTN_LONGEST_MINUTES || import.meta.env.VITE_BY_HAND_LONGEST_MINUTES
    ? promisedMinutes(wallet, {
        mtn: minutesOf(import.meta.env.VITE_MTN_LONGEST_MINUTES),
        byHand: minutesOf(import.meta.env.VITE_BY_HAND_LONGEST_MINUTES),
      })
    : null
