import { checkContact } from '../../domain/people/contact.ts'
import { checkRecipientName } from '../../domain/people/recipientName.ts'
import { mergeContacts } from '../cache/contacts.ts'
import { type OpenAttempt, withRows } from '../cache/database.ts'
import { createContact, fetchContacts } from '../services/contacts.ts'

/** Makes a contact of the name that the user typed for a paid transfer, unless its number has one. */
export async function keepRecipient(
  uid: string,
  { draft, order: { phone, recipientName } }: OpenAttempt,
): Promise<void> {
  const typed = checkRecipientName(draft.recipientName, false)
  if (recipientName === null || !typed.ok || typed.value !== recipientName) return
  // On a new device, the number may have a contact that only the server knows.
  await mergeContacts(uid, () => fetchContacts(uid))
  const known = await withRows(uid, ({ contacts }) => contacts.toArray())
  const checked = checkContact({ name: recipientName, phone }, known)
  if (!checked.ok) return
  const contact = await createContact(uid, checked.value)
  await withRows(uid, ({ contacts }) => contacts.put(contact))
}
