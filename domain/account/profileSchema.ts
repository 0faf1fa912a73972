import * as v from 'valibot'
import type { InstantSchema } from '../common/instant.ts'
import { integer, type Output } from '../common/schema.ts'

export const tierSchema = v.picklist(['basic', 'premium'])
export type Tier = Output<typeof tierSchema>

/** Instants in UTC ms. */
export const buildSubscriptionSchema = (instant: InstantSchema) =>
  subscriptionWith(instant, (field) => v.nullish(field, null))

/** A missing or invalid field counts as null, so it never grants a plan. Specification, section 3. */
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
      /** This month, at the plan's fee. Null without a plan: unlimited at the default fee. */
      transactionsLeft: orNull(integer),
      startDate: orNull(instant),
      lastReset: orNull(instant),
      stripeSubscriptionId: orNull(v.string()),
      cancelAt: orNull(instant),
      /** The card was refused for a renewal. The plan is still active, or has ended for that reason. */
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
    /** The next attempt to charge, until which the plan stays; null if none is planned. */
    keptUntil: v.nullish(instant, null),
  })

/** The page on which the cardholder confirms a renewal at the bank's request; instants in UTC ms. */
export type RenewalConfirmation = NonNullable<Subscription['confirmation']>

/** Instants in UTC ms. Specification, section 3. */
export type Subscription = Output<ReturnType<typeof buildSubscriptionSchema>>

/** Without a valid `sessionsSince` no session is accepted. */
export const buildOwnershipSchema = (instant: InstantSchema) =>
  v.object({
    /** 'phone' if the account had no address when its profile was created. */
    madeWith: v.fallback(v.picklist(['address', 'phone']), 'address'),
    verifiedAddress: v.fallback(v.nullable(v.string()), null),
    /** Earlier sign-ins are refused; UTC ms, null before an address was confirmed. */
    sessionsSince: v.nullish(instant, null),
  })

/** Specification, section 3. */
export const buildProfileSchema = (instant: InstantSchema) =>
  v.object({
    email: v.fallback(v.nullable(v.string()), null),
    name: v.fallback(v.string(), ''),
    phone: v.fallback(v.nullable(v.string()), null),
    subscription: buildProfileSubscriptionSchema(instant),
  })

/** The ledger of one UTC month, in EUR cents. */
export const ledgerSchema = v.object({
  /** 'YYYY-MM' */
  month: v.string(),
  recordedCents: integer,
  reservedCents: integer,
  reservedSlots: integer,
})
