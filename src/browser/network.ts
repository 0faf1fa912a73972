import { createStore } from './createStore.ts'

/** How long the server may take to respond, in milliseconds. */
const PROBE_TIMEOUT = 5000

/** Whether requests reach the server, as far as the app knows. */
export const onlineStore = createStore(true)

/**
 * Checks whether there is a network. Some browsers report none while it works, so a small request decides
 * then. Any response counts, and the service worker ignores this request.
 */
export async function checkNetwork(): Promise<boolean> {
  latest += 1
  const own = latest
  const isReached = navigator.onLine || (await isServerReached())
  // A slow response says nothing about a network that was lost during the request.
  if (own === latest) onlineStore.set(isReached || navigator.onLine)
  return onlineStore.get()
}

/** Runs work that needs a network. If the network may be gone, checks it first. */
export async function runAfterNetworkCheck(work: () => void): Promise<void> {
  if (!onlineStore.get() || !navigator.onLine) await checkNetwork()
  work()
}

let latest = 0

const isServerReached = () =>
  fetch('/robots.txt', {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(PROBE_TIMEOUT),
  }).then(
    () => true,
    () => false,
  )
