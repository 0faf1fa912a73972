import { WALLET_HOLDER } from '../../domain/api/wallets.ts'
import type { HolderAnswer } from '../../domain/api.ts'
import type { ReceivingMethod } from '../../domain/wallets.ts'
import { callFunction } from './functions.ts'

/** Whose wallet a whole number is. Whatever fails is silence: nobody is kept from sending by it. */
export const askHolder = (phone: string, receivingMethod: ReceivingMethod): Promise<HolderAnswer> =>
  callFunction(WALLET_HOLDER, { phone, receivingMethod }).catch(() => ({ kind: 'silent' }))
