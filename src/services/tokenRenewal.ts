import { FirebaseError } from 'firebase/app'
import { signOut, type User } from 'firebase/auth'
import { ServiceError } from '../browser/failure.ts'
import { auth, withAuthErrors } from './authClient.ts'

let renewal: Promise<string> | null = null

/** A refusal of the last renewal's token can't be due to its age. */
let believed = ''

/**
 * Returns the same token if the session has ended, or if it was just renewed and the rules refuse for another
 * reason. @throws `network` and the codes of the service.
 */
export async function getNewerToken(token: string, doubt: 'token' | 'rights'): Promise<string> {
  const user = auth.currentUser
  if (!user || (doubt === 'rights' && token === believed)) return token
  const current = await withAuthErrors(user.getIdToken())
  if (current !== token) return current
  try {
    return await renewToken(user)
  } catch (error) {
    if (!isOver(error)) throw error
    // The SDK signs out by itself only for some of the codes.
    if (auth.currentUser) await signOut(auth)
    return token
  }
}

export async function renewDifferingToken(user: User, token: string): Promise<void> {
  if (token !== believed) await renewToken(user)
}

function renewToken(user: User): Promise<string> {
  renewal ??= withAuthErrors(user.getIdToken(true))
    .then((token) => {
      believed = token
      return token
    })
    .finally(() => {
      renewal = null
    })
  return renewal
}

function isOver(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error
  return (
    cause instanceof FirebaseError &&
    /(refresh-token|project-number-mismatch|user-token-expired|user-disabled)$/.test(cause.code)
  )
}
