import { useSyncExternalStore } from 'react'

/** What the app announces of itself: that a transfer's expected time has come, that there is a new version. */
export const ANNOUNCEMENTS = ['arrival', 'version'] as const

export type Announcement = (typeof ANNOUNCEMENTS)[number]

const MUTED = 'passerelle.muted'

const listeners = new Set<() => void>()

/** Whether this device announces it; it does until somebody chooses otherwise. The choice stays when they sign out. */
export const useAnnounced = (what: Announcement): boolean =>
  useSyncExternalStore(watchAnnouncements, () => isAnnounced(what))

const isAnnounced = (what: Announcement): boolean => !muted().includes(what)

export function announce(what: Announcement, isWanted: boolean) {
  const others = muted().filter((one) => one !== what)
  localStorage.setItem(MUTED, (isWanted ? others : [...others, what]).join(' '))
  for (const listener of listeners) listener()
}

/** Calls back at each change in any tab. */
function watchAnnouncements(listener: () => void): () => void {
  const follow = ({ key }: StorageEvent) => (key === MUTED || key === null) && listener()
  listeners.add(listener)
  addEventListener('storage', follow)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', follow)
  }
}

const muted = () => (localStorage.getItem(MUTED) ?? '').split(' ').filter(Boolean)
