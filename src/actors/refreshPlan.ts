import { monthOf } from '../../domain/month.ts'
import type { Subscription } from '../../domain/plans.ts'
import { serverNow } from '../browser/serverTime.ts'
import { keepLedger, keepPlan } from '../cache/plans.ts'
import { fetchLedger } from '../services/ledgers.ts'
import { fetchProfile } from '../services/profiles.ts'

/** Brings this month's use of the cap on this device to the server's. Fails with `fetchLedger`. */
export async function refreshLedger(uid: string): Promise<void> {
  const asOf = serverNow()
  await keepLedger(uid, await fetchLedger(uid, monthOf(asOf)), asOf)
}

/** Brings the plan on this device to the server's, and answers it. Fails with `fetchProfile`. */
export async function refreshPlan(uid: string): Promise<Subscription> {
  const profile = await fetchProfile(uid)
  return keepPlan(uid, (stored) => profile?.subscription ?? stored)
}
