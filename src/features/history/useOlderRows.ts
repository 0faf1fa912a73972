import type { MessageDescriptor } from '@lingui/core'
import { useEffect, useState } from 'react'
import type { HistoryState } from '../../cache/database.ts'
import { historyMessage } from './historyMessages.ts'

/** How many older rows are asked for at once: to go on scrolling, and to search all of them. */
const TO_SCROLL = 50
const TO_SEARCH = 250

/** Fetches older rows while they are wanted and there are any, a page at a time. */
export function useOlderRows(
  uid: string,
  state: HistoryState | undefined,
  { isWanted, isAllWanted }: { isWanted: boolean; isAllWanted: boolean },
) {
  const [problem, setProblem] = useState<MessageDescriptor | null>(null)
  const [tries, setTries] = useState(0)
  const [isAsking, setAsking] = useState(false)
  const gap = state?.gaps[0]
  // Each page that is on the device moves the place from which the next one is asked for.
  const place = gap ? (gap.after?.id ?? '') : null
  const isBusy = isWanted && place !== null && (problem === null || isAsking)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is one more run
  useEffect(() => {
    if (!isWanted || place === null) return
    let isCurrent = true
    setAsking(true)
    import('./serverHistory.ts')
      .then(({ older }) => older(uid, isAllWanted ? TO_SEARCH : TO_SCROLL))
      .then(() => isCurrent && setProblem(null))
      .catch((error) => isCurrent && setProblem(historyMessage(error)))
      .finally(() => isCurrent && setAsking(false))
    return () => {
      isCurrent = false
      setAsking(false)
    }
  }, [uid, isWanted, isAllWanted, place, tries])

  return { isBusy, isAsking, problem, retry: () => setTries(tries + 1) }
}
