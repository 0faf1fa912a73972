import { type ContactForm, parseAddressBookEntry } from '../../domain/people/contact.ts'

/** The W3C Contact Picker API of Chromium on Android. */
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

export const hasAddressBook = (): boolean => addressBook() !== undefined

/** Null if the user chose none. @throws if it can't open. */
export async function chooseFromAddressBook(): Promise<ContactForm | null> {
  const [chosen] = (await addressBook()?.select(['name', 'tel'], { multiple: false })) ?? []
  return chosen ? parseAddressBookEntry(chosen) : null
}
