import { dropForms } from './keptForms.ts'
import { deviceStore } from './storage.ts'

interface RememberedProfile {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

/** Keeps the user's name and addresses where they can be read at once; the whole profile is in the user's database. */
export function rememberProfile(uid: string, { name, email, phone }: RememberedProfile) {
  deviceStore.set('profile', { uid, name, email, phone })
}

/** The profile as this device last saw it; null if the device remembers another user. */
export function rememberedProfile(uid: string): RememberedProfile | null {
  const remembered = deviceStore.get('profile')
  return remembered?.uid === uid ? remembered : null
}

/** Takes over a change at once, before the server is asked for the profile again. */
export function rememberChange(uid: string, changes: Partial<RememberedProfile>) {
  const known = rememberedProfile(uid)
  if (known) rememberProfile(uid, { ...known, ...changes })
}

/** The name of the lock that a page holds while it deletes the account of this user. */
const deletionLock = (uid: string) => `passerelle.ending.${uid}`

let endNote = () => {}

/**
 * Notes whose account this page is deleting; null when the server refused to. The profile is deleted first: until the rest follows,
 * its absence must not look like an account that never had one, in any tab. A lock ends with the page.
 */
export function noteEnding(uid: string | null) {
  endNote()
  if (uid === null) return
  const over = new Promise<void>((resolve) => {
    endNote = resolve
  })
  navigator.locks.request(deletionLock(uid), () => over)
}

export async function isEnding(uid: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === deletionLock(uid))
}

/** Deletes everything that this device keeps about its user outside of the user's database. */
export function forgetPerson() {
  deviceStore.set('profile', null)
  deviceStore.set('home', null)
  deviceStore.set('nobodyKnown', null)
  dropForms()
}
