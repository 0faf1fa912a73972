import { useCallback } from 'react'
import { type CapUse, capUse, type MonthLedger } from '../../../domain/capUse.ts'
import { nextMonthStart } from '../../../domain/month.ts'
import { refreshLedger } from '../../actors/refreshPlan.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { useCached } from '../../ui/useCached.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import { useServerNow } from '../../ui/useServerNow.ts'

/** The newest transfer and the payments under way: when they change, so does the use of the cap. */
async function readUse({ ledgers, transactions, attempts }: UserDatabase) {
  const [ledger, newest, open] = await Promise.all([
    ledgers.toCollection().first(),
    transactions.orderBy('createdAt').last(),
    attempts.toCollection().primaryKeys(),
  ])
  return { ledger: ledger ?? null, mark: [newest?.id ?? '', ...open].join() }
}

/** This month's use of the cap, from this device, kept like the server's; null before anything is known. */
export function useCapUse(uid: string): {
  readonly use: CapUse | null
  readonly asOf: number | null
  readonly ledger: MonthLedger | null
  /** Changes with what was begun and paid on this device; undefined before it is known. */
  readonly mark: string | undefined
  /** What the last question to the server failed with. */
  readonly error: unknown
  readonly isFetched: boolean
  readonly isAsking: boolean
  readonly ask: () => void
} {
  const found = useCached(uid, readUse)
  const fresh = useRefresh(
    useCallback(() => refreshLedger(uid), [uid]),
    found?.mark,
  )
  const ledger = found?.ledger ?? null
  const now = useServerNow(nextMonthStart)
  return {
    use: ledger && capUse(ledger, now),
    ledger,
    mark: found?.mark,
    asOf: ledger?.asOf ?? null,
    ...fresh,
  }
}
