import { createStore } from '../browser/createStore.ts'
import { deviceStore } from '../browser/storage.ts'
import { useStore } from './useStore.ts'

export const ANNOUNCEMENTS = ['arrival', 'version'] as const

export type Announcement = (typeof ANNOUNCEMENTS)[number]

const readMuted = () => deviceStore.get('muted') ?? []

const muted = createStore(readMuted())
deviceStore.watch('muted', () => muted.set(readMuted()))

/** True until the user chooses otherwise. The choice outlives the session. */
export const useIsAnnouncementEnabled = (what: Announcement): boolean => !useStore(muted).includes(what)

export function setAnnouncementEnabled(what: Announcement, isWanted: boolean) {
  const others = readMuted().filter((one) => one !== what)
  deviceStore.set('muted', isWanted ? others : [...others, what])
  muted.set(readMuted())
}
