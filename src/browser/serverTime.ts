import { createStore } from './createStore.ts'
import { deviceStore } from './storage.ts'

/** Null until the server has answered; until then the value of an earlier page counts. */
const ahead = createStore<number | null>(null)

const known = () => ahead.get() ?? deviceStore.get('serverAhead') ?? 0

/**
 * Now by the server's clock, in UTC ms. Before the server's first answer it is this device's own clock. The app decides by it
 * about money, plans, months and sessions, and compares it with the dates that the server wrote.
 */
export const serverNow = (): number => Date.now() + known()

/**
 * Learns from an answer that came just now: `said` is the server's time in it (UTC ms), `took` how long the question was
 * under way (ms). The server may have looked at its clock at any moment of that time. A difference that is no longer than that
 * proves nothing, and is ignored.
 */
export function noteServerTime(said: number, took: number) {
  const difference = said - (Date.now() - took / 2)
  if (Math.abs(difference - known()) <= took / 2) return
  const found = Math.round(difference)
  // A start without a network needs it.
  deviceStore.set('serverAhead', found)
  ahead.set(found)
}

/** Calls back when the server's time turns out to be another one than was known. */
export const watchServerTime = ahead.subscribe
