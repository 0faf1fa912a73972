import {
  fallback,
  type InferOutput,
  nullable,
  number,
  object,
  optional,
  pattern,
  picklist,
  strictObject,
  string,
  union,
} from '../schema.ts'
import { tierSchema } from '../schemas/profile.ts'
import { defineFunction, PAYMENT_REFUSALS, SIGNED_IN_REFUSALS } from './definition.ts'

const subscriptionId = pattern(/^sub_\w{1,250}$/)
/** The language of Stripe's page, French by default. */
const locale = optional(picklist('fr', 'en'))

/** Opens the checkout of a plan, or returns the open one. */
export const CREATE_SUBSCRIPTION = defineFunction({
  name: 'create-subscription',
  method: 'POST',
  // Each call makes up to six requests to Stripe.
  most: 20,
  beginsPayment: true,
  request: strictObject({ tier: tierSchema, userId: string, locale }),
  /** `url`: null if Stripe returned none. */
  response: object({ url: fallback(string, null) }),
  refusals: [
    ...SIGNED_IN_REFUSALS,
    ...PAYMENT_REFUSALS,
    'forbidden',
    'planActive',
    'planUnavailable',
    'checkoutReplaced',
  ],
})

/** Reports the state of a checkout, and stores the plan once it is paid. */
export const VERIFY_SUBSCRIPTION = defineFunction({
  name: 'verify-subscription',
  method: 'GET',
  // The app polls every few seconds after the user returns from a checkout.
  most: 100,
  request: strictObject({ session_id: pattern(/^cs_\w{1,250}$/) }),
  response: union(
    object({ success: picklist(true), tier: tierSchema, subscriptionId: string }),
    object({
      success: picklist(false),
      tier: tierSchema,
      subscriptionId: nullable(string),
      status: picklist('open', 'expired', 'ended', 'declined'),
    }),
  ),
  refusals: [...SIGNED_IN_REFUSALS, 'checkoutNotFound', 'forbidden'],
})

/**
 * The state of a checkout. `status` says why it has not succeeded: not paid yet, expired, the plan has ended
 * since, or the bank also refused the new card.
 */
export type CheckoutVerification = InferOutput<(typeof VERIFY_SUBSCRIPTION)['response']>

/** Cancels a plan at the end of the paid period. */
export const CANCEL_SUBSCRIPTION = defineFunction({
  name: 'cancel-subscription',
  method: 'POST',
  most: 20,
  request: strictObject({ subscriptionId }),
  /** `cancelAt`: the end of the paid period. */
  response: object({ cancelAt: number }),
  refusals: [...SIGNED_IN_REFUSALS, 'planNotFound', 'forbidden'],
})

/** Opens Stripe's page for saving another card for a plan. */
export const CHANGE_CARD = defineFunction({
  name: 'change-card',
  method: 'POST',
  most: 20,
  beginsPayment: true,
  request: strictObject({ subscriptionId, locale }),
  response: object({ url: string }),
  refusals: [...SIGNED_IN_REFUSALS, ...PAYMENT_REFUSALS, 'planNotFound', 'planUnavailable', 'forbidden'],
})
