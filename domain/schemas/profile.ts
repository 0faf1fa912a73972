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
import type { Instant } from './instant.ts'

export const tierSchema = picklist('basic', 'premium')
export type Tier = InferOutput<typeof tierSchema>

const isTrue = ((value) => (value === true ? true : undefined)) as OptionalSchema<true>

/** A person's plan, its instants in UTC ms. */
export const subscriptionSchema = (instant: Instant) => subscriptionWith(instant, nullable)

/**
 * The subscription in a stored profile. A field that is lost, or that our code never writes, counts as null and gives no plan.
 * Specification, section 3.
 */
export const profileSubscriptionSchema = (instant: Instant) => {
  const schema = subscriptionWith(instant, (field) => fallback(field, null))
  return transform(unknown, (value) => parseOrNull(schema, value) ?? schema({}))
}

const subscriptionWith = (instant: Instant, orNull: <T>(schema: Schema<T>) => Schema<T | null>) =>
  object({
    tier: orNull(tierSchema),
    status: orNull(picklist('active', 'canceled')),
    /** At the plan's fee, this month. Null without a plan: unlimited at the default fee. */
    transactionsLeft: orNull(integer),
    startDate: orNull(instant),
    lastReset: orNull(instant),
    stripeSubscriptionId: orNull(string),
    cancelAt: orNull(instant),
    /** Whether the card was refused for a renewal: the plan goes on until the provider ends it, or has ended by that. */
    renewalFailed: isTrue,
  })

/** A person's subscription as stored, its instants in UTC ms. Specification, section 3. */
export type Subscription = InferOutput<ReturnType<typeof subscriptionSchema>>

/** The owner of the account of a stored profile. A profile without a usable `sessionsSince` lets no session in. */
export const ownershipSchema = (instant: Instant) =>
  object({
    /** An account that had no address when its profile was made was made with a phone. */
    madeWith: fallback(picklist('address', 'phone'), 'address'),
    /** The address that was confirmed last; null until one was. */
    verifiedAddress: fallback(string, null),
    /** Earlier sign-ins are refused; UTC milliseconds, null as long as no address was confirmed. */
    sessionsSince: nullable(instant),
  })

/** A stored profile, but for its id. Specification, section 3. */
export const profileSchema = (instant: Instant) =>
  object({
    email: fallback(string, null),
    name: fallback(string, ''),
    phone: fallback(string, null),
    subscription: profileSubscriptionSchema(instant),
  })

/** What the server counted of one UTC month, in EUR cents. */
export const ledgerSchema = object({
  /** 'YYYY-MM' */
  month: string,
  recordedCents: integer,
  /** Held by payments that are under way. */
  reservedCents: integer,
  /** How many transfers of the plan are held by payments under way. */
  reservedSlots: integer,
})
