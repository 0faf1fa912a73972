import type Stripe from 'stripe'
import { PLANS } from '../../../domain/plans.ts'
import type { Tier } from '../../../domain/schemas/profile.ts'
import type { Context } from './context.ts'
import type { Attempt } from './documents.ts'

/** A PaymentIntent that the functions made for an attempt. Nobody else writes metadata. */
export type AttemptIntent = Stripe.PaymentIntent & {
  readonly metadata: {
    readonly deployment: string
    readonly kind: Attempt['kind']
    readonly attemptKey: string
    readonly uid: string
    /** See `personsOf`. */
    readonly persons?: string
  }
}

/**
 * Whether this deployment made a PaymentIntent for an attempt. Others on the same account of the provider's, a staging
 * or a former one, look after their own: what they know of a payment is not in this database.
 */
export function isAttemptIntent(
  { deployment }: Pick<Context, 'deployment'>,
  intent: Stripe.PaymentIntent,
): intent is AttemptIntent {
  const { deployment: madeBy, kind, attemptKey, uid } = intent.metadata
  const isAttempt = (kind === 'transfer' || kind === 'invoice') && Boolean(attemptKey) && Boolean(uid)
  return isAttempt && madeBy === deployment
}

/** What is written on each subscription and checkout that the functions make. Nobody else writes metadata. */
export const planMetadata = ({ deployment }: Pick<Context, 'deployment'>, uid: string, tier: Tier) => ({
  deployment,
  kind: 'plan',
  uid,
  tier,
})

/** Whose plan it is, or null when it is no plan of this deployment. */
export function planOwner(
  { deployment }: Pick<Context, 'deployment'>,
  metadata: Stripe.Metadata | null,
): string | null {
  if (metadata?.kind !== 'plan' || metadata.deployment !== deployment) return null
  return metadata.uid && (metadata.tier ?? '') in PLANS ? metadata.uid : null
}

/** Whose attempt it is, for the metadata too: an account, and keyed hashes of a number and an address. */
export const personsOf = ({ persons }: Attempt) => (persons ? { persons: persons.join(' ') } : {})

/** The same of a payment that was made: an account that is gone says no longer whose it was. */
export const personsIn = ({ metadata }: AttemptIntent): readonly string[] =>
  metadata.persons?.split(' ') ?? [metadata.uid]
