import type { ContactForm } from './contact.ts'
import { normalizeStatus } from './status.ts'
import type { Transaction } from './transaction.ts'

/** How well this device knows a number. */
export type RecipientHistory =
  | { readonly kind: 'contact'; readonly name: string }
  | { readonly kind: 'sentBefore' }
  /** A wrong digit would go unnoticed, because the number is new here. */
  | { readonly kind: 'firstTime' }

/** Maps the numbers of contacts to their names. */
export const mapPhonesToNames = (contacts: readonly ContactForm[]): ReadonlyMap<string, string> =>
  new Map(contacts.map(({ phone, name }) => [phone, name]))

/** Returns how well a number (without spaces) is known from contacts and transfers. */
export function getRecipientHistory(
  phone: string,
  contacts: readonly ContactForm[],
  transfers: readonly Pick<Transaction, 'type' | 'recipientPhone' | 'status'>[],
): RecipientHistory {
  const contact = contacts.find((known) => known.phone === phone)
  if (contact) return { kind: 'contact', name: contact.name }
  const isSentBefore = transfers.some(
    ({ type, recipientPhone, status }) => type === 'sent' && recipientPhone === phone && wasSent(status),
  )
  return { kind: isSentBefore ? 'sentBefore' : 'firstTime' }
}

/** Whether a transfer with this stored status was paid, or may still be. */
export function wasSent(status: string): boolean {
  const known = normalizeStatus(status)
  return known !== 'failed' && known !== 'canceled'
}
