import { useCallback } from 'react'
import { useRefresh } from '../../ui/useRefresh.ts'
import { getHistoryLoadFailureText } from './historyMessages.ts'

/**
 * Keeps the newest rows on this device up to date while a screen shows them; returns why they may be
 * outdated.
 */
export function useRefreshHistory(uid: string) {
  const { error, ...fresh } = useRefresh(
    useCallback(async () => (await import('./serverHistory.ts')).refreshHistoryFromServer(uid), [uid]),
  )
  return { problem: error === null ? null : getHistoryLoadFailureText(error), ...fresh }
}
