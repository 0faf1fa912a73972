import { useCallback } from 'react'
import { refreshLedger } from '../../actors/freshPlan.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { type CapUse, capUse } from '../../domain/capUse.ts'
import { serverNow } from '../../services/serverTime.ts'
import { useCached } from '../../ui/useCached.ts'
import { useFresh } from '../../ui/useFresh.ts'

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
  /** Transfers of the plan that payments under way hold. */
  readonly reservedSlots: number
  /** What the last question to the server failed with. */
  readonly error: unknown
  readonly isFetched: boolean
  readonly isAsking: boolean
  readonly ask: () => void
} {
  const found = useCached(uid, readUse)
  const fresh = useFresh(
    useCallback(() => refreshLedger(uid), [uid]),
    found?.mark,
  )
  const ledger = found?.ledger ?? null
  return {
    use: ledger && capUse(ledger, serverNow()),
    asOf: ledger?.asOf ?? null,
    reservedSlots: ledger?.reservedSlots ?? 0,
    ...fresh,
  }
}
