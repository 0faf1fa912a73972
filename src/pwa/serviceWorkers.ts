import { createStore } from '../browser/createStore.ts'

/** Null in some private windows and inside of other apps. */
export function findServiceWorkers(): ServiceWorkerContainer | null {
  try {
    return navigator.serviceWorker ?? null
  } catch {
    return null
  }
}

export const offlineRefusedStore = createStore(findServiceWorkers() === null)
