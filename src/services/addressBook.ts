import { type ContactForm, fromAddressBook } from '../../domain/contact.ts'

/** Specification of the W3C: Contact Picker API; Chromium on Android has it. */
interface AddressBook {
  select(
    properties: readonly ('name' | 'tel')[],
    options: { readonly multiple: false },
  ): Promise<readonly { readonly name?: readonly string[]; readonly tel?: readonly string[] }[]>
}

const addressBook = (): AddressBook | undefined => {
  const { contacts } = navigator as Navigator & { contacts?: Partial<AddressBook> }
  return typeof contacts?.select === 'function' ? (contacts as AddressBook) : undefined
}

/** Whether the browser lets the person choose from the phone's own address book. */
export const hasAddressBook = (): boolean => addressBook() !== undefined

/** What the person chose in the phone's own address book, and nothing else of it; null for nothing. Rejects when it can't open. */
export async function chooseFromAddressBook(): Promise<ContactForm | null> {
  const [chosen] = (await addressBook()?.select(['name', 'tel'], { multiple: false })) ?? []
  return chosen ? fromAddressBook(chosen) : null
}
