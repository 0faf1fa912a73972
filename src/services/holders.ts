import type { WalletHolderAnswer } from '../../domain/api/api.ts'
import { LOOK_UP_WALLET_HOLDER } from '../../domain/api/wallets.ts'
import type { ReceivingMethod } from '../../domain/numbers/wallets.ts'
import { callFunction } from './functions.ts'

/** A failed call counts as no answer, because it must not prevent a transfer. */
export const fetchWalletHolder = (
  phone: string,
  receivingMethod: ReceivingMethod,
): Promise<WalletHolderAnswer> =>
  callFunction(LOOK_UP_WALLET_HOLDER, { phone, receivingMethod }).catch(() => ({ kind: 'silent' }))
