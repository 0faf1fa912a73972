import type { Language } from '../common/language.ts'
import { findDestination } from '../numbers/destinations.ts'
import { checkRecipientPhone } from '../numbers/phone.ts'
import { getWalletName } from '../numbers/wallets.ts'
import type { Contact } from '../people/contact.ts'
import { mapPhonesToNames } from './recipient.ts'
import type { TransferDraft } from './shapes/draftSchema.ts'
import { buildDraftFromTransaction, type Transaction } from './transaction.ts'
import { buildRecipientDraft, preselectWallet } from './transfer.ts'

export interface KnownRecipient {
  readonly phone: string
  /** The contact's, or else that of the newest transfer. */
  readonly name: string | null
  /** The newest transfer, whatever its outcome; null for a contact without transfers. */
  readonly last: Transaction | null
}

export const MAX_SHOWN_RECIPIENTS = 6

/** The last sent to or added first, without unsupported countries and wallets of a newer app. */
export function listKnownRecipients(
  contacts: readonly Contact[],
  transfers: readonly Transaction[],
): readonly KnownRecipient[] {
  const names = mapPhonesToNames(contacts, [])
  const recipients = new Map<string, Omit<KnownRecipient, 'name'> & { readonly at: number }>()
  for (const { phone, createdAt } of contacts) recipients.set(phone, { phone, last: null, at: createdAt })
  for (const transfer of transfers) {
    const { recipientPhone: phone, createdAt } = transfer
    const { last = null, at = 0 } = recipients.get(phone) ?? {}
    if (transfer.type === 'received' || (last && last.createdAt >= createdAt)) continue
    recipients.set(phone, { phone, last: transfer, at: Math.max(at, createdAt) })
  }
  return [...recipients.values()]
    .filter(({ phone, last }) => checkRecipientPhone(phone).ok && (last === null || isRepeatable(last)))
    .sort((one, other) => other.at - one.at)
    .slice(0, MAX_SHOWN_RECIPIENTS)
    .map(({ phone, last }) => ({ phone, name: names.get(phone) ?? last?.recipientName ?? null, last }))
}

const isRepeatable = ({ recipientPhone, destination, receivingMethod }: Transaction) =>
  findDestination(recipientPhone)?.code === destination.code && getWalletName(receivingMethod) !== null

/** The typed coupon stays. */
export function buildRepeatDraft(
  { phone, last }: KnownRecipient,
  language: Language,
): Partial<TransferDraft> {
  const country = findDestination(phone)?.code
  // The wallet in the form belongs to the previous recipient.
  if (!last)
    return {
      ...buildRecipientDraft(phone),
      receivingMethod: country ? preselectWallet({ phone, country }) : null,
    }
  const { coupon: _, ...draft } = buildDraftFromTransaction(last, language)
  return draft
}
