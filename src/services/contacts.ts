import {
  collection,
  type DocumentData,
  deleteDoc,
  doc,
  getDocs,
  type QueryDocumentSnapshot,
  query,
  serverTimestamp,
  setDoc,
  updateDoc,
  where,
} from 'firebase/firestore/lite'
import type { Contact, ContactForm } from '../../domain/contact.ts'
import { checkName } from '../../domain/name.ts'
import { checkPhone, groupPhone } from '../../domain/phone.ts'
import { isDenied } from '../browser/failure.ts'
import { serverNow } from '../browser/serverTime.ts'
import { asking, firestore, millis } from './firestore.ts'

/** All contacts of the person. Fails with `fetchContacts`. Specification, section 7. */
export async function fetchContacts(uid: string): Promise<readonly Contact[]> {
  const own = query(collection(firestore, 'contacts'), where('userId', '==', uid))
  const { docs } = await asking('fetchContacts', () => getDocs(own))
  return docs.flatMap(contactIn)
}

/**
 * Stores a contact that was checked. A number is one contact, by its id: what is sent again after a lost answer, or
 * from another device, gives the same contact this name. Fails with `addContact`. Specification, section 7.
 */
export async function createContact(uid: string, { name, phone }: ContactForm): Promise<Contact> {
  const id = `${uid}_${phone.slice(1)}`
  const reference = doc(firestore, 'contacts', id)
  try {
    const contact = { userId: uid, name, phone, createdAt: serverTimestamp() }
    await asking('addContact', () => setDoc(reference, contact))
  } catch (error) {
    // The rules refuse to make anew what is there.
    if (!isDenied(error)) throw error
    await asking('addContact', () => updateDoc(reference, { name }))
  }
  return { id, userId: uid, name, phone, createdAt: serverNow() }
}

/** Fails with `renameContact`. */
export async function renameContact(id: string, name: string): Promise<void> {
  await asking('renameContact', () => updateDoc(doc(firestore, 'contacts', id), { name }))
}

/** Fails with `deleteContact`. Deleting what is gone already is done. */
export async function deleteContact(id: string): Promise<void> {
  await asking('deleteContact', () => deleteDoc(doc(firestore, 'contacts', id)))
}

/** The contact of a document; none when its number is not valid. A name loses the marks that could make it read as another one. */
function contactIn(document: QueryDocumentSnapshot<DocumentData>): Contact[] {
  const { userId, name, phone, createdAt } = document.data()
  const number = checkPhone(String(phone))
  if (!number.ok) return []
  const known = checkName(String(name))
  return [
    {
      id: document.id,
      userId,
      name: known.ok ? known.value : groupPhone(number.value),
      phone: number.value,
      createdAt: millis(createdAt) ?? 0,
    },
  ]
}
