import type { Subscription } from '../../domain/account/profileSchema.ts'
import { toMonth } from '../../domain/common/month.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import { serverNow } from '../browser/serverTime.ts'
import { withRows } from '../cache/database.ts'
import { saveLedger, updateStoredPlan } from '../cache/plans.ts'
import { readOwnSubscription } from '../cache/queries.ts'
import { fetchLedger } from '../services/ledgers.ts'
import { fetchProfile } from '../services/profiles.ts'

/** @throws a failure of the operation `fetchLedger`. */
export async function refreshLedger(uid: string): Promise<void> {
  const asOf = serverNow()
  await saveLedger(uid, await fetchLedger(uid, toMonth(asOf)), asOf)
}

/**
 * If the plan on this device changes during the request, that change may be newer, so it is kept and the
 * server is asked again.
 *
 * @throws a failure of the operation `fetchProfile`.
 */
export async function refreshPlan(uid: string): Promise<Subscription> {
  const before = await withRows(uid, (rows) => readOwnSubscription(rows, uid))
  if (before?.confirmation) await syncUnconfirmed()
  const profile = await fetchProfile(uid)
  if (before === null && profile) {
    // A database that has taken over in memory knows no profile yet.
    await withRows(uid, ({ profiles }) => profiles.put(profile))
    return profile.subscription
  }
  let isUntouched = true
  const kept = await updateStoredPlan(uid, (stored) => {
    isUntouched = JSON.stringify(stored) === JSON.stringify(before ?? EMPTY_SUBSCRIPTION)
    return (isUntouched && profile?.subscription) || stored
  })
  return isUntouched ? kept : refreshPlan(uid)
}

/** The user may have confirmed a renewal on Stripe's page. */
async function syncUnconfirmed(): Promise<void> {
  const { requestPlanRefresh } = await import('../services/subscriptions.ts')
  // Without it, the server learns of the confirmation from Stripe.
  await requestPlanRefresh().catch(() => undefined)
}
