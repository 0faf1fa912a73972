import { type KnownRecipient, listKnownRecipients } from '../../domain/transfers/knownRecipients.ts'
import type { UserDatabase } from './database.ts'

const LATELY = 50

export async function findOfferedRecipients({
  contacts,
  transactions,
}: UserDatabase): Promise<readonly KnownRecipient[]> {
  const [people, newest] = await Promise.all([
    contacts.toArray(),
    transactions.orderBy('createdAt').reverse().limit(LATELY).toArray(),
  ])
  const known = listKnownRecipients(people, newest)
  const silent = known.filter(({ last }) => last === null).map(({ phone }) => phone)
  if (silent.length === 0) return known
  // A contact's last transfer may be older than the transfers searched so far.
  const older = await transactions.where('recipientPhone').anyOf(silent).toArray()
  return listKnownRecipients(people, [...newest, ...older])
}
