import { hasStoredAccount } from '../browser/storedAccount.ts'
import { authStart } from '../features/auth/authStart.ts'

/** What the page can show before the app is there, each in both languages. */
export const PAINTED = {
  signIn: '',
  signUp: '?signup',
  verified: '?emailVerified',
  waiting: null,
} as const satisfies Record<string, string | null>

export type Painted = keyof typeof PAINTED

/** What the app will show first on this device, told without the app. Specification, section 2. */
export function paintedFirst(): Painted {
  if (hasStoredAccount()) return 'waiting'
  const { mode, tab, forced, isVerified, isKept } = authStart()
  // The painted fields are empty, and nobody is told there why they are to sign up.
  if (isKept || forced || tab === 'phone' || (isVerified && mode === 'signUp')) return 'waiting'
  return isVerified ? 'verified' : mode
}
