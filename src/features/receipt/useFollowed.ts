import { useCallback, useEffect, useState } from 'react'
import { isFollowed, isOpenDelivery, isSameNews } from '../../../domain/delivery.ts'
import { SECOND } from '../../../domain/duration.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { serverNow } from '../../browser/serverTime.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { noteArrivalTold } from '../../ui/arrivals.ts'
import { useCached } from '../../ui/useCached.ts'
import { useRefresh } from '../../ui/useRefresh.ts'

/** How long after each question about a delivery the next one follows, in milliseconds; the last wait is repeated. Most arrive within seconds. */
const WAITS = [3 * SECOND, 10 * SECOND, 30 * SECOND, 60 * SECOND]

/**
 * The transfer with the newest that this device knows of its delivery; that it arrived is told by it. While it is shown and there is more to hear, the server is asked.
 * One without a delivery stays as it is, and so does the object as long as nothing is new: files are made from it.
 */
export function useFollowed(uid: string, transaction: Transaction): Transaction {
  const { id } = transaction
  const kept = useCached(
    uid,
    useCallback(({ transactions }: UserDatabase) => transactions.get(id), [id]),
  )
  const [shown, setShown] = useState(transaction)
  const current = shown.id === id ? shown : transaction
  if (current !== shown) setShown(current)
  const news = kept?.id === id ? kept.delivery : null
  if (kept && news && !(current.delivery && isSameNews(current.delivery, news)))
    setShown({ ...current, status: kept.status, delivery: news })

  const isNews = kept?.arrivedSince === true && current.delivery?.stage === 'delivered'
  useEffect(() => {
    if (isNews) noteArrivalTold(uid, id)
  }, [isNews, uid, id])

  const [turn, setTurn] = useState(0)
  const isOpen = isFollowed(current, serverNow())
  // An old one is asked about when it is opened, and not again.
  const isAsked = isOpenDelivery(current.delivery)
  useEffect(() => {
    if (!isOpen) return
    const timer = setTimeout(() => setTurn(turn + 1), WAITS[Math.min(turn, WAITS.length - 1)])
    return () => clearTimeout(timer)
  }, [isOpen, turn])
  useRefresh(
    useCallback(async () => {
      if (isAsked) await (await import('./followDelivery.ts')).followDelivery(uid, id)
    }, [uid, id, isAsked]),
    turn,
  )
  return current
}
