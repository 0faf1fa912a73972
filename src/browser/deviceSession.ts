import { acquireLock } from './locks.ts'
import { deleteSavedForms } from './savedForms.ts'
import { deviceStore, type OpenPaymentCopy } from './storage.ts'

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

/** Another user may have signed in meanwhile, in another tab. */
export function forgetUserData(uid: string) {
  for (const key of ['profile', 'home', 'lock'] as const)
    if (deviceStore.get(key)?.uid === uid) deviceStore.set(key, null)
  const payments = deviceStore
    .get('openPayments')
    ?.filter((copy: OpenPaymentCopy | null) => copy?.uid !== uid)
  deviceStore.set('openPayments', payments?.length ? payments : null)
  deviceStore.set('nobodyKnown', null)
  deviceStore.set('endedAttempt', null)
  deleteSavedForms()
}
