import { useCallback, useEffect, useRef, useState } from 'react'
import { isPaymentLockHeld } from '../pwa/paymentLock.ts'
import { useUnmount } from './useIsMounted.ts'

interface Pages<Name extends string> {
  /** The open page over the home screen, or null. */
  readonly page: Name | null
  /** Opens a page in place of the open one, or `above` it, so that closing it leads back. */
  readonly openPage: (name: Name, where?: 'above') => void
  /** Goes back to the page below, or the home screen. */
  readonly closePage: () => void
  /** Goes back to the home screen. */
  readonly leavePages: () => void
}

/**
 * Manages the pages over the home screen, without a router: a page is an entry of the browser's history, so
 * the phone's back button leaves it and a reload opens it again. The page of an open payment stays, because
 * it reports the outcome. An entry belongs to its user: for another user of this device it is the home
 * screen. The arguments must not change. Specification, section 2.
 */
export function usePage<Name extends string>(names: readonly Name[], uid: string): Pages<Name> {
  const openIn = useCallback((state: unknown) => parsePageEntry(state, names, uid), [names, uid])
  const [page, setPage] = useState(() => openIn(history.state).page)
  const shown = useRef(page)
  useEffect(() => {
    shown.current = page
  }, [page])
  useEffect(() => {
    // Clear another user's entry here, so that no other code has to check its owner.
    const leaveForeign = () => openIn(history.state).page ?? history.replaceState(null, '')
    leaveForeign()
    const follow = ({ state }: PopStateEvent) => {
      const next = openIn(state).page
      leaveForeign()
      // The page of a payment stays until it has reported the outcome.
      if (shown.current !== null && shown.current !== next && isPaymentLockHeld()) history.forward()
      else setPage(next)
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [openIn])
  // The next user starts at the home screen.
  useUnmount(useCallback(() => void (openIn(history.state).page && history.replaceState(null, '')), [openIn]))
  const openPage = useCallback(
    (name: Name, where?: 'above') => {
      const { page: current, depth } = openIn(history.state)
      if (current === name) return
      // Several pages in a row use one entry, so that one step leads back to the home screen.
      if (current !== null && where !== 'above') history.replaceState({ page: name, depth, uid }, '')
      else history.pushState({ page: name, depth: depth + 1, uid }, '')
      setPage(name)
      scrollTo(0, 0)
    },
    [openIn, uid],
  )
  const closePage = useCallback(() => history.back(), [])
  const leavePages = useCallback(() => history.go(-openIn(history.state).depth), [openIn])
  return { page, openPage, closePage, leavePages }
}

/**
 * Returns the page that a history entry shows to this user, and the number of entries down to the home
 * screen.
 */
function parsePageEntry<Name extends string>(
  state: unknown,
  names: readonly Name[],
  uid: string,
): { page: Name | null; depth: number } {
  const kept = state as { page?: unknown; depth?: unknown; uid?: unknown } | null
  const page = names.find((name) => name === kept?.page && kept.uid === uid) ?? null
  return {
    page,
    depth: page !== null && typeof kept?.depth === 'number' ? kept.depth : Number(page !== null),
  }
}
