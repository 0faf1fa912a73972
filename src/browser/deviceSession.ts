import { acquireLock } from './locks.ts'
import { deleteSavedForms } from './savedForms.ts'
import { deviceStore } from './storage.ts'

interface RememberedProfile {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

/**
 * Saves the user's name, email address and number where they can be read synchronously; the whole profile is
 * in the user's database.
 */
export function rememberProfile(uid: string, { name, email, phone }: RememberedProfile) {
  deviceStore.set('profile', { uid, name, email, phone })
}

/** Returns the profile as this device last saw it; null if the device remembers another user. */
export function getRememberedProfile(uid: string): RememberedProfile | null {
  const remembered = deviceStore.get('profile')
  return remembered?.uid === uid ? remembered : null
}

/** Applies a change to the remembered profile, without waiting until the profile is fetched again. */
export function rememberProfileChange(uid: string, changes: Partial<RememberedProfile>) {
  const known = getRememberedProfile(uid)
  if (known) rememberProfile(uid, { ...known, ...changes })
}

/** Returns the name of the lock that a page holds while it deletes this user's account. */
const deletionLock = (uid: string) => `passerelle.ending.${uid}`

/** The user whose account this page is deleting. */
let deletedHere: string | null = null
let endNote = () => {}

/**
 * Marks the user whose account this page is deleting; null removes the mark. The server deletes the profile
 * first, and other tabs must not mistake the missing profile for an account that never had one. The mark is a
 * lock, because a lock ends with the page.
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

/** Deletes everything that this device keeps about its user outside of the user's database. */
export function forgetUserData() {
  deviceStore.set('profile', null)
  deviceStore.set('home', null)
  deviceStore.set('nobodyKnown', null)
  deviceStore.set('openPayments', null)
  deviceStore.set('endedAttempt', null)
  deviceStore.set('lock', null)
  deleteSavedForms()
}
