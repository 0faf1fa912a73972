import type { ContactForm } from '../people/contact.ts'
import type { RecipientFacts } from '../people/recipientName.ts'
import { normalizeStatus } from './status.ts'
import type { Transaction } from './transaction.ts'

/** How well this device knows a number. */
export type RecipientHistory =
  | { readonly kind: 'contact'; readonly name: string }
  /** `name`: the one given with the newest transfer that has a name. */
  | { readonly kind: 'sentBefore'; readonly name: string | null }
  /** A wrong digit would go unnoticed, because the number is new here. */
  | { readonly kind: 'firstTime' }

/**
 * Maps numbers to the names that lists show: the contact's present name, or else the one given with the
 * newest transfer. `transfers`: the newest first.
 */
export const mapPhonesToNames = (
  contacts: readonly ContactForm[],
  transfers: readonly Pick<Transaction, 'recipientPhone' | 'recipientName'>[],
): ReadonlyMap<string, string> =>
  new Map([
    ...[...transfers]
      .reverse()
      .flatMap(({ recipientPhone, recipientName }) =>
        recipientName ? [[recipientPhone, recipientName] as const] : [],
      ),
    ...contacts.map(({ phone, name }) => [phone, name] as const),
  ])

/**
 * Returns how well a number (without spaces) is known from contacts and transfers. `transfers` in any order.
 */
export function getRecipientHistory(
  phone: string,
  contacts: readonly ContactForm[],
  transfers: readonly Pick<
    Transaction,
    'type' | 'recipientPhone' | 'recipientName' | 'status' | 'createdAt'
  >[],
): RecipientHistory {
  const contact = contacts.find((known) => known.phone === phone)
  if (contact) return { kind: 'contact', name: contact.name }
  const [newest, ...older] = transfers
    .filter(
      ({ type, recipientPhone, status }) => type === 'sent' && recipientPhone === phone && wasSent(status),
    )
    .sort((one, other) => other.createdAt - one.createdAt)
  if (!newest) return { kind: 'firstTime' }
  return {
    kind: 'sentBefore',
    name: [newest, ...older].find(({ recipientName }) => recipientName)?.recipientName ?? null,
  }
}

/**
 * Returns the facts about a number. The form asks for a name at the first transfer to it; where a name is
 * required, at every transfer without one.
 */
export function buildRecipientFacts(
  phone: string,
  history: RecipientHistory,
  isNameRequired: boolean,
): RecipientFacts {
  const name = history.kind === 'firstTime' ? null : history.name
  const isAsked = name === null && (isNameRequired || history.kind === 'firstTime')
  return { phone, name, nameQuestion: isAsked ? (isNameRequired ? 'required' : 'optional') : 'none' }
}

/** Whether a transfer with this stored status was paid, or may still be. */
export function wasSent(status: string): boolean {
  const known = normalizeStatus(status)
  return known !== 'failed' && known !== 'canceled'
}
