import { type ForcedSignUp, forcedSignUp } from '../../services/deviceSession.ts'

export type AuthMode = 'signIn' | 'signUp'
export type AuthTab = 'email' | 'phone'

export interface AuthStart {
  readonly mode: AuthMode
  readonly tab: AuthTab
  /** Somebody was signed out because there is no profile, and signs up next. */
  readonly forced: ForcedSignUp | null
  /** Whether the link of the verification mail led here. */
  readonly isVerified: boolean
  readonly email: string
}

/** What the card to sign in begins with, by the address and by what this device remembers. Specification, sections 2 and 4. */
export function authStart(): AuthStart {
  const query = new URLSearchParams(location.search)
  const forced = forcedSignUp()
  const tab = query.get('tab')
  return {
    mode: forced || query.has('signup') ? 'signUp' : 'signIn',
    tab: tab === 'phone' || (forced && tab !== 'email') ? 'phone' : 'email',
    forced,
    isVerified: query.has('emailVerified'),
    email: query.get('email') ?? '',
  }
}
