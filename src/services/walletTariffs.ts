import * as v from 'valibot'
import { type WalletTariffs, walletTariffsSchema } from '../../domain/prices/walletTariffsSchema.ts'

const tariffs: WalletTariffs = import.meta.env.VITE_WALLET_TARIFFS
  ? v.parse(walletTariffsSchema, import.meta.env.VITE_WALLET_TARIFFS)
  : {}

/** The functions read the same setting. A build without it contains only the empty object. */
export const getWalletTariffs = (): WalletTariffs => tariffs
