import { useSyncExternalStore } from 'react'
import { afterPress } from '../browser/press.ts'

/** Whether the browser says that there is a network. A no is right, but a yes proves nothing. */
export const useOnline = () =>
  useSyncExternalStore(
    watch,
    () => isOnline,
    () => true,
  )

let isOnline = navigator.onLine
const listeners = new Set<() => void>()

function watch(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// What is said of it pushes away what stands below. There is no window when the page is painted.
for (const change of ['online', 'offline'])
  globalThis.addEventListener?.(change, () =>
    afterPress(() => {
      isOnline = navigator.onLine
      for (const listener of listeners) listener()
    }),
  )
