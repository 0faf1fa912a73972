import { EMPTY_SUBSCRIPTION, type Subscription } from '../../../domain/plans.ts'
import type { UserDatabase } from '../../cache/database.ts'

/** The person's plan, as this device knows it. */
export const ownSubscription = async ({ profiles }: UserDatabase, uid: string): Promise<Subscription> =>
  (await profiles.get(uid))?.subscription ?? EMPTY_SUBSCRIPTION
