import { createStore } from '../browser/createStore.ts'

/**
 * The browser's service workers; null in a browser that has none, as in some private windows and inside of
 * other apps.
 */
export function findServiceWorkers(): ServiceWorkerContainer | null {
  try {
    return navigator.serviceWorker ?? null
  } catch {
    return null
  }
}

/** Whether this browser refuses the worker that opens the app without a network. */
export const offlineRefusedStore = createStore(findServiceWorkers() === null)
