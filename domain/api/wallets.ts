import * as v from 'valibot'
import type { Output } from '../common/schema.ts'
import { defineFunction } from './definition.ts'

/**
 * Names the holder of a wallet, if the operator has enabled this and the provider knows the holder. Limited
 * to ten numbers a day for each user.
 */
export const LOOK_UP_WALLET_HOLDER = defineFunction({
  name: 'wallet-holder',
  method: 'POST',
  most: 30,
  request: v.strictObject({
    phone: v.pipe(v.string(), v.maxLength(40)),
    receivingMethod: v.pipe(v.string(), v.maxLength(40)),
  }),
  response: v.union([
    v.object({ kind: v.literal('named'), name: v.string() }),
    v.object({ kind: v.picklist(['none', 'silent']) }),
  ]),
})

/**
 * `named`: the holder's first name and an initial. `none`: no wallet with this number can receive. `silent`:
 * no lookup was made, or it gave no name that may be shown.
 */
export type WalletHolderAnswer = Output<(typeof LOOK_UP_WALLET_HOLDER)['response']>
