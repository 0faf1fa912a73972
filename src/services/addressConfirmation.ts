import { updateCurrentUser } from 'firebase/auth'
import type { Account } from '../../domain/account.ts'
import { CONFIRM_ADDRESS } from '../../domain/api/account.ts'
import type { Ownership } from '../../domain/waysIn.ts'
import { failureOf } from '../browser/failure.ts'
import { asking, auth, currentUser } from './authClient.ts'
import { callFunction } from './functions.ts'

/**
 * Has the server confirm the account's address, before which it opens nothing; what had been linked to the account before is
 * unlinked then. Answers null when the account is open, otherwise what it waits for. Calling again is safe. Fails as a
 * function does.
 */
export async function confirmAddress({
  emailVerified,
  madeWith,
}: Pick<Account, 'emailVerified'> & Pick<Ownership, 'madeWith'>): Promise<
  null | 'unverified' | 'signedInAgain' | 'byAddress' | 'byPhone' | { readonly present: string }
> {
  if (!emailVerified) {
    // An account that was made with a phone is open to it meanwhile.
    const { signInProvider } = await asking((await currentUser()).getIdTokenResult())
    return madeWith === 'phone' && signInProvider === 'phone' ? null : 'unverified'
  }
  try {
    const { signInAgain } = await callFunction(CONFIRM_ADDRESS, {})
    return signInAgain ? 'signedInAgain' : null
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind !== 'function') throw error
    if (failure.code === 'emailUnverified') return 'unverified'
    if (failure.code === 'formerAddress') return { present: failure.details.address }
    if (failure.code !== 'otherWayIn') throw error
    return failure.details.way === 'phone' ? 'byPhone' : 'byAddress'
  }
}

/**
 * Has the server confirm the address of a new account although it was that of another one before, and has the session looked at
 * anew. Fails as a function does.
 */
export async function openAnother(): Promise<void> {
  const user = await currentUser()
  await callFunction(CONFIRM_ADDRESS, { another: true })
  // Makes the SDK tell of the account. A new token is not told of when it was made in the same second as the one before: they are alike.
  await asking(updateCurrentUser(auth, user))
}
