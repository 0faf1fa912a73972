import { withTimeout } from './withTimeout.ts'

/** In milliseconds. A tab that the system has put to sleep may keep its locks for ever. */
const WAITS = 10_000

/**
 * The lock is optional: if the browser has no locks or refuses them, or another tab holds this one too long,
 * the caller continues without it.
 */
export async function acquireLock(name: string, mode: LockMode = 'exclusive'): Promise<() => void> {
  const waiting = new AbortController()
  const { signal } = waiting
  const granted = new Promise<() => void>((resolve, reject) => {
    const hold = () => new Promise<void>(resolve)
    navigator.locks.request(name, { mode, signal }, hold).catch(reject)
  })
  try {
    return await withTimeout(granted, WAITS)
  } catch {
    waiting.abort()
    // The lock may have been granted at the last moment.
    granted.then(
      (release) => release(),
      () => undefined,
    )
    return () => undefined
  }
}
