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

/** Only the functions write metadata. */
export type AttemptIntent = Stripe.PaymentIntent & {
  readonly metadata: Stripe.Metadata & Output<typeof attemptMetadataSchema>
}

/** Other deployments with the same Stripe account handle their own attempts. */
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
  changesCardOf: v.exactOptional(v.string()),
})

export const buildPlanMetadata = ({ deployment }: Pick<Context, 'deployment'>, uid: string, tier: Tier) => ({
  deployment,
  kind: 'plan',
  uid,
  tier,
})

/** Null if it is not a plan of this deployment. */
export function parsePlanMetadata(
  { deployment }: Pick<Context, 'deployment'>,
  metadata: Stripe.Metadata | null,
): Output<typeof planMetadataSchema> | null {
  const { success, output } = v.safeParse(planMetadataSchema, metadata)
  return success && output.deployment === deployment ? output : null
}

/** Stripe's values have at most 500 characters. */
const KEYS_PER_VALUE = 5

export const toPersonsMetadata = ({ persons }: Pick<Attempt, 'persons'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    splitIntoGroups(persons, KEYS_PER_VALUE).map((some, i) => [`persons${i || ''}`, some.join(' ')]),
  )

/** A deleted account no longer provides its keys. */
export function parsePersonKeys({ metadata }: Pick<AttemptIntent, 'metadata'>): readonly string[] {
  const values = Object.entries(metadata).flatMap(([name, value]) => (/^persons\d*$/.test(name) ? value : []))
  return values.length > 0 ? values.flatMap((value) => value.split(' ')) : [metadata.uid]
}
