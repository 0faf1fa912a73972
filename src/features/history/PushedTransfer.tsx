import { useEffect } from 'react'
import type { KeptTransaction } from '../../cache/database.ts'
import { renewPush } from '../../pwa/pushDevice.ts'
import { transferToOpen } from '../../pwa/pushOpening.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { openTransaction } from './link.ts'

/** Shows nothing itself: opens the receipt whose notification was pressed, and keeps the server up to date about this device. */
export function PushedTransfer({
  uid,
  onOpen,
}: {
  uid: string
  onOpen: (transaction: KeptTransaction) => void
}) {
  const language = useLanguage()
  // What fails is tried again with the next start.
  useEffect(() => void renewPush(uid, language).catch(() => undefined), [uid, language])
  useEffect(() => {
    const stopped = new AbortController()
    navigator.serviceWorker?.addEventListener(
      'message',
      ({ data }) => {
        const id = transferToOpen(data)
        if (id !== null) openTransaction(uid, id, onOpen)
      },
      { signal: stopped.signal },
    )
    return () => stopped.abort()
  }, [uid, onOpen])
  return null
}
