import { useCallback } from 'react'
import { getNextMonthStart } from '../../../domain/common/month.ts'
import { computeCapUse } from '../../../domain/prices/capUse.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import { useServerNow } from '../../ui/useServerNow.ts'

/** The mark changes when a payment begins or ends on this device, which also changes the use of the cap. */
async function readLedgerAndMark({ ledgers, transactions, attempts }: UserDatabase) {
  const [ledger, newest, open] = await Promise.all([
    ledgers.toCollection().first(),
    transactions.orderBy('createdAt').last(),
    attempts.toCollection().primaryKeys(),
  ])
  return { ledger: ledger ?? null, mark: [newest?.id ?? '', ...open].join() }
}

/** `use`: null before anything is known. `mark`: undefined until the device has been read. */
export function useCapUse(uid: string) {
  const device = useLiveQuery(uid, readLedgerAndMark)
  const fresh = useRefresh(
    useCallback(async () => (await import('../../actors/refreshPlan.ts')).refreshLedger(uid), [uid]),
    device?.mark,
  )
  const ledger = device?.ledger ?? null
  const now = useServerNow(getNextMonthStart)
  return { use: ledger && computeCapUse(ledger, now), ledger, mark: device?.mark, ...fresh }
}
