import type { Contact } from './contact.ts'
import { destinationOf } from './destinations.ts'
import type { Language } from './language.ts'
import { checkRecipientPhone } from './phone.ts'
import { draftLike, type Transaction } from './transaction.ts'
import { draftTo, preselectedWallet, type TransferDraft } from './transfer.ts'
import { walletName } from './wallets.ts'

/** Somebody who may be sent to by one tap. */
export interface KnownRecipient {
  readonly phone: string
  /** Null for a number that is no contact's. */
  readonly name: string | null
  /** The newest transfer to them, whatever became of it; null for a contact who was never sent anything. */
  readonly last: Transaction | null
}

/** How many stand above the form. The others are in the list of contacts. */
export const MOST_RECIPIENTS = 6

/**
 * Who stands above the form: contacts, and those sent to. First whoever was sent to or added last. Left out is whom this app can't send to: a
 * number of elsewhere, or one that was sent to in a way that only a newer app knows.
 */
export function knownRecipients(
  contacts: readonly Contact[],
  transfers: readonly Transaction[],
): readonly KnownRecipient[] {
  const known = new Map<string, KnownRecipient & { readonly at: number }>()
  for (const { phone, name, createdAt } of contacts)
    known.set(phone, { phone, name, last: null, at: createdAt })
  for (const transfer of transfers) {
    const { recipientPhone: phone, createdAt } = transfer
    const { name = null, last = null, at = 0 } = known.get(phone) ?? {}
    if (transfer.type === 'received' || (last && last.createdAt >= createdAt)) continue
    known.set(phone, { phone, name, last: transfer, at: Math.max(at, createdAt) })
  }
  return [...known.values()]
    .filter(({ phone, last }) => checkRecipientPhone(phone).ok && (last === null || isRepeatable(last)))
    .sort((one, other) => other.at - one.at)
    .slice(0, MOST_RECIPIENTS)
    .map(({ phone, name, last }) => ({ phone, name, last }))
}

const isRepeatable = ({ recipientPhone, destination, receivingMethod }: Transaction) =>
  destinationOf(recipientPhone)?.code === destination.code &&
  (receivingMethod === null || walletName(receivingMethod) !== null)

/** What a tap on them puts into the form: their number and, of the last transfer to them, wallet and amount. A coupon stays as it is typed. */
export function draftFor({ phone, last }: KnownRecipient, language: Language): Partial<TransferDraft> {
  const country = destinationOf(phone)?.code
  // The wallet that is chosen is the one of somebody else.
  if (!last)
    return { ...draftTo(phone), receivingMethod: country ? preselectedWallet({ phone, country }) : null }
  const { coupon: _, ...draft } = draftLike(last, language)
  return draft
}
