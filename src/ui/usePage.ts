import { useCallback, useEffect, useState } from 'react'

/**
 * Which page lies over the home screen; null when none does. There is no router: the page is an entry of the browser's
 * history, so that the phone's back button leaves it, and a reload opens it again. Specification, section 2.
 */
export function usePage<Name extends string>(
  names: readonly Name[],
): [Name | null, (name: Name) => void, () => void] {
  const [page, setPage] = useState(() => pageIn(history.state, names))
  useEffect(() => {
    const follow = ({ state }: PopStateEvent) => setPage(pageIn(state, names))
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [names])
  const open = useCallback(
    (name: Name) => {
      const current = pageIn(history.state, names)
      if (current === name) return
      // One step back from any page is the home screen, whichever page led to it.
      if (current === null) history.pushState({ page: name }, '')
      else history.replaceState({ page: name }, '')
      setPage(name)
      scrollTo(0, 0)
    },
    [names],
  )
  const close = useCallback(() => history.back(), [])
  return [page, open, close]
}

function pageIn<Name extends string>(state: unknown, names: readonly Name[]): Name | null {
  const page = (state as { page?: unknown } | null)?.page
  return names.find((name) => name === page) ?? null
}
