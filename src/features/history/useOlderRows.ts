import type { MessageDescriptor } from '@lingui/core'
import { useEffect, useState } from 'react'
import type { HistoryState } from '../../cache/database.ts'
import { getHistoryLoadFailureText } from './historyMessages.ts'

const SCROLL_PAGE_SIZE = 50
const SEARCH_PAGE_SIZE = 250

export function useOlderRows(
  uid: string,
  state: HistoryState | undefined,
  { isWanted, isAllWanted }: { isWanted: boolean; isAllWanted: boolean },
) {
  const [problem, setProblem] = useState<MessageDescriptor | null>(null)
  const [tries, setTries] = useState(0)
  const [isAsking, setAsking] = useState(false)
  const gap = state?.gaps[0]
  // Each stored page moves the start of the next one, which runs the effect again.
  const place = gap ? (gap.after?.id ?? '') : null
  const isBusy = isWanted && place !== null && (problem === null || isAsking)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry runs the effect again
  useEffect(() => {
    if (!isWanted || place === null) return
    let isCurrent = true
    setAsking(true)
    import('./serverHistory.ts')
      .then(({ fetchOlderFromServer }) =>
        fetchOlderFromServer(uid, isAllWanted ? SEARCH_PAGE_SIZE : SCROLL_PAGE_SIZE),
      )
      .then(() => isCurrent && setProblem(null))
      .catch((error) => isCurrent && setProblem(getHistoryLoadFailureText(error)))
      .finally(() => isCurrent && setAsking(false))
    return () => {
      isCurrent = false
      setAsking(false)
    }
  }, [uid, isWanted, isAllWanted, place, tries])

  // A refresh may have loaded the rows meanwhile.
  return { isBusy, isAsking, problem: place === null ? null : problem, retry: () => setTries(tries + 1) }
}
