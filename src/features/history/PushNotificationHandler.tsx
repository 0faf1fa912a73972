import { useEffect } from 'react'
import type { StoredTransaction } from '../../cache/database.ts'
import { refreshPushRegistration } from '../../pwa/pushDevice.ts'
import { parseTransferToOpen } from '../../pwa/pushOpening.ts'
import { findServiceWorkers } from '../../pwa/serviceWorkers.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { openTransaction } from './linkRequest.ts'

/**
 * Opens the receipt of a transfer whose notification was pressed, and updates the server's record of this
 * device.
 */
export function PushNotificationHandler({
  uid,
  onOpen,
}: {
  uid: string
  onOpen: (transaction: StoredTransaction) => void
}) {
  const language = useLanguage()
  useEffect(() => void refreshPushRegistration(uid, language).catch(() => undefined), [uid, language])
  useEffect(() => {
    const stopped = new AbortController()
    findServiceWorkers()?.addEventListener(
      'message',
      ({ data }) => {
        const id = parseTransferToOpen(data)
        if (id !== null) openTransaction(uid, id, onOpen)
      },
      { signal: stopped.signal },
    )
    return () => stopped.abort()
  }, [uid, onOpen])
  return null
}
