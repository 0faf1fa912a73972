import { AsyncLocalStorage } from 'node:async_hooks'

const deadlines = new AsyncLocalStorage<AbortSignal>()

/** The deadline aborts every request that the work sends with `fetchUntilDeadline`. */
export const runUntil = <T>(deadline: AbortSignal, work: () => Promise<T>): Promise<T> =>
  deadlines.run(deadline, work)

/** Firestore's SDK would retry after a timeout error, so the reason is another one. */
export function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms).unref()
  return controller.signal
}

export function addDeadline(signal?: AbortSignal | null): AbortSignal | undefined {
  const deadline = deadlines.getStore()
  if (!deadline || !signal) return deadline ?? signal ?? undefined
  return AbortSignal.any([deadline, signal])
}

export const fetchUntilDeadline =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) => {
    const signal = addDeadline(init?.signal)
    return fetch(input, signal ? { ...init, signal } : init)
  }
