import type Stripe from 'stripe'
import {
  type InferOutput,
  object,
  optional,
  parseOrNull,
  pattern,
  picklist,
  string,
} from '../../../domain/schema.ts'
import { type Tier, tierSchema } from '../../../domain/schemas/profile.ts'
import type { Context } from './context.ts'
import type { Attempt } from './documents.ts'

const notEmpty = pattern(/./)

const attemptMetadataSchema = object({
  deployment: string,
  kind: picklist('transfer', 'invoice'),
  attemptKey: notEmpty,
  uid: notEmpty,
  /** The payer's keys; see `toPersonsMetadata`. */
  persons: optional(string),
})

/** A PaymentIntent that the functions created for an attempt. Only the functions write metadata. */
export type AttemptIntent = Stripe.PaymentIntent & {
  readonly metadata: InferOutput<typeof attemptMetadataSchema>
}

/**
 * Whether this deployment created a PaymentIntent for an attempt. Other deployments with the same Stripe
 * account handle their own, whose attempts are not in this database.
 */
export const isAttemptIntent = (
  { deployment }: Pick<Context, 'deployment'>,
  intent: Stripe.PaymentIntent,
): intent is AttemptIntent => parseOrNull(attemptMetadataSchema, intent.metadata)?.deployment === deployment

const planMetadataSchema = object({
  deployment: string,
  kind: picklist('plan'),
  uid: notEmpty,
  tier: tierSchema,
  /** The subscription whose card a checkout changes. */
  changesCardOf: optional(string),
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
): InferOutput<typeof planMetadataSchema> | null {
  const plan = parseOrNull(planMetadataSchema, metadata)
  return plan?.deployment === deployment ? plan : null
}

/**
 * Converts the keys of an attempt's payer to metadata: an account ID, and keyed hashes of number and address.
 */
export const toPersonsMetadata = ({ persons }: Attempt) => ({ persons: persons.join(' ') })

/** Parses the keys of a PaymentIntent's payer, which a deleted account no longer provides. */
export const parsePersonKeys = ({ metadata }: AttemptIntent): readonly string[] =>
  metadata.persons?.split(' ') ?? [metadata.uid]
