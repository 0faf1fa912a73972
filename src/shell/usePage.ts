import { useCallback, useEffect, useRef, useState } from 'react'
import { payingPages } from '../pwa/paymentLock.ts'
import { useUnmount } from '../ui/useUnmount.ts'

interface Pages<Name extends string> {
  readonly page: Name | null
  /** Opens a page in place of the open one, or `above` it. */
  readonly openPage: (name: Name, where?: 'above') => void
  readonly closePage: () => void
  readonly leavePages: () => void
}

/**
 * A page is an entry of the browser's history, so the phone's back button leaves it and a reload opens it
 * again. The page of an open payment stays. For another user of this device, an entry is the home screen. The
 * arguments must not change. Specification, section 2.
 */
export function usePage<Name extends string>(names: readonly Name[], uid: string): Pages<Name> {
  const readEntry = useCallback((state: unknown) => parsePageEntry(state, names, uid), [names, uid])
  const [page, setPage] = useState(() => readEntry(history.state).page)
  const latest = useRef(page)
  useEffect(() => {
    latest.current = page
  }, [page])
  useEffect(() => {
    // No other code has to check the owner of an entry.
    const leaveForeign = () => readEntry(history.state).page ?? history.replaceState(null, '')
    leaveForeign()
    const follow = ({ state }: PopStateEvent) => {
      const next = readEntry(state).page
      leaveForeign()
      // The page of a payment stays until it has reported the outcome.
      if (latest.current !== next && payingPages.has(latest.current)) history.forward()
      else setPage(next)
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [readEntry])
  // The next user starts at the home screen.
  useUnmount(
    useCallback(() => void (readEntry(history.state).page && history.replaceState(null, '')), [readEntry]),
  )
  const openPage = useCallback(
    (name: Name, where?: 'above') => {
      const { page: current, below } = readEntry(history.state)
      if (current === name || payingPages.has(current)) return
      // One step leads back to the home screen from several pages in a row.
      if (current !== null && where !== 'above') history.replaceState({ page: name, below, uid }, '')
      else history.pushState({ page: name, below: [...below, window.navigation?.currentEntry?.key], uid }, '')
      setPage(name)
      scrollTo(0, 0)
    },
    [readEntry, uid],
  )
  const closePage = useCallback(() => goBack(readEntry(history.state).below, 1), [readEntry])
  const leavePages = useCallback(() => {
    const { below } = readEntry(history.state)
    goBack(below, below.length)
  }, [readEntry])
  return { page, openPage, closePage, leavePages }
}

/** A frame that navigated, such as the bank's, adds entries that only the Navigation API steps over. */
function goBack(below: readonly unknown[], steps: number) {
  const key = below.at(-steps)
  const entry = window.navigation?.entries().find((one) => one.key === key)
  if (!entry) return history.go(-steps)
  // A press that interrupts the traversal starts another one.
  const { committed, finished } = navigation.traverseTo(entry.key)
  for (const step of [committed, finished]) step?.catch(() => undefined)
}

function parsePageEntry<Name extends string>(
  state: unknown,
  names: readonly Name[],
  uid: string,
): { page: Name | null; below: readonly unknown[] } {
  const entry = state as { page?: unknown; below?: unknown; uid?: unknown } | null
  const page = names.find((name) => name === entry?.page && entry.uid === uid) ?? null
  return { page, below: page !== null && Array.isArray(entry?.below) ? entry.below : [] }
}
