import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ServiceError } from '../browser/failure.ts'
import { waitForFirstScreen } from '../browser/firstScreen.ts'
import { checkNetwork } from '../browser/network.ts'
import { runAfterPress } from '../browser/press.ts'
import { type StorageProblem, storageProblemStore } from '../cache/deviceStorage.ts'
import { useStore } from './useStore.ts'

/**
 * `ask` returns the failure of its own refresh, or null. The caller must pass the same function for the same
 * work at each render. A database that replaces another begins empty and is filled at once; until then
 * nothing counts as fetched.
 */
export function useRefresh(
  work: () => Promise<unknown>,
  mark: unknown = null,
): { error: unknown; isFetched: boolean; isAsking: boolean; ask: () => Promise<unknown> } {
  const [error, setError] = useState<unknown>(null)
  const storage = useStore(storageProblemStore)
  const [fetchedInto, setFetchedInto] = useState<StorageProblem | null>()
  const [isAsking, setAsking] = useState(false)
  const turn = useRef(0)
  const ask = useCallback(async () => {
    turn.current += 1
    const own = turn.current
    const into = storageProblemStore.get()
    setAsking(true)
    const failure = await tryRefresh(work)
    // The message shifts the layout.
    runAfterPress(() => {
      if (own !== turn.current) return
      flushSync(() => {
        setError(failure)
        setFetchedInto(into)
        setAsking(false)
      })
    })
    return failure
  }, [work])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new mark or database runs the effect again
  useEffect(() => {
    const askInSight = () => document.visibilityState !== 'hidden' && ask()
    askInSight()
    document.addEventListener('visibilitychange', askInSight)
    addEventListener('online', askInSight)
    return () => {
      // The response to an earlier request says nothing about the next one.
      turn.current += 1
      document.removeEventListener('visibilitychange', askInSight)
      removeEventListener('online', askInSight)
    }
  }, [ask, mark, storage])
  return { error, isFetched: fetchedInto === storage, isAsking, ask }
}

/** Waits for the first screen. Returns the failure, or null. */
export async function tryRefresh(work: () => Promise<unknown>): Promise<unknown> {
  await waitForFirstScreen()
  if (!(await checkNetwork())) return new ServiceError({ kind: 'network' })
  try {
    await work()
    return null
  } catch (error) {
    return error
  }
}
