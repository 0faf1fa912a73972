import { checkContact } from '../../domain/people/contact.ts'
import { checkRecipientName } from '../../domain/people/recipientName.ts'
import type { OpenAttempt, UserDatabase } from '../cache/database.ts'
import { createContact } from '../services/contacts.ts'

/** Makes a contact of the name that the user typed for a paid transfer, unless its number has one. */
export async function keepRecipient(
  uid: string,
  { contacts }: UserDatabase,
  { draft, order: { phone, recipientName } }: OpenAttempt,
): Promise<void> {
  const typed = checkRecipientName(draft.recipientName, false)
  if (recipientName === null || !typed.ok || typed.value !== recipientName) return
  const checked = checkContact({ name: recipientName, phone }, await contacts.toArray())
  if (checked.ok) await contacts.put(await createContact(uid, checked.value))
}
