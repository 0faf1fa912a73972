import { createStore } from './createStore.ts'
import { openChannel } from './openChannel.ts'
import { deviceStore } from './storage.ts'
import { withTimeout } from './withTimeout.ts'

const CHANNEL = 'passerelle.lock'

export const isLockOn = (): boolean => deviceStore.get('lock') !== null

/** Whether this page runs the lock's code, which enforces the lock. */
export const lockActiveStore = createStore(false)

/** How long switching on waits for the lock's code, in milliseconds. If it comes later, the next start locks. */
const LOAD_TIMEOUT = 10_000

/**
 * Switches the lock on, with the ID of its passkey, or off with null, in every tab. Resolves once it is in
 * force in this page, with whether the device has stored it.
 */
export async function setLock(passkeyId: string | null): Promise<boolean> {
  if (!deviceStore.set('lock', passkeyId)) {
    deviceStore.set('lock', null)
    return false
  }
  const channel = openChannel(CHANNEL)
  channel?.postMessage(null)
  channel?.close()
  if (passkeyId !== null) await withTimeout(waitUntilInForce(), LOAD_TIMEOUT).catch(() => undefined)
  return true
}

const waitUntilInForce = () =>
  new Promise<void>((resolve) => {
    const check = () => lockActiveStore.get() && resolve()
    lockActiveStore.subscribe(check)
    check()
  })

/**
 * Calls back now, because the lock may have changed since the first render, and when the user switches it on
 * or off, in any tab. A sign-out deletes the lock without a call, because the app must stay covered until it
 * has closed.
 */
export function watchLock(listener: () => void): () => void {
  const channel = openChannel(CHANNEL)
  channel?.addEventListener('message', listener)
  listener()
  return () => channel?.close()
}

/** Whether the lock covers the page. */
export const pageCoverStore = createStore(false)

/** Covers the whole page by the styles of the lock, or uncovers it. */
export function coverPage(isCovered: boolean): void {
  document.documentElement.toggleAttribute('data-locked', isCovered)
  pageCoverStore.set(isCovered)
}
