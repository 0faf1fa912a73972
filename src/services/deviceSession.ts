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

/** Whether this is where the sign-in SDK keeps an account. */
export const isAccountKey = (key: string): boolean => key.startsWith('firebase:authUser:')

/** Whether somebody signed in on this device, as far as can be told without the sign-in SDK. */
export function hasStoredAccount(): boolean {
  return Object.keys(localStorage).some(isAccountKey)
}

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

export function forgetProfile() {
  localStorage.removeItem(PROFILE)
}
