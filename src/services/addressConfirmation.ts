import { updateCurrentUser } from 'firebase/auth'
import type { Account } from '../../domain/account/account.ts'
import type { Ownership } from '../../domain/account/ownership.ts'
import { CONFIRM_ADDRESS } from '../../domain/api/account.ts'
import { toFailure } from '../browser/failure.ts'
import { deviceStore } from '../browser/storage.ts'
import { auth, getCurrentUser, withAuthErrors } from './authClient.ts'
import { callFunction } from './functions.ts'

/**
 * Lets the server confirm the account's address, which grants no access before, and unlink sign-in methods
 * that were added earlier. Returns null if this session may use the account, otherwise what the account waits
 * for. Calling again is safe.
 *
 * @throws the function's failure.
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

/** Reads the proof from the link that was opened now or before the sign-in. */
const readProof = () => new URLSearchParams(location.search).get('proof') ?? deviceStore.get('addressProof')

/**
 * Lets the server remove the address from the account of another user, who added it.
 *
 * @throws the function's failure.
 */
export async function reclaimAddress(): Promise<void> {
  await callFunction(CONFIRM_ADDRESS, { notMine: true })
}

/**
 * Lets the server confirm the address of a new account although another account had it before, and refreshes
 * the session.
 *
 * @throws the function's failure.
 */
export async function confirmFormerAddress(): Promise<void> {
  const user = await getCurrentUser()
  await callFunction(CONFIRM_ADDRESS, { another: true })
  // Makes the SDK report the account. It doesn't report a new token from the same second, which equals the
  // old one.
  await withAuthErrors(updateCurrentUser(auth, user))
}
