import { useSyncExternalStore } from 'react'
import { deviceStore } from '../browser/storage.ts'

/** What the app announces of itself: that a transfer's expected time has come, that there is a new version. */
export const ANNOUNCEMENTS = ['arrival', 'version'] as const

export type Announcement = (typeof ANNOUNCEMENTS)[number]

const listeners = new Set<() => void>()

/** Whether this device announces it; it does until somebody chooses otherwise. The choice stays when they sign out. */
export const useAnnounced = (what: Announcement): boolean =>
  useSyncExternalStore(watchAnnouncements, () => isAnnounced(what))

const isAnnounced = (what: Announcement): boolean => !muted().includes(what)

export function announce(what: Announcement, isWanted: boolean) {
  const others = muted().filter((one) => one !== what)
  deviceStore.set('muted', isWanted ? others : [...others, what])
  for (const listener of listeners) listener()
}

/** Calls back at each change in any tab. */
function watchAnnouncements(listener: () => void): () => void {
  listeners.add(listener)
  const stop = deviceStore.watch('muted', listener)
  return () => {
    listeners.delete(listener)
    stop()
  }
}

const muted = () => deviceStore.get('muted') ?? []
