import { AsyncLocalStorage } from 'node:async_hooks'

const deadlines = new AsyncLocalStorage<AbortSignal>()

/** Runs work. The deadline aborts every request that the work sends with `fetchUntilDeadline`. */
export const runUntil = <T>(deadline: AbortSignal, work: () => Promise<T>): Promise<T> =>
  deadlines.run(deadline, work)

/**
 * Returns a signal that aborts after this many milliseconds. Its reason is not a timeout error, after which
 * Firestore's SDK would retry.
 */
export function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms).unref()
  return controller.signal
}

/** Returns a signal that aborts with the given one or at the deadline of the calling work. */
export function addDeadline(signal?: AbortSignal | null): AbortSignal | undefined {
  const deadline = deadlines.getStore()
  if (!deadline || !signal) return deadline ?? signal ?? undefined
  return AbortSignal.any([deadline, signal])
}

/** Wraps `fetch` so that its requests end at the deadline of the work that makes them. */
export const fetchUntilDeadline =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) => {
    const signal = addDeadline(init?.signal)
    return fetch(input, signal ? { ...init, signal } : init)
  }
