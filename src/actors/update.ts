import { Workbox } from 'workbox-window'
import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import { updateMachine } from '../../machines/update.ts'
import { doesServerAnswer } from '../browser/importWithRetry.ts'
import { reportError } from '../browser/reportError.ts'
import { findServiceWorkers, offlineRefusedStore } from '../pwa/serviceWorkers.ts'
import { runBetweenPayments, watchPayments } from '../pwa/watchPayments.ts'

/** Null before the machine runs, and without service workers. */
let worker: Workbox | null = null

export const updateLogic = updateMachine.provide({
  actors: {
    watchVersions: fromCallback<AnyEventObject>(({ sendBack }) => watchVersions(sendBack)),
    watchPayments: fromCallback<AnyEventObject>(({ sendBack }) =>
      watchPayments((isUnderWay) => sendBack({ type: isUnderWay ? 'payment.started' : 'payment.ended' })),
    ),
    activate: fromPromise(
      async ({ signal }) =>
        (await runBetweenPayments(async () => {
          const activated = new Promise<boolean>((resolve) => {
            findServiceWorkers()?.addEventListener('controllerchange', () => resolve(true), { signal })
            signal.addEventListener('abort', () => resolve(false))
          })
          worker?.messageSkipWaiting()
          return activated
        })) ?? false,
    ),
  },
  actions: {
    checkForVersion: () => {
      worker?.update().catch(reportFailure)
    },
    reloadPage: () => location.reload(),
  },
})

function watchVersions(sendBack: (event: AnyEventObject) => void) {
  // Development has no worker, so that every file is current.
  const workers = findServiceWorkers()
  if (!import.meta.env.PROD || !workers) return
  const app = new Workbox('/sw.js')
  worker = app
  const stopped = new AbortController()
  const { signal } = stopped
  const tellReady = () => sendBack({ type: 'version.ready' })
  let registration: ServiceWorkerRegistration | undefined
  app.addEventListener('waiting', tellReady)
  signal.addEventListener('abort', () => app.removeEventListener('waiting', tellReady))

  // A page that came from the server gets its first worker, which is not an update.
  let isServed = workers.controller !== null
  const serve = () => {
    if (isServed) sendBack({ type: 'version.activated' })
    isServed = true
  }
  workers.addEventListener('controllerchange', serve, { signal })

  const show = () => {
    if (document.visibilityState === 'hidden') return
    sendBack({ type: 'page.shown' })
    // The library does not report a version that another tab has already fetched.
    if (registration?.waiting) tellReady()
  }
  document.addEventListener('visibilitychange', show, { signal })
  app
    .register()
    .then((registered) => {
      registration = registered
      const follow = () => followInstallation(registered?.installing)
      follow()
      registered?.addEventListener('updatefound', follow, { signal })
    })
    .catch((error) => {
      // A failed download of the worker is a TypeError. Private windows refuse every worker otherwise.
      if (error instanceof DOMException) offlineRefusedStore.set(true)
    })
  return () => stopped.abort()
}

/** The browser drops a version if a file is missing, and does not say why. */
function followInstallation(version: ServiceWorker | null | undefined) {
  const follow = () => version?.state === 'redundant' && reportFailure(new Error('Installation failed'))
  version?.addEventListener('statechange', follow, { once: true })
}

/** Updates also fail without a network, which is not an error. */
async function reportFailure(error: unknown) {
  if (await doesServerAnswer()) reportError('worker', error)
}
