import { keptForm, textOf } from '../../browser/keptForms.ts'
import { deviceStore } from '../../browser/storage.ts'

export type AuthMode = 'signIn' | 'signUp'
export type AuthTab = 'email' | 'phone'

export interface AuthStart {
  readonly mode: AuthMode
  readonly tab: AuthTab
  /** Somebody was signed out because there is no profile, and signs up next. */
  readonly forced: 'number' | 'account' | null
  /** Whether the link of the verification mail led here. */
  readonly isVerified: boolean
  readonly name: string
  readonly email: string
  /** Whether something was typed here before the page was loaded again. */
  readonly isKept: boolean
}

/**
 * What the card to sign in begins with. It depends on what was typed here before the page was loaded again, on the address of the page,
 * and on what this device remembers. Specification, sections 2 and 4.
 */
export function authStart(): AuthStart {
  const query = new URLSearchParams(location.search)
  const forced = deviceStore.get('forceSignUp')
  const tab = query.get('tab')
  // Another address leads to another card.
  const kept = keptForm('access', location.search)
  const isSignUp = kept ? kept.mode === 'signUp' : forced || query.has('signup')
  const isByPhone = kept ? kept.tab === 'phone' : tab === 'phone' || (forced === 'number' && tab !== 'email')
  return {
    mode: isSignUp ? 'signUp' : 'signIn',
    tab: isByPhone ? 'phone' : 'email',
    forced,
    isVerified: query.has('emailVerified'),
    name: textOf(kept?.name),
    email: kept ? textOf(kept.email) : (query.get('email') ?? ''),
    isKept: kept !== null,
  }
}
