import { useSyncExternalStore } from 'react'
import { type Announcement, isAnnounced, watchAnnouncements } from './notifications.ts'

/** Whether this device announces it, as the person chose. */
export const useAnnounced = (what: Announcement): boolean =>
  useSyncExternalStore(watchAnnouncements, () => isAnnounced(what))
