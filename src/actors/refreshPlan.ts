import { toMonth } from '../../domain/month.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/plans.ts'
import type { Subscription } from '../../domain/schemas/profile.ts'
import { serverNow } from '../browser/serverTime.ts'
import { withRows } from '../cache/database.ts'
import { saveLedger, updateStoredPlan } from '../cache/plans.ts'
import { readOwnSubscription } from '../cache/queries.ts'
import { fetchLedger } from '../services/ledgers.ts'
import { fetchProfile } from '../services/profiles.ts'

/**
 * Replaces this month's ledger on this device with the server's.
 *
 * @throws a failure of the operation `fetchLedger`.
 */
export async function refreshLedger(uid: string): Promise<void> {
  const asOf = serverNow()
  await saveLedger(uid, await fetchLedger(uid, toMonth(asOf)), asOf)
}

/**
 * Replaces the plan on this device with the server's and returns it. If the plan on this device changes
 * during the request, that change may be newer, so it is kept and the server is asked again.
 *
 * @throws a failure of the operation `fetchProfile`.
 */
export async function refreshPlan(uid: string): Promise<Subscription> {
  const before = await withRows(uid, (rows) => readOwnSubscription(rows, uid))
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
