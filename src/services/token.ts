import type { User } from 'firebase/auth'
import { ServiceError } from '../browser/failure.ts'
import { auth, withAuthErrors } from './authClient.ts'

const loadRenewal = () => import('./tokenRenewal.ts')

/** Null after a sign-out. */
async function fetchIdToken(): Promise<string | null> {
  await auth.authStateReady()
  return auth.currentUser && withAuthErrors(auth.currentUser.getIdToken())
}

/**
 * If a refusal may be due to an expired token or an old claim, the work runs once more with a new token. That
 * is safe, because a refused call has done nothing. A call without a response is never repeated here.
 */
export async function withToken<T>(work: (token: string | null) => Promise<T>): Promise<T> {
  const token = await fetchIdToken()
  const uid = auth.currentUser?.uid
  try {
    return await work(token)
  } catch (error) {
    const doubt = token && classifyRefusal(error)
    if (!doubt) throw error
    const newer = await (await loadRenewal()).getNewerToken(token, doubt)
    // Another user may have signed in during the call.
    if (newer === token || auth.currentUser?.uid !== uid) throw error
    return work(newer)
  }
}

/**
 * For example, the user opened the link in the verification email. Makes no request if token and account
 * match. @throws `network` and the codes of the service.
 */
export async function refreshStaleToken(user: User): Promise<void> {
  const { token, claims } = await withAuthErrors(user.getIdTokenResult())
  const agrees =
    (claims.email_verified === true) === user.emailVerified &&
    (claims.email ?? null) === user.email &&
    (claims.phone_number ?? null) === user.phoneNumber
  if (!agrees) await (await loadRenewal()).renewDifferingToken(user, token)
}

/** 'token': the server refuses the token or one of its claims. 'rights': rules refuse, without a reason. */
function classifyRefusal(error: unknown): 'token' | 'rights' | null {
  const { failure, cause } = error instanceof ServiceError ? error : { failure: null, cause: error }
  const code = failure?.kind === 'function' ? failure.code : (cause as { code?: string } | undefined)?.code
  if (/^(unauthenticated|storage\/unauthenticated|emailUnverified)$/.test(code ?? '')) return 'token'
  return /^(permission-denied|storage\/unauthorized)$/.test(code ?? '') ? 'rights' : null
}
