import type Stripe from 'stripe'
import { PLANS } from '../../../domain/plans.ts'
import type { Tier } from '../../../domain/schemas/profile.ts'
import type { Context } from './context.ts'
import type { Attempt } from './documents.ts'

/** A PaymentIntent that the functions created for an attempt. Only the functions write metadata. */
export type AttemptIntent = Stripe.PaymentIntent & {
  readonly metadata: {
    readonly deployment: string
    readonly kind: Attempt['kind']
    readonly attemptKey: string
    readonly uid: string
    /** The payer's keys; see `toPersonsMetadata`. */
    readonly persons?: string
  }
}

/**
 * Whether this deployment created a PaymentIntent for an attempt. Other deployments with the same Stripe
 * account handle their own, whose attempts are not in this database.
 */
export function isAttemptIntent(
  { deployment }: Pick<Context, 'deployment'>,
  intent: Stripe.PaymentIntent,
): intent is AttemptIntent {
  const { deployment: madeBy, kind, attemptKey, uid } = intent.metadata
  const isAttempt = (kind === 'transfer' || kind === 'invoice') && Boolean(attemptKey) && Boolean(uid)
  return isAttempt && madeBy === deployment
}

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

/** Returns the owner of a plan; null if it is not a plan of this deployment. */
export function getPlanOwner(
  { deployment }: Pick<Context, 'deployment'>,
  metadata: Stripe.Metadata | null,
): string | null {
  if (metadata?.kind !== 'plan' || metadata.deployment !== deployment) return null
  return metadata.uid && (metadata.tier ?? '') in PLANS ? metadata.uid : null
}

/**
 * Converts the keys of an attempt's payer to metadata: an account ID, and keyed hashes of number and address.
 */
export const toPersonsMetadata = ({ persons }: Attempt) => (persons ? { persons: persons.join(' ') } : {})

/** Parses the keys of a PaymentIntent's payer, which a deleted account no longer provides. */
export const parsePersonKeys = ({ metadata }: AttemptIntent): readonly string[] =>
  metadata.persons?.split(' ') ?? [metadata.uid]
