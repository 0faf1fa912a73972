import type { MessageDescriptor } from '@lingui/core'
import { useEffect, useState } from 'react'
import { historyMessage } from './historyMessages.ts'

/** Keeps the newest rows on this device like the server's while a screen shows them; tells why they may not be. */
export function useFreshHistory(uid: string): { problem: MessageDescriptor | null; isFetched: boolean } {
  const [problem, setProblem] = useState<MessageDescriptor | null>(null)
  const [isFetched, setFetched] = useState(false)
  useEffect(() => {
    let isCurrent = true
    const sync = () => {
      if (document.visibilityState === 'hidden') return
      import('./freshHistory.ts')
        .then(({ refresh }) => refresh(uid))
        .then(() => isCurrent && setProblem(null))
        .catch((error) => isCurrent && setProblem(historyMessage(error)))
        .finally(() => isCurrent && setFetched(true))
    }
    sync()
    // Somebody who comes back, or whose network does, may have been paid for elsewhere in the meantime.
    document.addEventListener('visibilitychange', sync)
    addEventListener('online', sync)
    return () => {
      isCurrent = false
      document.removeEventListener('visibilitychange', sync)
      removeEventListener('online', sync)
    }
  }, [uid])
  return { problem, isFetched }
}
