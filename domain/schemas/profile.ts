import {
  fallback,
  type InferOutput,
  integer,
  nullable,
  type OptionalSchema,
  object,
  parseOrNull,
  picklist,
  type Schema,
  string,
  transform,
  unknown,
} from '../schema.ts'
import type { InstantSchema } from './instant.ts'

export const tierSchema = picklist('basic', 'premium')
export type Tier = InferOutput<typeof tierSchema>

const isTrue = ((value) => (value === true ? true : undefined)) as OptionalSchema<true>

/** A user's plan; instants in UTC ms. */
export const buildSubscriptionSchema = (instant: InstantSchema) => subscriptionWith(instant, nullable)

/**
 * The subscription of a stored profile. A missing or invalid field counts as null, so it never grants a plan.
 * Specification, section 3.
 */
export const buildProfileSubscriptionSchema = (instant: InstantSchema) => {
  const schema = subscriptionWith(instant, (field) => fallback(field, null))
  return transform(unknown, (value) => parseOrNull(schema, value) ?? schema({}))
}

const subscriptionWith = (instant: InstantSchema, orNull: <T>(schema: Schema<T>) => Schema<T | null>) =>
  object({
    tier: orNull(tierSchema),
    status: orNull(picklist('active', 'canceled')),
    /** Transfers left this month at the plan's fee. Null without a plan: unlimited at the default fee. */
    transactionsLeft: orNull(integer),
    startDate: orNull(instant),
    lastReset: orNull(instant),
    stripeSubscriptionId: orNull(string),
    cancelAt: orNull(instant),
    /**
     * Whether the card was refused for a renewal. The plan is still active, or has ended because of the
     * refusal.
     */
    renewalFailed: isTrue,
  })

/** A stored subscription; instants in UTC ms. Specification, section 3. */
export type Subscription = InferOutput<ReturnType<typeof buildSubscriptionSchema>>

/** The account owner in a stored profile. Without a valid `sessionsSince` no session is accepted. */
export const buildOwnershipSchema = (instant: InstantSchema) =>
  object({
    /** 'phone' if the account had no address when its profile was created. */
    madeWith: fallback(picklist('address', 'phone'), 'address'),
    /** The last confirmed address; null before the first. */
    verifiedAddress: fallback(string, null),
    /** Earlier sign-ins are refused; UTC milliseconds, null before an address was confirmed. */
    sessionsSince: nullable(instant),
  })

/** A stored profile without its ID. Specification, section 3. */
export const buildProfileSchema = (instant: InstantSchema) =>
  object({
    email: fallback(string, null),
    name: fallback(string, ''),
    phone: fallback(string, null),
    subscription: buildProfileSubscriptionSchema(instant),
  })

/** The server's ledger of one UTC month, in EUR cents. */
export const ledgerSchema = object({
  /** 'YYYY-MM' */
  month: string,
  recordedCents: integer,
  /** Cents reserved by open payments. */
  reservedCents: integer,
  /** The plan's transfers reserved by open payments. */
  reservedSlots: integer,
})
