import { boolean, maxLength, object, optional, picklist, strictObject } from '../schema.ts'
import { ANY, defineFunction, SIGNED_IN } from './definition.ts'

const empty = object({})

/** Whether a number has an account, by status 200 or 404; limited by number and by address. */
export const CHECK_PHONE_USER = defineFunction({
  name: 'check-phone-user',
  method: 'POST',
  guardedBy: 'it answers yes or no, limited by number and by address',
  request: strictObject({ phone: maxLength(40) }),
  response: empty,
  refusals: [...ANY, 'phoneRequired', 'phoneInvalid', 'tooManyRequests'],
})

/** Confirms the caller's verified address, and unlinks what was linked before. */
export const CONFIRM_ADDRESS = defineFunction({
  name: 'confirm-address',
  method: 'POST',
  most: 20,
  /** `another`: although the address belonged to another account before. */
  request: strictObject({ another: optional(picklist(true)) }),
  /** `signInAgain`: a way in was unlinked and all sessions ended. */
  response: object({ signInAgain: boolean }),
  refusals: [...SIGNED_IN, 'userNotFound', 'otherWayIn', 'formerAddress'],
})

/** Ends every session of the caller. */
export const SIGN_OUT_EVERYWHERE = defineFunction({
  name: 'sign-out-everywhere',
  method: 'POST',
  most: 20,
  request: strictObject({}),
  response: empty,
  refusals: SIGNED_IN,
})

/** Deletes the caller's account and cards. What the law asks for stays. Needs a sign-in of the last five minutes. */
export const DELETE_ACCOUNT = defineFunction({
  name: 'delete-account',
  method: 'POST',
  most: 20,
  request: strictObject({}),
  response: object({ outcome: picklist('deleted') }),
  refusals: [...SIGNED_IN, 'recentSignInRequired', 'paymentOpen', 'planRunning'],
})
