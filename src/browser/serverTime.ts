import { createStore } from './createStore.ts'
import { deviceStore } from './storage.ts'

/** In milliseconds; null until this page has synced. */
const ahead = createStore<number | null>(null)

const known = () => ahead.get() ?? deviceStore.get('serverAhead') ?? 0

/**
 * UTC ms; by the device's clock until a response arrives. Decisions about money, plans, months and sessions
 * use it.
 */
export const serverNow = (): number => Date.now() + known()

/**
 * `said`: UTC ms. `took`: ms. A difference within the request's duration is ignored, because the server may
 * have read its clock at any moment of it.
 */
export function syncServerTime(said: number, took: number) {
  const difference = said - (Date.now() - took / 2)
  if (Math.abs(difference - known()) <= took / 2) return
  const found = Math.round(difference)
  // Stored for a start without a network.
  deviceStore.set('serverAhead', found)
  ahead.set(found)
}

export const watchServerTime = ahead.subscribe
