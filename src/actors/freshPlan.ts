import { withRows } from '../cache/database.ts'
import { monthOf } from '../domain/month.ts'
import { EMPTY_SUBSCRIPTION, type Subscription } from '../domain/plans.ts'
import { fetchLedger } from '../services/ledgers.ts'
import { fetchProfile } from '../services/profiles.ts'
import { serverNow } from '../services/serverTime.ts'

/** Brings this month's use of the cap on this device to the server's. Fails with `fetchLedger`. */
export async function refreshLedger(uid: string): Promise<void> {
  const asOf = serverNow()
  const ledger = await fetchLedger(uid, monthOf(asOf))
  await withRows(uid, (database) =>
    database.transaction('rw', database.ledgers, async () => {
      await database.ledgers.clear()
      await database.ledgers.put({ ...ledger, asOf })
    }),
  )
}

/** Brings the plan on this device to the server's, and answers it. Fails with `fetchProfile`. */
export async function refreshPlan(uid: string): Promise<Subscription> {
  const profile = await fetchProfile(uid)
  return keepPlan(uid, (stored) => profile?.subscription ?? stored)
}

/** Changes the plan as this device has it, and answers it. */
export function keepPlan(uid: string, change: (stored: Subscription) => Subscription): Promise<Subscription> {
  return withRows(uid, async ({ profiles }) => {
    const profile = await profiles.get(uid)
    const changed = change(profile?.subscription ?? EMPTY_SUBSCRIPTION)
    if (profile) await profiles.put({ ...profile, subscription: changed })
    return changed
  })
}
