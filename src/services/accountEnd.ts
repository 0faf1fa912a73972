import { noteEnding } from '../browser/deviceSession.ts'
import { failureOf, ServiceError } from '../browser/failure.ts'
import { currentUser } from './authClient.ts'
import { callFunction } from './functions.ts'

/** Ends every session of the person, this one too. Calling again is safe. */
export async function signOutEverywhere(): Promise<void> {
  await callFunction('sign-out-everywhere', {})
}

/**
 * Deletes the account of the person. Calling again is safe, and goes on where an earlier call was cut off. Fails with
 * `requires-recent-login` when the sign-in is too old, and as a function with `paymentOpen` or `planRunning`, nothing done.
 */
export async function deleteAccount(): Promise<void> {
  const { uid } = await currentUser()
  noteEnding(uid)
  try {
    await callFunction('delete-account', {})
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind !== 'function') throw error
    // Below 500 the server has said no; otherwise it may have begun.
    if (failure.status < 500) noteEnding(null)
    if (failure.code !== 'recentSignInRequired') throw error
    throw new ServiceError({ kind: 'auth', code: 'requires-recent-login' }, { cause: error })
  }
}
