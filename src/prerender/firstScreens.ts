import { readInitialAuthState } from '../features/auth/readAuthStart.ts'
import { hasStoredAccount } from '../services/storedAccount.ts'

/** Null for a screen that no query of the URL selects. */
export const FIRST_SCREENS = {
  signIn: '',
  signUp: '?signup',
  verified: '?emailVerified',
  waiting: null,
} as const satisfies Record<string, string | null>

export type FirstScreen = keyof typeof FIRST_SCREENS

/** Specification, section 2. */
export function predictFirstScreen(): FirstScreen {
  if (hasStoredAccount()) return 'waiting'
  const { mode, tab, forced, isVerified, isKept } = readInitialAuthState()
  // The prerendered fields are empty, and don't explain why the user should sign up.
  if (isKept || forced || tab === 'phone' || (isVerified && mode === 'signUp')) return 'waiting'
  return isVerified ? 'verified' : mode
}
