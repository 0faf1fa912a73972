import type Stripe from 'stripe'
import * as v from 'valibot'
import { type Tier, tierSchema } from '../../../domain/account/profileSchema.ts'
import type { Output } from '../../../domain/common/schema.ts'
import type { Context } from './context.ts'
import type { Attempt } from './documents.ts'

const notEmpty = v.pipe(v.string(), v.nonEmpty())

const attemptMetadataSchema = v.object({
  deployment: v.string(),
  kind: v.picklist(['transfer', 'invoice']),
  attemptKey: notEmpty,
  uid: notEmpty,
  /** The payer's keys; see `toPersonsMetadata`. */
  persons: v.exactOptional(v.string()),
})

/** A PaymentIntent that the functions created for an attempt. Only the functions write metadata. */
export type AttemptIntent = Stripe.PaymentIntent & {
  readonly metadata: Output<typeof attemptMetadataSchema>
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

/**
 * Converts the keys of an attempt's payer to metadata: an account ID, and keyed hashes of number and address.
 */
export const toPersonsMetadata = ({ persons }: Attempt) => ({ persons: persons.join(' ') })

/** Parses the keys of a PaymentIntent's payer, which a deleted account no longer provides. */
export const parsePersonKeys = ({ metadata }: AttemptIntent): readonly string[] =>
  metadata.persons?.split(' ') ?? [metadata.uid]
