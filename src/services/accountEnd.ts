import { DELETE_ACCOUNT, SIGN_OUT_EVERYWHERE } from '../../domain/api/account.ts'
import { markAccountDeletion } from '../browser/deviceSession.ts'
import { ServiceError, toFailure } from '../browser/failure.ts'
import { auth, getCurrentUser } from './authClient.ts'
import { callFunction } from './functions.ts'

/** Calling again is safe. Returns false if another user has signed in in another tab. */
export async function signOutEverywhere(): Promise<boolean> {
  const { uid } = await getCurrentUser()
  await callFunction(SIGN_OUT_EVERYWHERE, {})
  return isNobodyElse(uid)
}

/**
 * Calling again is safe and continues an interrupted call. Returns false if another user has signed in in
 * another tab. @throws `requires-recent-login`; the function's `paymentOpen` or `planRunning`, with nothing
 * done.
 */
export async function deleteAccount(): Promise<boolean> {
  const { uid } = await getCurrentUser()
  markAccountDeletion(uid)
  try {
    await callFunction(DELETE_ACCOUNT, {})
    return isNobodyElse(uid)
  } catch (error) {
    const failure = toFailure(error)
    if (failure.kind !== 'function') throw error
    // With a status below 500 the server refused; otherwise the deletion may have begun.
    if (failure.status < 500) markAccountDeletion(null)
    if (failure.code !== 'recentSignInRequired') throw error
    throw new ServiceError({ kind: 'auth', code: 'requires-recent-login' }, { cause: error })
  }
}

/** Another user who has signed in since must stay signed in. */
const isNobodyElse = (uid: string) => (auth.currentUser?.uid ?? uid) === uid
