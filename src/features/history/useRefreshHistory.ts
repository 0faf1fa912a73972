import { useCallback } from 'react'
import { useRefresh } from '../../ui/useRefresh.ts'
import { historyMessage } from './historyMessages.ts'

/** Keeps the newest rows on this device like the server's while a screen shows them; tells why they may not be. */
export function useRefreshHistory(uid: string) {
  const { error, ...fresh } = useRefresh(
    useCallback(async () => (await import('./serverHistory.ts')).refresh(uid), [uid]),
  )
  return { problem: error === null ? null : historyMessage(error), ...fresh }
}
