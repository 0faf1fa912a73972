import * as v from 'valibot'
import { tierSchema } from '../account/profileSchema.ts'
import { finiteNumber, type Output } from '../common/schema.ts'
import { defineFunction } from './definition.ts'

const subscriptionId = v.pipe(v.string(), v.regex(/^sub_\w{1,250}$/))
/** The language of Stripe's page, French by default. */
const locale = v.exactOptional(v.picklist(['fr', 'en']))

/** Opens the checkout of a plan, or returns the open one. */
export const CREATE_SUBSCRIPTION = defineFunction({
  name: 'create-subscription',
  method: 'POST',
  // Each call makes up to six requests to Stripe.
  most: 20,
  beginsPayment: true,
  request: v.strictObject({ tier: tierSchema, userId: v.string(), locale }),
  /** `url`: null if Stripe returned none. */
  response: v.object({ url: v.fallback(v.nullable(v.string()), null) }),
})

/** Reports the state of a checkout, and stores the plan once it is paid. */
export const VERIFY_SUBSCRIPTION = defineFunction({
  name: 'verify-subscription',
  method: 'GET',
  // The app polls every few seconds after the user returns from a checkout.
  most: 100,
  request: v.strictObject({ session_id: v.pipe(v.string(), v.regex(/^cs_\w{1,250}$/)) }),
  response: v.union([
    v.object({ success: v.literal(true), tier: tierSchema, subscriptionId: v.string() }),
    v.object({
      success: v.literal(false),
      tier: tierSchema,
      subscriptionId: v.nullish(v.string(), null),
      status: v.picklist(['open', 'expired', 'ended', 'declined', 'unconfirmed']),
    }),
  ]),
})

/**
 * The state of a checkout. `status` says why it has not succeeded: not paid yet, expired, the plan has ended
 * since, the bank also refused the new card, or it wants the payment with that card confirmed.
 */
export type CheckoutVerification = Output<(typeof VERIFY_SUBSCRIPTION)['response']>

/** Brings the caller's plan up to date with Stripe, on whose page a renewal is confirmed. */
export const REFRESH_PLAN = defineFunction({
  name: 'refresh-plan',
  method: 'POST',
  // The app calls whenever it is opened while a renewal waits for a confirmation.
  most: 100,
  request: v.strictObject({}),
  response: v.object({}),
})

/** Cancels a plan at the end of the paid period. */
export const CANCEL_SUBSCRIPTION = defineFunction({
  name: 'cancel-subscription',
  method: 'POST',
  most: 20,
  request: v.strictObject({ subscriptionId }),
  /** `cancelAt`: the end of the paid period. */
  response: v.object({ cancelAt: finiteNumber }),
})

/** Opens Stripe's page for saving another card for a plan. */
export const CHANGE_CARD = defineFunction({
  name: 'change-card',
  method: 'POST',
  most: 20,
  beginsPayment: true,
  request: v.strictObject({ subscriptionId, locale }),
  response: v.object({ url: v.string() }),
})
