import { maxLength, object, picklist, type Schema, strictObject, string } from '../schema.ts'
import { defineFunction, SIGNED_IN } from './definition.ts'

/**
 * `named`: the holder's first name and an initial. `none`: no wallet with this number can receive. `silent`: it can't be said.
 */
export type HolderAnswer =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'none' | 'silent' }

const kindSchema = object({ kind: picklist('named', 'none', 'silent') })

/** The holder of a wallet, where an operator wants that and the provider can tell; ten numbers a day for one user. */
export const WALLET_HOLDER = defineFunction({
  name: 'wallet-holder',
  method: 'POST',
  most: 30,
  request: strictObject({ phone: maxLength(40), receivingMethod: maxLength(40) }),
  response: ((value) => {
    const { kind } = kindSchema(value)
    return kind === 'named' ? { kind, ...object({ name: string })(value) } : { kind }
  }) as Schema<HolderAnswer>,
  refusals: SIGNED_IN,
})
