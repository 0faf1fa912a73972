import { Workbox } from 'workbox-window'
import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import { updateMachine } from '../../machines/update.ts'
import { betweenPayments, watchPayments } from '../pwa/watchPayments.ts'

const worker = new Workbox('/sw.js')

/** The update machine with everything it needs in a browser. */
export const update = updateMachine.provide({
  actors: {
    watchVersions: fromCallback<AnyEventObject>(({ sendBack }) => watchVersions(sendBack)),
    watchPayments: fromCallback<AnyEventObject>(({ sendBack }) =>
      watchPayments((isUnderWay) => sendBack({ type: isUnderWay ? 'payment.begun' : 'payment.over' })),
    ),
    activate: fromPromise(
      async ({ signal }) =>
        (await betweenPayments(async () => {
          const activated = new Promise<boolean>((resolve) => {
            navigator.serviceWorker.addEventListener('controllerchange', () => resolve(true), { signal })
            signal.addEventListener('abort', () => resolve(false))
          })
          worker.messageSkipWaiting()
          return activated
        })) ?? false,
    ),
  },
  actions: {
    askForVersion: () => {
      worker.update().catch(() => undefined)
    },
    reloadPage: () => location.reload(),
  },
})

/** Registers the service worker, once the page has loaded, and tells what becomes of it. */
function watchVersions(sendBack: (event: AnyEventObject) => void) {
  // In development every file has to be the newest one, so there is no worker.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const stopped = new AbortController()
  const { signal } = stopped
  const tellReady = () => sendBack({ type: 'version.ready' })
  let registration: ServiceWorkerRegistration | undefined
  worker.addEventListener('waiting', tellReady)
  signal.addEventListener('abort', () => worker.removeEventListener('waiting', tellReady))

  // The very first worker takes over a page that came from the server. That is no change of version.
  let isServed = navigator.serviceWorker.controller !== null
  const serve = () => {
    if (isServed) sendBack({ type: 'version.activated' })
    isServed = true
  }
  navigator.serviceWorker.addEventListener('controllerchange', serve, { signal })

  const show = () => {
    if (document.visibilityState === 'hidden') return
    sendBack({ type: 'page.shown' })
    // The library hears of the first version that follows, and of none that another tab is fetching already.
    if (registration?.waiting) tellReady()
  }
  document.addEventListener('visibilitychange', show, { signal })
  worker
    .register()
    .then((registered) => {
      registration = registered
    })
    .catch(() => undefined)
  return () => stopped.abort()
}
