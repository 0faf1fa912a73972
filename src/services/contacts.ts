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
import type { Contact, ContactForm } from '../../domain/contact.ts'
import { contactSchema } from '../../domain/schemas/contact.ts'
import { isDenied } from '../browser/failure.ts'
import { serverNow } from '../browser/serverTime.ts'
import { asking, firestore, instant, rowsIn } from './firestore.ts'

/** All contacts of the person. Fails with `fetchContacts`. Specification, section 7. */
export async function fetchContacts(uid: string): Promise<readonly Contact[]> {
  const own = query(collection(firestore, 'contacts'), where('userId', '==', uid))
  const { docs } = await asking('fetchContacts', () => getDocs(own))
  return rowsIn(contactSchema(instant), docs)
}

/**
 * Stores a contact that was checked. A number is one contact, by its id: what is sent again after a lost answer, or
 * from another device, gives the same contact this name. Fails with `addContact`. Specification, section 7.
 */
export async function createContact(uid: string, { name, phone }: ContactForm): Promise<Contact> {
  const id = `${uid}_${phone.slice(1)}`
  const reference = doc(firestore, 'contacts', id)
  try {
    const made = { userId: uid, name, phone, createdAt: serverTimestamp() }
    await asking('addContact', () => setDoc(reference, made))
  } catch (error) {
    // The contact is there already, and the rules don't let it be created again.
    if (!isDenied(error)) throw error
    await asking('addContact', () => updateDoc(reference, { name }))
  }
  return { id, userId: uid, name, phone, createdAt: serverNow() }
}

/** Fails with `renameContact`. */
export async function renameContact(id: string, name: string): Promise<void> {
  await asking('renameContact', () => updateDoc(doc(firestore, 'contacts', id), { name }))
}

/** Fails with `deleteContact`. A contact that is gone already is no failure. */
export async function deleteContact(id: string): Promise<void> {
  await asking('deleteContact', () => deleteDoc(doc(firestore, 'contacts', id)))
}
