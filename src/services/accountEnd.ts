import { DELETE_ACCOUNT, SIGN_OUT_EVERYWHERE } from '../../domain/api/account.ts'
import { noteEnding } from '../browser/deviceSession.ts'
import { failureOf, ServiceError } from '../browser/failure.ts'
import { auth, currentUser } from './authClient.ts'
import { callFunction } from './functions.ts'

/** Ends every session of the person, this one too. Calling again is safe. Answers false when another tab has let somebody else in meanwhile. */
export async function signOutEverywhere(): Promise<boolean> {
  const { uid } = await currentUser()
  await callFunction(SIGN_OUT_EVERYWHERE, {})
  return isNobodyElse(uid)
}

/**
 * Deletes the account of the person. Calling again is safe, and goes on where an earlier call was cut off. Fails with
 * `requires-recent-login` when the sign-in is too old, and as a function with `paymentOpen` or `planRunning`, nothing done.
 * Answers false when another tab has let somebody else in meanwhile.
 */
export async function deleteAccount(): Promise<boolean> {
  const { uid } = await currentUser()
  noteEnding(uid)
  try {
    await callFunction(DELETE_ACCOUNT, {})
    return isNobodyElse(uid)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind !== 'function') throw error
    // Below 500 the server has said no; otherwise it may have begun.
    if (failure.status < 500) noteEnding(null)
    if (failure.code !== 'recentSignInRequired') throw error
    throw new ServiceError({ kind: 'auth', code: 'requires-recent-login' }, { cause: error })
  }
}

/** False when another tab has let somebody else in meanwhile, who is neither to be signed out nor told. */
const isNobodyElse = (uid: string) => (auth.currentUser?.uid ?? uid) === uid
