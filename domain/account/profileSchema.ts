import * as v from 'valibot'
import type { InstantSchema } from '../common/instant.ts'
import { integer, type Output } from '../common/schema.ts'

export const tierSchema = v.picklist(['basic', 'premium'])
export type Tier = Output<typeof tierSchema>

/** A user's plan; instants in UTC ms. */
export const buildSubscriptionSchema = (instant: InstantSchema) =>
  subscriptionWith(instant, (field) => v.nullish(field, null))

/**
 * The subscription of a stored profile. A missing or invalid field counts as null, so it never grants a plan.
 * Specification, section 3.
 */
export const buildProfileSubscriptionSchema = (instant: InstantSchema) => {
  const schema = subscriptionWith(instant, (field) => v.fallback(v.nullable(field), null))
  return v.fallback(schema, v.parse(schema, {}))
}

const subscriptionWith = (
  instant: InstantSchema,
  orNull: <T>(field: v.GenericSchema<unknown, T>) => v.GenericSchema<unknown, T | null>,
) =>
  v.pipe(
    v.object({
      tier: orNull(tierSchema),
      status: orNull(v.picklist(['active', 'canceled'])),
      /** Transfers left this month at the plan's fee. Null without a plan: unlimited at the default fee. */
      transactionsLeft: orNull(integer),
      startDate: orNull(instant),
      lastReset: orNull(instant),
      stripeSubscriptionId: orNull(v.string()),
      cancelAt: orNull(instant),
      /**
       * Whether the card was refused for a renewal. The plan is still active, or has ended because of the
       * refusal.
       */
      renewalFailed: v.fallback(v.optional(v.literal(true)), undefined),
      confirmation: v.fallback(v.optional(confirmationWith(instant)), undefined),
    }),
    v.transform(({ renewalFailed, confirmation, ...fields }) => ({
      ...fields,
      ...(renewalFailed && { renewalFailed }),
      ...(confirmation && { confirmation }),
    })),
  )

const confirmationWith = (instant: InstantSchema) =>
  v.object({
    /** Stripe's page of the renewal's invoice. */
    url: v.pipe(v.string(), v.regex(/^https?:\/\//)),
    /** The plan stays at least until then, the next attempt to charge it; null if none is planned. */
    keptUntil: v.nullish(instant, null),
  })

/** Where the cardholder confirms a renewal, because the bank wants that; instants in UTC ms. */
export type Confirmation = NonNullable<Subscription['confirmation']>

/** A stored subscription; instants in UTC ms. Specification, section 3. */
export type Subscription = Output<ReturnType<typeof buildSubscriptionSchema>>

/** The account owner in a stored profile. Without a valid `sessionsSince` no session is accepted. */
export const buildOwnershipSchema = (instant: InstantSchema) =>
  v.object({
    /** 'phone' if the account had no address when its profile was created. */
    madeWith: v.fallback(v.picklist(['address', 'phone']), 'address'),
    /** The last confirmed address; null before the first. */
    verifiedAddress: v.fallback(v.nullable(v.string()), null),
    /** Earlier sign-ins are refused; UTC milliseconds, null before an address was confirmed. */
    sessionsSince: v.nullish(instant, null),
  })

/** A stored profile without its ID. Specification, section 3. */
export const buildProfileSchema = (instant: InstantSchema) =>
  v.object({
    email: v.fallback(v.nullable(v.string()), null),
    name: v.fallback(v.string(), ''),
    phone: v.fallback(v.nullable(v.string()), null),
    subscription: buildProfileSubscriptionSchema(instant),
  })

/** The server's ledger of one UTC month, in EUR cents. */
export const ledgerSchema = v.object({
  /** 'YYYY-MM' */
  month: v.string(),
  recordedCents: integer,
  /** Cents reserved by open payments. */
  reservedCents: integer,
  /** The plan's transfers reserved by open payments. */
  reservedSlots: integer,
})
