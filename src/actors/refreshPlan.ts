import { monthOf } from '../../domain/month.ts'
import type { Subscription } from '../../domain/schemas/profile.ts'
import { serverNow } from '../browser/serverTime.ts'
import { withRows } from '../cache/database.ts'
import { keepLedger, keepPlan } from '../cache/plans.ts'
import { ownSubscription } from '../cache/queries.ts'
import { fetchLedger } from '../services/ledgers.ts'
import { fetchProfile } from '../services/profiles.ts'

/** Brings this month's use of the cap on this device to the server's. Fails with `fetchLedger`. */
export async function refreshLedger(uid: string): Promise<void> {
  const asOf = serverNow()
  await keepLedger(uid, await fetchLedger(uid, monthOf(asOf)), asOf)
}

/**
 * Brings the plan on this device to the server's, and answers it. What was changed here while the answer was under way may be newer than
 * it: it stays, and the server is asked once more. Fails with `fetchProfile`.
 */
export async function refreshPlan(uid: string): Promise<Subscription> {
  const before = await withRows(uid, (rows) => ownSubscription(rows, uid))
  const profile = await fetchProfile(uid)
  let isUntouched = true
  const kept = await keepPlan(uid, (stored) => {
    isUntouched = JSON.stringify(stored) === JSON.stringify(before)
    return (isUntouched && profile?.subscription) || stored
  })
  return isUntouched ? kept : refreshPlan(uid)
}
