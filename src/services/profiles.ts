import { doc, getDoc, serverTimestamp, setDoc, updateDoc } from 'firebase/firestore/lite'
import { EMPTY_SUBSCRIPTION } from '../../domain/plans.ts'
import type { Profile } from '../../domain/profile.ts'
import { ownershipSchema, profileSchema } from '../../domain/schemas/profile.ts'
import type { Ownership } from '../../domain/waysIn.ts'
import { deviceStore } from '../browser/storage.ts'
import { asking, firestore, instant, reading } from './firestore.ts'

/** The stored profile, or null when there is none. Fails with `fetchProfile`. */
export async function fetchProfile(
  uid: string,
): Promise<(Profile & Pick<Ownership, 'madeWith' | 'verifiedAddress'>) | null> {
  const snapshot = await asking('fetchProfile', () => getDoc(doc(firestore, 'users', uid)))
  const data = snapshot.data()
  if (!data) return null
  const { madeWith, verifiedAddress } = reading('fetchProfile', ownershipSchema(instant), data)
  return { uid, ...reading('fetchProfile', profileSchema(instant), data), madeWith, verifiedAddress }
}

/**
 * Stores a new person's profile with an empty subscription. Its address is confirmed by the server. Fails with `createProfile`.
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
  await asking('createProfile', () => setDoc(doc(firestore, 'users', uid), made))
  deviceStore.set('nobodyKnown', true)
}

/** Changes what a person may change of the own profile. Fails with `updateProfile`. Specification, section 7. */
export async function saveProfile(
  uid: string,
  changes: Partial<Pick<Profile, 'name' | 'phone' | 'email'>>,
): Promise<void> {
  await asking('updateProfile', () => updateDoc(doc(firestore, 'users', uid), changes))
}
