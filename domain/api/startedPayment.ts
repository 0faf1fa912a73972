import * as v from 'valibot'

/** The data that the browser needs to pay with Stripe. */
export const startedPaymentSchema = v.object({
  paymentIntentId: v.string(),
  clientSecret: v.string(),
  /**
   * Secret that shows the user's saved cards in Stripe's form, once and for half an hour; null without cards.
   */
  customerSession: v.nullish(v.string(), null),
  /** Stripe's status of the PaymentIntent; an attempt that is sent again may already be paid. */
  status: v.string(),
})
