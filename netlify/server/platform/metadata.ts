import type Stripe from 'stripe'
import * as v from 'valibot'
import { type Tier, tierSchema } from '../../../domain/account/profileSchema.ts'
import type { Output } from '../../../domain/common/schema.ts'
import type { Context } from './context.ts'
import type { Attempt } from './documents.ts'
import { splitIntoGroups } from './queryValues.ts'

const notEmpty = v.pipe(v.string(), v.nonEmpty())

const attemptMetadataSchema = v.object({
  deployment: v.string(),
  kind: v.picklist(['transfer', 'invoice']),
  attemptKey: notEmpty,
  uid: notEmpty,
})

/** A PaymentIntent that the functions created for an attempt. Only the functions write metadata. */
export type AttemptIntent = Stripe.PaymentIntent & {
  readonly metadata: Stripe.Metadata & Output<typeof attemptMetadataSchema>
}

/**
 * Whether this deployment created a PaymentIntent for an attempt. Other deployments with the same Stripe
 * account handle their own, whose attempts are not in this database.
 */
export const isAttemptIntent = (
  { deployment }: Pick<Context, 'deployment'>,
  intent: Stripe.PaymentIntent,
): intent is AttemptIntent =>
  v.is(attemptMetadataSchema, intent.metadata) && intent.metadata.deployment === deployment

const planMetadataSchema = v.object({
  deployment: v.string(),
  kind: v.literal('plan'),
  uid: notEmpty,
  tier: tierSchema,
  /** The subscription whose card a checkout changes. */
  changesCardOf: v.exactOptional(v.string()),
})

/**
 * Builds the metadata of a subscription or checkout that the functions create. Only the functions write
 * metadata.
 */
export const buildPlanMetadata = ({ deployment }: Pick<Context, 'deployment'>, uid: string, tier: Tier) => ({
  deployment,
  kind: 'plan',
  uid,
  tier,
})

/** Parses the metadata of a plan; null if it is not a plan of this deployment. */
export function parsePlanMetadata(
  { deployment }: Pick<Context, 'deployment'>,
  metadata: Stripe.Metadata | null,
): Output<typeof planMetadataSchema> | null {
  const { success, output } = v.safeParse(planMetadataSchema, metadata)
  return success && output.deployment === deployment ? output : null
}

/** How many keys fit into one of Stripe's values, which have at most 500 characters. */
const KEYS_PER_VALUE = 5

/**
 * Converts the keys of an attempt's payer to metadata: an account ID, and keyed hashes of numbers and addresses.
 */
export const toPersonsMetadata = ({ persons }: Pick<Attempt, 'persons'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    splitIntoGroups(persons, KEYS_PER_VALUE).map((some, i) => [`persons${i || ''}`, some.join(' ')]),
  )

/** Parses the keys of a PaymentIntent's payer, which a deleted account no longer provides. */
export function parsePersonKeys({ metadata }: Pick<AttemptIntent, 'metadata'>): readonly string[] {
  const values = Object.entries(metadata).flatMap(([name, value]) => (/^persons\d*$/.test(name) ? value : []))
  return values.length > 0 ? values.flatMap((value) => value.split(' ')) : [metadata.uid]
}
