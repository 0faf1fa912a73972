import { useCallback, useEffect, useState } from 'react'
import { SECOND } from '../../../domain/common/duration.ts'
import { followDelivery, isOpenDelivery, shouldPollDelivery } from '../../../domain/transfers/delivery.ts'
import type { Transaction } from '../../../domain/transfers/transaction.ts'
import { serverNow } from '../../browser/serverTime.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { markArrivalSeen } from '../../ui/markArrivalSeen.ts'
import { useIsPageSeen } from '../../ui/useIsPageSeen.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { tryRefresh, useRefresh } from '../../ui/useRefresh.ts'

/** In milliseconds; the last wait is repeated. Most transfers arrive within seconds. */
const WAITS = [3 * SECOND, 10 * SECOND, 30 * SECOND, 60 * SECOND]

/**
 * Marks an arrival as seen once the user sees it. `refresh` returns the failure or null. The object changes
 * only with the delivery, because a receipt's files are created once per object.
 */
export function useTrackedTransfer(
  uid: string,
  transaction: Transaction,
): { readonly transaction: Transaction; readonly refresh: () => Promise<unknown> } {
  const { id } = transaction
  const row = useLiveQuery(
    uid,
    useCallback(({ transactions }: UserDatabase) => transactions.get(id), [id]),
  )
  const [latest, setLatest] = useState(transaction)
  const previous = latest.id === id ? latest : transaction
  const current = row?.id === id ? followDelivery(previous, row) : previous
  if (current !== latest) setLatest(current)

  const isNews = row?.arrivedSince === true && current.delivery?.stage === 'delivered'
  const isSeen = useIsPageSeen()
  useEffect(() => {
    if (isNews && isSeen) markArrivalSeen(uid, id)
  }, [isNews, isSeen, uid, id])

  const [turn, setTurn] = useState(0)
  const isOpen = shouldPollDelivery(current, serverNow())
  const isAwaited = isOpenDelivery(current.delivery)
  useEffect(() => {
    if (!isOpen) return
    const timer = setTimeout(() => setTurn(turn + 1), WAITS[Math.min(turn, WAITS.length - 1)])
    return () => clearTimeout(timer)
  }, [isOpen, turn])
  const ask = useCallback(
    async () => (await import('./refreshDelivery.ts')).refreshDelivery(uid, id),
    [uid, id],
  )
  useRefresh(
    useCallback(async () => isAwaited && ask(), [ask, isAwaited]),
    turn,
  )
  return { transaction: current, refresh: () => tryRefresh(ask) }
}
