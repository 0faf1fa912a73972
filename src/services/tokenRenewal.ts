import { FirebaseError } from 'firebase/app'
import { signOut, type User } from 'firebase/auth'
import { ServiceError } from '../browser/failure.ts'
import { asking, auth } from './authClient.ts'

/** The renewal that is under way. All who ask meanwhile wait for it. */
let renewal: Promise<string> | null = null

/** The token that was renewed last. It is so new that a refusal is not for its age. */
let believed = ''

/**
 * A newer token than this one. The same token comes back in two cases: the session has ended, and then this page is signed out; or
 * the token was just renewed, and a refusal by the rules has another reason. Fails with `network` and the codes of the service.
 */
export async function newerToken(token: string, doubt: 'token' | 'rights'): Promise<string> {
  const user = auth.currentUser
  if (!user || (doubt === 'rights' && token === believed)) return token
  const current = await asking(user.getIdToken())
  if (current !== token) return current
  try {
    return await renewed(user)
  } catch (error) {
    if (!isOver(error)) throw error
    // The SDK signs out by itself for some of the codes only.
    if (auth.currentUser) await signOut(auth)
    return token
  }
}

/** Renews a token that disagrees with its account. It renews once: a token that still disagrees stays. */
export async function renewDiffering(user: User, token: string): Promise<void> {
  if (token !== believed) await renewed(user)
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
