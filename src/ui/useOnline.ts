import { createStore } from '../browser/createStore.ts'
import { afterPress } from '../browser/press.ts'
import { useStore } from './useStore.ts'

const online = createStore(true)

/** Whether the browser reports a network. Offline is certain; online only means that a request may succeed. */
export const useOnline = () => useStore(online)

// The prerendered page has no window.
if (typeof window !== 'undefined') {
  const update = () => online.set(navigator.onLine)
  update()
  // The banner moves what is below it, so it waits for the end of a press.
  for (const change of ['online', 'offline']) addEventListener(change, () => afterPress(update))
}
