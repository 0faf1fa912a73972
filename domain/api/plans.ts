import {
  boolean,
  fallback,
  nullable,
  number,
  object,
  optional,
  pattern,
  picklist,
  type Schema,
  strictObject,
  string,
} from '../schema.ts'
import type { Tier } from '../schemas/profile.ts'
import { tierSchema } from '../schemas/profile.ts'
import { defineFunction, MAY_PAY, SIGNED_IN } from './definition.ts'

const subscriptionId = pattern(/^sub_\w{1,250}$/)
/** The language of Stripe's page, French by default. */
const locale = optional(picklist('fr', 'en'))

/**
 * Where a checkout stands. `status` says why it is no success: not paid yet, never to be paid any more, a plan that has ended
 * since, or another card that the bank refused too.
 */
export type Verification =
  | { readonly success: true; readonly tier: Tier; readonly subscriptionId: string }
  | {
      readonly success: false
      readonly tier: Tier
      readonly subscriptionId: string | null
      readonly status: 'open' | 'expired' | 'ended' | 'declined'
    }

/** Opens the checkout of a plan, or finds the one that is open. */
export const CREATE_SUBSCRIPTION = defineFunction({
  name: 'create-subscription',
  method: 'POST',
  // It makes up to six requests to Stripe.
  most: 20,
  beginsPayment: true,
  request: strictObject({ tier: tierSchema, userId: string, locale }),
  /** `url`: null when Stripe gave none. */
  response: object({ url: fallback(string, null) }),
  refusals: [...SIGNED_IN, ...MAY_PAY, 'forbidden', 'planActive', 'planUnavailable', 'checkoutReplaced'],
})

/** Where a checkout stands; stores the plan that it paid. */
export const VERIFY_SUBSCRIPTION = defineFunction({
  name: 'verify-subscription',
  method: 'GET',
  // Asked again every few seconds while the way back from a checkout waits for the plan.
  most: 100,
  request: strictObject({ session_id: pattern(/^cs_\w{1,250}$/) }),
  response: ((value) => {
    const { success } = object({ success: boolean })(value)
    return success
      ? { success, ...object({ tier: tierSchema, subscriptionId: string })(value) }
      : {
          success,
          ...object({
            tier: tierSchema,
            subscriptionId: nullable(string),
            status: picklist('open', 'expired', 'ended', 'declined'),
          })(value),
        }
  }) as Schema<Verification>,
  refusals: [...SIGNED_IN, 'checkoutNotFound', 'forbidden'],
})

/** Ends a plan with what is paid. */
export const CANCEL_SUBSCRIPTION = defineFunction({
  name: 'cancel-subscription',
  method: 'POST',
  most: 20,
  request: strictObject({ subscriptionId }),
  /** `cancelAt`: when what is paid ends. */
  response: object({ cancelAt: number }),
  refusals: [...SIGNED_IN, 'planNotFound', 'forbidden'],
})

/** Opens the page on which another card is saved for a plan. */
export const CHANGE_CARD = defineFunction({
  name: 'change-card',
  method: 'POST',
  most: 20,
  beginsPayment: true,
  request: strictObject({ subscriptionId, locale }),
  response: object({ url: string }),
  refusals: [...SIGNED_IN, ...MAY_PAY, 'planNotFound', 'planUnavailable', 'forbidden'],
})
