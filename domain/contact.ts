import { type Language, localeOf } from './language.ts'
import { checkName, type NameProblem, nameFrom } from './name.ts'
import { checkPhone, type PhoneProblem, readPhone } from './phone.ts'
import { err, ok, type Result } from './result.ts'
import type { InferOutput } from './schema.ts'
import type { contactSchema } from './schemas/contact.ts'
import { nameMatcher, phoneMatcher } from './search.ts'

/** Somebody whom the person sends to. Specification, section 3. */
export type Contact = InferOutput<ReturnType<typeof contactSchema>>

/** The form of a contact as it is typed. */
export type ContactForm = Pick<Contact, 'name' | 'phone'>

/** The field of the form, and what is wrong with it. */
export type ContactProblem =
  | ({ readonly field: 'name' } & NameProblem)
  | ({ readonly field: 'phone' } & PhoneProblem)
  /** The number is the one of somebody who is a contact already, by this name. */
  | { readonly field: 'phone'; readonly kind: 'contactExists'; readonly name: string }

/**
 * A new contact among those that are there already: a name, and a number in international form that is nobody else's.
 * Every problem at once, in the order of the fields. Specification, section 5.
 */
export function checkContact(
  form: ContactForm,
  contacts: readonly ContactForm[],
): Result<ContactForm, readonly ContactProblem[]> {
  const name = checkName(form.name)
  const phone = checkPhone(readPhone(form.phone))
  const same = phone.ok ? contacts.find((known) => known.phone === phone.value) : undefined
  if (name.ok && phone.ok && !same) return ok({ name: name.value, phone: phone.value })
  const problems: ContactProblem[] = []
  if (!name.ok) problems.push({ field: 'name', ...name.error })
  if (!phone.ok) problems.push({ field: 'phone', ...phone.error })
  if (same) problems.push({ field: 'phone', kind: 'contactExists', name: same.name })
  return err(problems)
}

/** The contacts that are looked for by name or number, in the order of an address book. All of them for an empty text. */
export function findContacts<Known extends ContactForm>(
  contacts: readonly Known[],
  text: string,
  language: Language,
): readonly Known[] {
  const isNamed = nameMatcher(text)
  const isWanted = phoneMatcher(text)
  const { compare } = new Intl.Collator(localeOf(language))
  return contacts
    .filter(({ name, phone }) => text.trim() === '' || isNamed(name) || isWanted?.(phone))
    .sort((one, other) => compare(one.name, other.name) || compare(one.phone, other.phone))
}

/**
 * The form of a contact for an entry of the phone's own address book: the first number that is complete, or else the
 * first as it is, for the person to complete. People keep numbers as they dial them there: '00224…', '+33 (0)6-12…'.
 */
export function fromAddressBook(entry: {
  readonly name?: readonly string[]
  readonly tel?: readonly string[]
}): ContactForm {
  const phones = (entry.tel ?? []).map((tel) => readPhone(tel))
  return {
    name: nameFrom(entry.name?.[0] ?? '') ?? '',
    phone: phones.find((phone) => checkPhone(phone).ok) ?? phones[0] ?? '',
  }
}
