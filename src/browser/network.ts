import { createStore } from './createStore.ts'

/** In milliseconds. */
const PROBE_TIMEOUT = 5000

export const onlineStore = createStore(true)

/** Whether the network, such as a Wi-Fi, answers with its login page; it then counts as none. */
export const loginPageStore = createStore(false)

/**
 * Some browsers report no network while it works, so a small request, which the service worker ignores,
 * decides then.
 */
export async function checkNetwork(): Promise<boolean> {
  latest += 1
  const own = latest
  const isReached = (navigator.onLine && !loginPageStore.get()) || (await isServerReached())
  // A slow response says nothing about a network that was lost during the request.
  if (own === latest) {
    loginPageStore.set(isReached === false)
    onlineStore.set(isReached ?? navigator.onLine)
  }
  return onlineStore.get()
}

export const isPage = ({ ok, headers }: Response) => ok && headers.get('content-type')?.includes('html')

/** Finds out whether a page that came instead of JSON is the network's. */
export async function checkLoginPage(): Promise<boolean> {
  const isLoginPage = (await isServerReached()) === false
  if (isLoginPage) {
    loginPageStore.set(true)
    onlineStore.set(false)
  }
  return isLoginPage
}

export async function runAfterNetworkCheck(work: () => void): Promise<void> {
  if (!onlineStore.get() || !navigator.onLine) await checkNetwork()
  work()
}

let latest = 0

/** False: a login page answers. Null: nothing does. */
const isServerReached = () =>
  fetch('/robots.txt', {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(PROBE_TIMEOUT),
  }).then(
    (response) => !isPage(response),
    () => null,
  )
