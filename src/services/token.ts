import { FirebaseError } from 'firebase/app'
import { signOut, type User } from 'firebase/auth'
import { asking, auth } from './authClient.ts'
import { ServiceError } from './failure.ts'

/** Of several that ask at once the first one asks the service. */
let renewal: Promise<string> | null = null

/** The token that came last because somebody doubted the one before it. What it says is how things are. */
let believed = ''

/** The caller's proof for the functions, refreshed when it is about to expire; null when nobody is signed in. */
async function idToken(): Promise<string | null> {
  await auth.authStateReady()
  return auth.currentUser && asking(auth.currentUser.getIdToken())
}

/**
 * Does the work with the token of who is signed in. A refusal that the age of the token may explain, by the clock or by a claim that has
 * changed since, is answered by a newer token and one more try, which nobody sees. It says that nothing was done, so the try is
 * safe; a call without an answer is never repeated here. When no newer one can be had because the session has ended, the refusal stands.
 */
export async function withToken<T>(work: (token: string | null) => Promise<T>): Promise<T> {
  const token = await idToken()
  const uid = auth.currentUser?.uid
  try {
    return await work(token)
  } catch (error) {
    const doubt = token && doubtIn(error)
    if (!doubt || (doubt === 'rights' && token === believed)) throw error
    const newer = await newerThan(token)
    // Nobody's work is done in the name of who signed in meanwhile.
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
  if (!agrees && token !== believed) await renewed(user)
}

/** 'token': the server does not take the token, or names a claim of it. 'rights': rules refuse, which don't say why. */
function doubtIn(error: unknown): 'token' | 'rights' | null {
  if (error instanceof ServiceError && error.failure.kind === 'function')
    return /^(unauthenticated|emailUnverified)$/.test(error.failure.code) ? 'token' : null
  const cause = error instanceof ServiceError ? error.cause : error
  switch (cause instanceof FirebaseError && cause.code.replace(/^storage\//, '')) {
    case 'unauthenticated':
      return 'token'
    case 'permission-denied':
    case 'unauthorized':
      return 'rights'
  }
  return null
}

/** A newer token than this one; this one when the session has ended, which the whole page then knows. */
async function newerThan(token: string): Promise<string> {
  const user = auth.currentUser
  if (!user) return token
  const current = await asking(user.getIdToken())
  if (current !== token) return current
  try {
    return await renewed(user)
  } catch (error) {
    if (!isOver(error)) throw error
    // The SDK does so for some of the codes only.
    if (auth.currentUser) await signOut(auth)
    return token
  }
}

function renewed(user: User): Promise<string> {
  renewal ??= asking(user.getIdToken(true))
    .then((token) => {
      believed = token
      return token
    })
    .finally(() => {
      renewal = null
    })
  return renewal
}

/** Whether the service says that the session has ended, rather than that it can't answer now. */
function isOver(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error
  return (
    cause instanceof FirebaseError &&
    /(refresh-token|project-number-mismatch|user-token-expired|user-disabled)$/.test(cause.code)
  )
}
