/** Specification, section 2: contact list. */
export function ContactsPage(_: { uid: string }) {
  return null
}
