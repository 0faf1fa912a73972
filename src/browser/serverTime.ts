import { createStore } from './createStore.ts'
import { deviceStore } from './storage.ts'

/**
 * How far the server's clock is ahead, in milliseconds. While it is null, the value from an earlier page is
 * used.
 */
const ahead = createStore<number | null>(null)

const known = () => ahead.get() ?? deviceStore.get('serverAhead') ?? 0

/**
 * Returns the current time by the server's clock, in UTC ms; by the device's clock until a response has
 * arrived. Decisions about money, plans, months and sessions use it, as do comparisons with the server's
 * dates.
 */
export const serverNow = (): number => Date.now() + known()

/**
 * Learns the server's clock from a response. `said`: the server's time (UTC ms). `took`: the request's
 * duration (ms). The server may have read its clock at any moment of the request, so a difference within the
 * duration is ignored.
 */
export function syncServerTime(said: number, took: number) {
  const difference = said - (Date.now() - took / 2)
  if (Math.abs(difference - known()) <= took / 2) return
  const found = Math.round(difference)
  // Stored for a start without a network.
  deviceStore.set('serverAhead', found)
  ahead.set(found)
}

/** Calls the listener when the known difference between the two clocks changes. */
export const watchServerTime = ahead.subscribe
