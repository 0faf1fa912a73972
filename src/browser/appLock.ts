import { createStore } from './createStore.ts'
import { openChannel } from './openChannel.ts'
import { type AppLockNote, deviceStore } from './storage.ts'
import { withTimeout } from './withTimeout.ts'

const CHANNEL = 'passerelle.lock'

export const isLockOn = (): boolean => deviceStore.get('lock') !== null

export const lockActiveStore = createStore(false)

/** In milliseconds. If the code comes later, the next start locks. */
const LOAD_TIMEOUT = 10_000

/**
 * Null switches the lock off. Resolves once the change is in force in this page, with whether the device has
 * stored it.
 */
export async function setLock(lock: AppLockNote | null): Promise<boolean> {
  if (!deviceStore.set('lock', lock)) {
    deviceStore.set('lock', null)
    return false
  }
  const channel = openChannel(CHANNEL)
  channel?.postMessage(null)
  channel?.close()
  if (lock) await withTimeout(waitUntilInForce(), LOAD_TIMEOUT).catch(() => undefined)
  return true
}

const waitUntilInForce = () =>
  new Promise<void>((resolve) => {
    const check = () => lockActiveStore.get() && resolve()
    lockActiveStore.subscribe(check)
    check()
  })

/** A sign-out deletes the lock without a call, because the app must stay covered until it has closed. */
export function watchLock(listener: () => void): () => void {
  const channel = openChannel(CHANNEL)
  channel?.addEventListener('message', listener)
  // A page in the background may miss the message.
  const catchUp = () => isLockOn() && listener()
  document.addEventListener('visibilitychange', catchUp)
  listener()
  return () => {
    channel?.close()
    document.removeEventListener('visibilitychange', catchUp)
  }
}

export const pageCoverStore = createStore(false)

export function coverPage(isCovered: boolean): void {
  document.documentElement.toggleAttribute('data-locked', isCovered)
  pageCoverStore.set(isCovered)
}
