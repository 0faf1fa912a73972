import { dropForms } from './keptForms.ts'

/** Set when an account without a profile was signed out: the sign-up opens next. Specification, section 4. */
const FORCE_SIGN_UP = 'passerelle.forceSignUp'

/** What had no profile: the number that somebody signed in with, or an account of another kind. */
export type ForcedSignUp = 'number' | 'account'

export const forceSignUp = (what: ForcedSignUp) => localStorage.setItem(FORCE_SIGN_UP, what)

export const forgetForcedSignUp = () => localStorage.removeItem(FORCE_SIGN_UP)

export function forcedSignUp(): ForcedSignUp | null {
  const what = localStorage.getItem(FORCE_SIGN_UP)
  return what === null || what === 'number' ? what : 'account'
}

const PROFILE = 'passerelle.profile'

/** Set while a sign-out is under way. When the page is closed in the middle, the next start does the rest. */
const LEAVING = 'passerelle.leaving'

export const noteLeaving = (uid: string) => localStorage.setItem(LEAVING, uid)

export const leavingUser = (): string | null => localStorage.getItem(LEAVING)

export const forgetLeaving = () => localStorage.removeItem(LEAVING)

/**
 * Set when a session was ended elsewhere than on this page: by a new password or address, on another device, in another tab. It says
 * nothing of the person, and stays until somebody signs in.
 */
const ENDED = 'passerelle.ended'

export interface EndedSession {
  readonly uid: string
  /** What was under way: nothing, a payment whose card nobody had confirmed, or one that may have gone through. */
  readonly payment: 'none' | 'unpaid' | 'maybePaid'
  readonly attemptId: string | null
}

export function noteEnded(ended: EndedSession) {
  try {
    localStorage.setItem(ENDED, JSON.stringify(ended))
  } catch {
    // A full device can't keep this note. The person is signed out all the same.
  }
}

export const endedSession = (): EndedSession | null => JSON.parse(localStorage.getItem(ENDED) ?? 'null')

export const forgetEnded = () => localStorage.removeItem(ENDED)

/** The attempt whose card nobody has confirmed yet, in any tab. Without this note money may have moved. */
const UNCONFIRMED = 'passerelle.unconfirmed'

export const isUnconfirmed = (attemptId: string): boolean => localStorage.getItem(UNCONFIRMED) === attemptId

export function noteUnconfirmed(attemptId: string) {
  try {
    localStorage.setItem(UNCONFIRMED, attemptId)
  } catch {
    // A full device can't keep this note. The app then says that money may have moved, which is the careful answer.
  }
}

export const forgetUnconfirmed = () => localStorage.removeItem(UNCONFIRMED)

interface RememberedProfile {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

/** Keeps who the person is where it can be read at once; the whole profile is in the person's database. */
export function rememberProfile(uid: string, { name, email, phone }: RememberedProfile) {
  localStorage.setItem(PROFILE, JSON.stringify({ uid, name, email, phone }))
}

/** Who the person is, as this device saw it last; null when it was somebody else. */
export function rememberedProfile(uid: string): RememberedProfile | null {
  const { uid: owner, ...profile } = JSON.parse(localStorage.getItem(PROFILE) ?? '{}')
  return owner === uid ? profile : null
}

/** What was changed a moment ago is known at once, before the server is asked for the profile again. */
export function rememberChange(uid: string, changes: Partial<RememberedProfile>) {
  const known = rememberedProfile(uid)
  if (known) rememberProfile(uid, { ...known, ...changes })
}

/** The name of the lock that a page holds while it deletes the account of this person. */
const endingOf = (uid: string) => `passerelle.ending.${uid}`

let endNote = () => {}

/**
 * Whose account is being deleted by this page; null when the server refused to. The profile is the first thing to go:
 * while the rest follows, its absence must not look like an account that never had one, in any tab. It is a lock, because that ends with
 * the page.
 */
export function noteEnding(uid: string | null) {
  endNote()
  if (uid === null) return
  const over = new Promise<void>((resolve) => {
    endNote = resolve
  })
  navigator.locks.request(endingOf(uid), () => over)
}

export async function isEnding(uid: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === endingOf(uid))
}

/** Set while this device is told with the app closed; `src/pwa/pushDevice.ts` writes it. It outlives whoever could not end it. */
export const PUSH = 'passerelle.push'

export const isPushed = (): boolean => localStorage.getItem(PUSH) !== null

const HOME_PICTURE = 'passerelle.home'

export const storedHomeSnapshot = (): string | null => localStorage.getItem(HOME_PICTURE)

/** A full device keeps no picture, and its next start is slower. */
export function storeHomeSnapshot(picture: string | null) {
  localStorage.removeItem(HOME_PICTURE)
  try {
    if (picture) localStorage.setItem(HOME_PICTURE, picture)
  } catch {
    // The app starts without a picture too.
  }
}

/** Set while nobody is known whom the person sends to. Their place on the home screen is left out then, before any row was read. */
const NOBODY_KNOWN = 'passerelle.nobodyKnown'

export const isNobodyKnown = (): boolean => localStorage.getItem(NOBODY_KNOWN) !== null

export function noteNobodyKnown(isSo: boolean) {
  try {
    if (isSo) localStorage.setItem(NOBODY_KNOWN, '')
    else localStorage.removeItem(NOBODY_KNOWN)
  } catch {
    // A full device keeps their place free.
  }
}

/** Deletes what this file keeps of a person. The rest is in the person's database. */
export function forgetPerson() {
  localStorage.removeItem(PROFILE)
  localStorage.removeItem(HOME_PICTURE)
  localStorage.removeItem(NOBODY_KNOWN)
  dropForms()
}
