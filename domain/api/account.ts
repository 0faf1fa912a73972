import * as v from 'valibot'
import { defineFunction } from './definition.ts'

const empty = v.object({})

/**
 * Reports by status 200 or 404 whether a number has an account. Limited by network, and by number and
 * network.
 */
export const CHECK_PHONE_USER = defineFunction({
  name: 'check-phone-user',
  method: 'POST',
  guardedBy: 'it returns only whether an account exists, limited by network, and by number and network',
  request: v.strictObject({ phone: v.pipe(v.string(), v.maxLength(40)) }),
  response: empty,
})

/**
 * Mails a link to the address of the caller's account. Opening the link in a session of that account confirms
 * the address.
 */
export const SEND_ADDRESS_LINK = defineFunction({
  name: 'send-address-link',
  method: 'POST',
  most: 5,
  request: v.strictObject({ language: v.picklist(['fr', 'en']) }),
  response: empty,
})

/** Confirms the caller's verified address and unlinks the previous one. */
export const CONFIRM_ADDRESS = defineFunction({
  name: 'confirm-address',
  method: 'POST',
  most: 20,
  /**
   * `another`: use the address although it belonged to another account. `proof`: from the link of
   * `send-address-link`. `notMine`: the caller owns the address but not the account, so the address is
   * removed.
   */
  request: v.strictObject({
    another: v.exactOptional(v.literal(true)),
    proof: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
    notMine: v.exactOptional(v.literal(true)),
  }),
  /** `signInAgain`: a sign-in method or the address was removed, and all sessions have ended. */
  response: v.object({ signInAgain: v.boolean() }),
})

/** Ends every session of the caller. */
export const SIGN_OUT_EVERYWHERE = defineFunction({
  name: 'sign-out-everywhere',
  method: 'POST',
  most: 20,
  request: v.strictObject({}),
  response: empty,
})

/**
 * Deletes the caller's account and cards. Records required by law are kept. Requires a sign-in within the
 * last five minutes.
 */
export const DELETE_ACCOUNT = defineFunction({
  name: 'delete-account',
  method: 'POST',
  most: 20,
  request: v.strictObject({}),
  response: v.object({ outcome: v.literal('deleted') }),
})
