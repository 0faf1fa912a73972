import { readSavedForm, toTextOrEmpty } from '../../browser/savedForms.ts'
import { deviceStore } from '../../browser/storage.ts'

export type AuthMode = 'signIn' | 'signUp'
export type AuthTab = 'email' | 'phone'

export interface InitialAuthState {
  readonly mode: AuthMode
  readonly tab: AuthTab
  /**
   * How an account without a profile had signed in before it was signed out, so that the card opens the
   * sign-up: by phone (`number`) or otherwise (`account`); null if there was none.
   */
  readonly forced: 'number' | 'account' | null
  /** Whether the user opened the link of the verification email. */
  readonly isVerified: boolean
  readonly name: string
  readonly email: string
  /** Whether the user had typed something before the page was reloaded. */
  readonly isKept: boolean
}

/**
 * Reads the initial state of the sign-in card from the values kept across a reload, the page's URL and
 * this device's storage. Specification, sections 2 and 4.
 */
export function readInitialAuthState(): InitialAuthState {
  const query = new URLSearchParams(location.search)
  const forced = deviceStore.get('forceSignUp')
  const tab = query.get('tab')
  // The query string selects which sign-in card is shown; each has its own values.
  const kept = readSavedForm('access', location.search)
  const isSignUp = kept ? kept.mode === 'signUp' : forced || query.has('signup')
  const isByPhone = kept ? kept.tab === 'phone' : tab === 'phone' || (forced === 'number' && tab !== 'email')
  return {
    mode: isSignUp ? 'signUp' : 'signIn',
    tab: isByPhone ? 'phone' : 'email',
    forced,
    isVerified: query.has('emailVerified'),
    name: toTextOrEmpty(kept?.name),
    email: kept ? toTextOrEmpty(kept.email) : (query.get('email') ?? ''),
    isKept: kept !== null,
  }
}
