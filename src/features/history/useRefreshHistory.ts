import { useCallback } from 'react'
import { useRefresh } from '../../ui/useRefresh.ts'
import { getHistoryLoadFailureText } from './historyMessages.ts'

/** Returns why the newest rows may be outdated. */
export function useRefreshHistory(uid: string) {
  const { error, ...fresh } = useRefresh(
    useCallback(async () => (await import('./serverHistory.ts')).refreshHistoryFromServer(uid), [uid]),
  )
  return { problem: error === null ? null : getHistoryLoadFailureText(error), ...fresh }
}
