import { doc, getDoc, serverTimestamp, setDoc, updateDoc } from 'firebase/firestore/lite'
import type { Ownership } from '../../domain/account/ownership.ts'
import type { Profile } from '../../domain/account/profile.ts'
import { buildOwnershipSchema, buildProfileSchema } from '../../domain/account/profileSchema.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import { deviceStore } from '../browser/storage.ts'
import { firestore, instantSchema, parseStored, withFirestoreErrors } from './firestore.ts'

/** Null if there is none. @throws a failure of the operation `fetchProfile`. */
export async function fetchProfile(
  uid: string,
): Promise<(Profile & Pick<Ownership, 'madeWith' | 'verifiedAddress'>) | null> {
  const snapshot = await withFirestoreErrors('fetchProfile', () => getDoc(doc(firestore, 'users', uid)))
  const data = snapshot.data()
  if (!data) return null
  const { madeWith, verifiedAddress } = parseStored('fetchProfile', buildOwnershipSchema(instantSchema), data)
  return {
    uid,
    ...parseStored('fetchProfile', buildProfileSchema(instantSchema), data),
    madeWith,
    verifiedAddress,
  }
}

/**
 * The server confirms its address.
 *
 * @throws a failure of the operation `createProfile`.
 */
export async function createProfile(
  uid: string,
  { email, name, phone }: { email: string | null; name: string; phone: string | null },
): Promise<void> {
  const made = {
    email,
    name,
    phone,
    createdAt: serverTimestamp(),
    subscription: EMPTY_SUBSCRIPTION,
    madeWith: email ? 'address' : 'phone',
    verifiedAddress: null,
  }
  await withFirestoreErrors('createProfile', () => setDoc(doc(firestore, 'users', uid), made))
  deviceStore.set('nobodyKnown', true)
}

/**
 * Specification, section 7.
 *
 * @throws a failure of the operation `updateProfile`.
 */
export async function saveProfile(
  uid: string,
  changes: Partial<Pick<Profile, 'name' | 'phone' | 'email'>>,
): Promise<void> {
  await withFirestoreErrors('updateProfile', () => updateDoc(doc(firestore, 'users', uid), changes))
}
