/** A storage in memory, in the place of one that the browser blocks. */
interface PageStorage {
  readonly isForThisPageOnly: true
}

/** Whether the browser keeps nothing for this site. A person who signs in is then signed out when the page is closed. */
export const isStorageBlocked = (): boolean =>
  (localStorage as Partial<PageStorage>).isForThisPageOnly === true

/**
 * A browser that blocks storage throws as soon as a script looks at it. What the app and the sign-in SDK want to keep is then kept
 * for this page. The app calls this before anything else.
 */
export function ensureStorage() {
  try {
    localStorage.getItem('')
  } catch {
    const kept = new Map<string, string>()
    const value = {
      isForThisPageOnly: true,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key),
    } satisfies PageStorage & Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
    Object.defineProperty(window, 'localStorage', { value })
  }
}
