import type { Subscription } from '../../domain/account/profileSchema.ts'
import type { MonthLedger } from '../../domain/prices/capUse.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import { serverNow } from '../browser/serverTime.ts'
import { withRows } from './database.ts'

export function updateStoredPlan(
  uid: string,
  change: (stored: Subscription) => Subscription,
): Promise<Subscription> {
  return withRows(uid, (database) =>
    database.transaction('rw', database.profiles, async () => {
      const profile = await database.profiles.get(uid)
      const changed = change(profile?.subscription ?? EMPTY_SUBSCRIPTION)
      if (profile) await database.profiles.put({ ...profile, subscription: changed })
      return changed
    }),
  )
}

/** `asOf`: UTC milliseconds. A newer stored ledger is kept. */
export function saveLedger(uid: string, ledger: MonthLedger, asOf: number): Promise<void> {
  return withRows(uid, (database) =>
    database.transaction('rw', database.ledgers, async () => {
      const kept = await database.ledgers.toCollection().first()
      // A row with a time in the future was written by a clock that was ahead.
      if (kept && asOf < kept.asOf && kept.asOf <= serverNow()) return
      await database.ledgers.clear()
      await database.ledgers.put({ ...ledger, asOf })
    }),
  )
}
