import { createStore } from './createStore.ts'

/** In milliseconds. */
const PROBE_TIMEOUT = 5000

export const onlineStore = createStore(true)

/**
 * Some browsers report no network while it works, so a small request, which the service worker ignores,
 * decides then.
 */
export async function checkNetwork(): Promise<boolean> {
  latest += 1
  const own = latest
  const isReached = navigator.onLine || (await isServerReached())
  // A slow response says nothing about a network that was lost during the request.
  if (own === latest) onlineStore.set(isReached || navigator.onLine)
  return onlineStore.get()
}

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
