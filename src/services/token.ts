import type { User } from 'firebase/auth'
import { ServiceError } from '../browser/failure.ts'
import { asking, auth } from './authClient.ts'

// A renewal is seldom needed, so the sign-in does not wait for its code.
const loadRenewal = () => import('./tokenRenewal.ts')

/** The caller's proof for the functions, refreshed when it is about to expire; null when nobody is signed in. */
async function idToken(): Promise<string | null> {
  await auth.authStateReady()
  return auth.currentUser && asking(auth.currentUser.getIdToken())
}

/**
 * Does the work with the token of the person who is signed in. The token may have expired, or name a claim that has changed since. A
 * refusal for such a reason is followed by one more try with a newer token. The try is safe, because a refusal means that nothing
 * was done. A call without an answer is never repeated here. When the session has ended there is no newer token, and the refusal stands.
 */
export async function withToken<T>(work: (token: string | null) => Promise<T>): Promise<T> {
  const token = await idToken()
  const uid = auth.currentUser?.uid
  try {
    return await work(token)
  } catch (error) {
    const doubt = token && doubtIn(error)
    if (!doubt) throw error
    const newer = await (await loadRenewal()).newerToken(token, doubt)
    // Somebody else may have signed in meanwhile. The work must not be done in their name.
    if (newer === token || auth.currentUser?.uid !== uid) throw error
    return work(newer)
  }
}

/**
 * Makes the token anew when it says something else of its owner than the account does, as after the link of the verification mail: rules
 * and functions read the token. Asks nobody when they agree. Fails with `network` and the codes of the service.
 */
export async function bringTokenUpToDate(user: User): Promise<void> {
  const { token, claims } = await asking(user.getIdTokenResult())
  const agrees =
    (claims.email_verified === true) === user.emailVerified &&
    (claims.email ?? null) === user.email &&
    (claims.phone_number ?? null) === user.phoneNumber
  if (!agrees) await (await loadRenewal()).renewDiffering(user, token)
}

/** 'token': the server does not take the token, or names a claim of it. 'rights': rules refuse, which don't say why. */
function doubtIn(error: unknown): 'token' | 'rights' | null {
  const { failure, cause } = error instanceof ServiceError ? error : { failure: null, cause: error }
  const code = failure?.kind === 'function' ? failure.code : (cause as { code?: string } | undefined)?.code
  if (/^(unauthenticated|storage\/unauthenticated|emailUnverified)$/.test(code ?? '')) return 'token'
  return /^(permission-denied|storage\/unauthorized)$/.test(code ?? '') ? 'rights' : null
}
