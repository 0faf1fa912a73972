import { useCallback, useEffect, useRef, useState } from 'react'
import { isPaymentHeld } from '../pwa/payments.ts'

interface Pages<Name extends string> {
  /** Which page lies over the home screen; null when none does. */
  readonly page: Name | null
  /** Opens a page in the place of the one that is open; `above`: over it, to come back to it. */
  readonly openPage: (name: Name, where?: 'above') => void
  /** Back to what the page lies over. */
  readonly closePage: () => void
  /** Back to the home screen from wherever. */
  readonly leavePages: () => void
}

/**
 * The pages over the home screen. There is no router: a page is an entry of the browser's history, so that the phone's back
 * button leaves it, and a reload opens it again. While a payment is under way its page stays, because it says what becomes of it.
 * An entry belongs to the person who made it: for somebody else who signs in on this device it is one of the home screen. None of the
 * arguments may change. Specification, section 2.
 */
export function usePage<Name extends string>(names: readonly Name[], uid: string): Pages<Name> {
  const openIn = useCallback((state: unknown) => entryOf(state, names, uid), [names, uid])
  const [page, setPage] = useState(() => openIn(history.state).page)
  const shown = useRef(page)
  useEffect(() => {
    shown.current = page
  }, [page])
  useEffect(() => {
    // An entry of somebody else is changed here, so that no other code has to ask whose it is.
    const leaveForeign = () => openIn(history.state).page ?? history.replaceState(null, '')
    leaveForeign()
    const follow = ({ state }: PopStateEvent) => {
      const next = openIn(state).page
      leaveForeign()
      // A page on which somebody pays stays until it has said what became of the money.
      if (shown.current !== null && shown.current !== next && isPaymentHeld()) history.forward()
      else setPage(next)
    }
    addEventListener('popstate', follow)
    return () => {
      removeEventListener('popstate', follow)
      // The next person who signs in begins at the home screen.
      history.replaceState(null, '')
    }
  }, [openIn])
  const openPage = useCallback(
    (name: Name, where?: 'above') => {
      const { page: current, depth } = openIn(history.state)
      if (current === name) return
      // A person who goes from one part of the app to the next comes back to the home screen in one step, not in one for each part.
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

/** What an entry of the history shows to this person, and how many entries lie between it and the home screen. */
function entryOf<Name extends string>(
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
