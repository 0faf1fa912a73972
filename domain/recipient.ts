import type { ContactForm } from './contact.ts'
import { normaliseStatus } from './status.ts'
import type { Transaction } from './transaction.ts'

/** How well a number is known on this device. */
export type Acquaintance =
  | { readonly kind: 'contact'; readonly name: string }
  | { readonly kind: 'sentBefore' }
  /** A wrong digit would go unnoticed: nothing here has the number. */
  | { readonly kind: 'firstTime' }

/** What the recipients are called, by their numbers. */
export const namesByPhone = (contacts: readonly ContactForm[]): ReadonlyMap<string, string> =>
  new Map(contacts.map(({ phone, name }) => [phone, name]))

/** How well a number (without spaces) is known, by the contacts and by the transfers that went to it. */
export function acquaintanceOf(
  phone: string,
  contacts: readonly ContactForm[],
  transfers: readonly Pick<Transaction, 'type' | 'recipientPhone' | 'status'>[],
): Acquaintance {
  const contact = contacts.find((known) => known.phone === phone)
  if (contact) return { kind: 'contact', name: contact.name }
  const isSentBefore = transfers.some(
    ({ type, recipientPhone, status }) => type === 'sent' && recipientPhone === phone && wasSent(status),
  )
  return { kind: isSentBefore ? 'sentBefore' : 'firstTime' }
}

/** Whether a transfer of this stored status was paid, or may still be. */
export function wasSent(status: string): boolean {
  const known = normaliseStatus(status)
  return known !== 'failed' && known !== 'canceled'
}
