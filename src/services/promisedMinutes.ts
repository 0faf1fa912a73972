import { choosePromisedMinutes } from '../../domain/numbers/promisedTime.ts'
import type { ReceivingMethod } from '../../domain/numbers/wallets.ts'

const parseMinutes = (setting: string | undefined) => (setting ? Number(setting) : null)

/**
 * Null without a promise. The functions read the same two settings. A build without them contains only the
 * null.
 */
export const getPromisedMinutes = (wallet: ReceivingMethod | null): number | null =>
  import.meta.env.VITE_MTN_LONGEST_MINUTES || import.meta.env.VITE_BY_HAND_LONGEST_MINUTES
    ? choosePromisedMinutes(wallet, {
        mtn: parseMinutes(import.meta.env.VITE_MTN_LONGEST_MINUTES),
        byHand: parseMinutes(import.meta.env.VITE_BY_HAND_LONGEST_MINUTES),
      })
    : null
