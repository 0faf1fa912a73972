import { readSavedForm, toTextOrEmpty } from '../../browser/savedForms.ts'
import { deviceStore } from '../../browser/storage.ts'

export type AuthMode = 'signIn' | 'signUp'
export type AuthTab = 'email' | 'phone'

export interface InitialAuthState {
  readonly mode: AuthMode
  readonly tab: AuthTab
  /** How an account without a profile had signed in: by phone (`number`) or otherwise (`account`). */
  readonly forced: 'number' | 'account' | null
  readonly isVerified: boolean
  readonly name: string
  readonly email: string
  readonly isKept: boolean
}

/** Specification, sections 2 and 4. */
export function readInitialAuthState(): InitialAuthState {
  const query = new URLSearchParams(location.search)
  const forced = deviceStore.get('forceSignUp')
  const tab = query.get('tab')
  const draft = readSavedForm('access', location.search)
  const isSignUp = draft ? draft.mode === 'signUp' : forced || query.has('signup')
  const isByPhone = draft
    ? draft.tab === 'phone'
    : tab === 'phone' || (forced === 'number' && tab !== 'email')
  return {
    mode: isSignUp ? 'signUp' : 'signIn',
    tab: isByPhone ? 'phone' : 'email',
    forced,
    isVerified: query.has('emailVerified'),
    name: toTextOrEmpty(draft?.name),
    email: draft ? toTextOrEmpty(draft.email) : (query.get('email') ?? ''),
    isKept: draft !== null,
  }
}
