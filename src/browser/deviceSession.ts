import { acquireLock } from './locks.ts'
import { deleteSavedForms } from './savedForms.ts'
import { deviceStore } from './storage.ts'

interface RememberedProfile {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

/** These values can be read synchronously; the whole profile is in the user's database. */
export function rememberProfile(uid: string, { name, email, phone }: RememberedProfile) {
  deviceStore.set('profile', { uid, name, email, phone })
}

/** Null if the device remembers another user. */
export function getRememberedProfile(uid: string): RememberedProfile | null {
  const remembered = deviceStore.get('profile')
  return remembered?.uid === uid ? remembered : null
}

export function rememberProfileChange(uid: string, changes: Partial<RememberedProfile>) {
  const known = getRememberedProfile(uid)
  if (known) rememberProfile(uid, { ...known, ...changes })
}

const deletionLock = (uid: string) => `passerelle.ending.${uid}`

let deletedHere: string | null = null
let endNote = () => {}

/**
 * The server deletes the profile first, and other tabs must not take that for an account that never had one.
 * The mark is a lock, not a state of the session's chart: other tabs see it, and it ends with the page.
 */
export function markAccountDeletion(uid: string | null) {
  endNote()
  deletedHere = uid
  if (uid === null) return
  const lock = acquireLock(deletionLock(uid))
  endNote = () => void lock.then((release) => release())
}

export async function isDeletingAccount(uid: string): Promise<boolean> {
  if (deletedHere === uid) return true
  try {
    const { held = [] } = await navigator.locks.query()
    return held.some(({ name }) => name === deletionLock(uid))
  } catch {
    // Without locks, other tabs can't be known.
    return false
  }
}

export function forgetUserData() {
  deviceStore.set('profile', null)
  deviceStore.set('home', null)
  deviceStore.set('nobodyKnown', null)
  deviceStore.set('openPayments', null)
  deviceStore.set('endedAttempt', null)
  deviceStore.set('lock', null)
  deleteSavedForms()
}
