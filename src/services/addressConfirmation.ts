import { updateCurrentUser } from 'firebase/auth'
import type { Account } from '../../domain/account/account.ts'
import type { Ownership } from '../../domain/account/ownership.ts'
import { CONFIRM_ADDRESS } from '../../domain/api/account.ts'
import { toFailure } from '../browser/failure.ts'
import { deviceStore } from '../browser/storage.ts'
import { auth, getCurrentUser, withAuthErrors } from './authClient.ts'
import { callFunction } from './functions.ts'

/**
 * Unconfirmed addresses grant no access. The server also unlinks sign-in methods that were added earlier.
 * Null if this session may use the account. Calling again is safe. @throws the function's failure.
 */
export async function confirmAddress({
  emailVerified,
  madeWith,
}: Pick<Account, 'emailVerified'> & Pick<Ownership, 'madeWith'>): Promise<
  null | 'unverified' | 'signedInAgain' | 'byAddress' | 'byPhone' | { readonly present: string }
> {
  // Until the address is confirmed, an account created with a phone can still be used in sessions of that
  // phone.
  const unverified = madeWith === 'phone' && (await isByPhone()) ? null : 'unverified'
  const proof = readProof()
  if (!emailVerified || (unverified === null && proof === null)) return unverified
  try {
    const { signInAgain } = await callFunction(CONFIRM_ADDRESS, proof === null ? {} : { proof })
    deviceStore.set('addressProof', null)
    return signInAgain ? 'signedInAgain' : null
  } catch (error) {
    const failure = toFailure(error)
    if (failure.kind !== 'function') throw error
    if (failure.code === 'emailUnverified') return unverified
    if (failure.code === 'formerAddress') return { present: failure.details.address }
    if (failure.code !== 'otherWayIn') throw error
    return failure.details.way === 'phone' ? 'byPhone' : 'byAddress'
  }
}

const isByPhone = async () =>
  (await withAuthErrors((await getCurrentUser()).getIdTokenResult())).signInProvider === 'phone'

const readProof = () => new URLSearchParams(location.search).get('proof') ?? deviceStore.get('addressProof')

/** The address leaves the account of another user, who added it. @throws the function's failure. */
export async function reclaimAddress(): Promise<void> {
  await callFunction(CONFIRM_ADDRESS, { notMine: true })
}

/** For an address that another account had before. @throws the function's failure. */
export async function confirmFormerAddress(): Promise<void> {
  const user = await getCurrentUser()
  await callFunction(CONFIRM_ADDRESS, { another: true })
  // The SDK doesn't report a new token from the same second, which equals the old one.
  await withAuthErrors(updateCurrentUser(auth, user))
}
