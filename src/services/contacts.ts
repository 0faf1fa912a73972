import {
  collection,
  deleteDoc,
  doc,
  getDocs,
  query,
  serverTimestamp,
  setDoc,
  updateDoc,
  where,
} from 'firebase/firestore/lite'
import type { Contact, ContactForm } from '../../domain/people/contact.ts'
import { buildContactSchema } from '../../domain/people/contactSchema.ts'
import { isDenied } from '../browser/failure.ts'
import { serverNow } from '../browser/serverTime.ts'
import { firestore, instantSchema, parseDocuments, withFirestoreErrors } from './firestore.ts'

/**
 * Specification, section 7.
 *
 * @throws a failure of the operation `fetchContacts`.
 */
export async function fetchContacts(uid: string): Promise<readonly Contact[]> {
  const own = query(collection(firestore, 'contacts'), where('userId', '==', uid))
  const { docs } = await withFirestoreErrors('fetchContacts', () => getDocs(own))
  return parseDocuments(buildContactSchema(instantSchema), docs)
}

/**
 * The ID derives from the number, so a retry, or another device, renames the same contact. Specification,
 * section 7.
 *
 * @throws a failure of the operation `addContact`.
 */
export async function createContact(uid: string, { name, phone }: ContactForm): Promise<Contact> {
  const id = `${uid}_${phone.slice(1)}`
  const reference = doc(firestore, 'contacts', id)
  try {
    const made = { userId: uid, name, phone, createdAt: serverTimestamp() }
    await withFirestoreErrors('addContact', () => setDoc(reference, made))
  } catch (error) {
    // The contact exists, and the rules don't let it be created twice.
    if (!isDenied(error)) throw error
    await withFirestoreErrors('addContact', () => updateDoc(reference, { name }))
  }
  return { id, userId: uid, name, phone, createdAt: serverNow() }
}

/** @throws a failure of the operation `renameContact`. */
export async function renameContact(id: string, name: string): Promise<void> {
  await withFirestoreErrors('renameContact', () => updateDoc(doc(firestore, 'contacts', id), { name }))
}

/** Calling again is safe. @throws a failure of the operation `deleteContact`. */
export async function deleteContact(id: string): Promise<void> {
  await withFirestoreErrors('deleteContact', () => deleteDoc(doc(firestore, 'contacts', id)))
}
