import { toPlain } from '../common/clean.ts'
import { getLocale, type Language } from '../common/language.ts'
import { err, ok, type Result } from '../common/result.ts'
import type { Output } from '../common/schema.ts'
import { createNameMatcher, createPhoneMatcher } from '../common/search.ts'
import { checkPhone, listPhones, type PhoneProblem, parsePhone } from '../numbers/phone.ts'
import type { buildContactSchema } from './contactSchema.ts'
import { checkName, type NameProblem, truncateName } from './name.ts'

/** Specification, section 3. */
export type Contact = Output<ReturnType<typeof buildContactSchema>>

const MAX_CONTACTS = 500

export type ContactForm = Pick<Contact, 'name' | 'phone'>

export type ContactProblem =
  | ({ readonly field: 'name' } & NameProblem)
  | ({ readonly field: 'phone' } & PhoneProblem)
  | { readonly field: 'phone'; readonly kind: 'contactExists'; readonly name: string }
  | { readonly field: 'name'; readonly kind: 'tooManyContacts'; readonly most: number }

/** Returns every problem, in the order of the fields. Specification, section 5. */
export function checkContact(
  form: ContactForm,
  contacts: readonly ContactForm[],
): Result<ContactForm, readonly ContactProblem[]> {
  const name = checkName(form.name)
  const phone = checkPhone(parsePhone(form.phone))
  const same = phone.ok ? contacts.find((other) => other.phone === phone.value) : undefined
  const isFull = contacts.length >= MAX_CONTACTS
  if (name.ok && phone.ok && !same && !isFull) return ok({ name: name.value, phone: phone.value })
  const problems: ContactProblem[] = []
  if (isFull) problems.push({ field: 'name', kind: 'tooManyContacts', most: MAX_CONTACTS })
  if (!name.ok) problems.push({ field: 'name', ...name.error })
  if (!phone.ok) problems.push({ field: 'phone', ...phone.error })
  if (same) problems.push({ field: 'phone', kind: 'contactExists', name: same.name })
  return err(problems)
}

/** In alphabetical order; an empty text matches every contact. */
export function findContacts<Known extends ContactForm>(
  contacts: readonly Known[],
  text: string,
  language: Language,
): readonly Known[] {
  const isNamed = createNameMatcher(text)
  const isWanted = createPhoneMatcher(text)
  const { compare } = new Intl.Collator(getLocale(language))
  return contacts
    .filter(({ name, phone }) => text.trim() === '' || isNamed(name) || isWanted?.(phone))
    .sort((one, other) => compare(one.name, other.name) || compare(one.phone, other.phone))
}

/**
 * An entry contains dialed numbers ('00224…', '+33 (0)6-12…') and codes of operators ('*144#'). The user
 * chooses from the complete numbers, or completes the first.
 */
export function parseAddressBookEntry(entry: {
  readonly name?: readonly string[]
  readonly tel?: readonly string[]
}): ContactForm {
  const phones = (entry.tel ?? []).filter((tel) => !/[*#]/.test(toPlain(tel))).map((tel) => parsePhone(tel))
  const complete = new Set(phones.filter((phone) => listPhones(phone).length > 0))
  return {
    name: truncateName(entry.name?.[0] ?? '') ?? '',
    phone: complete.size > 0 ? [...complete].join(' / ') : (phones[0] ?? ''),
  }
}
