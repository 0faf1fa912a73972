/** Set when an account without a profile was signed out: the sign-up opens next. Specification, section 4. */
export const FORCE_SIGN_UP = 'passerelle.forceSignUp'

/** Whether somebody signed in on this device, as far as can be told without the sign-in SDK. */
export function hasStoredAccount(): boolean {
  return Object.keys(localStorage).some((key) => key.startsWith('firebase:authUser:'))
}
