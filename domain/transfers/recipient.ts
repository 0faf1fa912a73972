import type { ContactForm } from '../people/contact.ts'
import type { RecipientFacts } from '../people/recipientName.ts'
import { normalizeStatus } from './status.ts'
import type { Transaction } from './transaction.ts'

export type RecipientHistory =
  | { readonly kind: 'contact'; readonly name: string }
  /** From the newest transfer that has a name. */
  | { readonly kind: 'sentBefore'; readonly name: string | null }
  /** A wrong digit would go unnoticed, because the number is new here. */
  | { readonly kind: 'firstTime' }

/** The contact's present name, or else that of the newest transfer. `transfers`: newest first. */
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

/** A name is asked for at the first transfer; where it is required, at every transfer without one. */
export function buildRecipientFacts(
  phone: string,
  history: RecipientHistory,
  isNameRequired: boolean,
): RecipientFacts {
  const name = history.kind === 'firstTime' ? null : history.name
  const isAsked = name === null && (isNameRequired || history.kind === 'firstTime')
  return { phone, name, nameQuestion: isAsked ? (isNameRequired ? 'required' : 'optional') : 'none' }
}

/** Also true if it may still be paid. */
export function wasSent(status: string): boolean {
  const known = normalizeStatus(status)
  return known !== 'failed' && known !== 'canceled'
}
