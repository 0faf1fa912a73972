import { type KnownRecipient, knownRecipients } from '../../domain/people.ts'
import type { UserDatabase } from './database.ts'

/** How many of the newest transfers say who was sent to lately. */
const LATELY = 50

/** Who stands above the form. */
export async function recipientsHere({
  contacts,
  transactions,
}: UserDatabase): Promise<readonly KnownRecipient[]> {
  const [people, newest] = await Promise.all([
    contacts.toArray(),
    transactions.orderBy('createdAt').reverse().limit(LATELY).toArray(),
  ])
  const known = knownRecipients(people, newest)
  const silent = known.filter(({ last }) => last === null).map(({ phone }) => phone)
  if (silent.length === 0) return known
  // They may have been sent to long ago.
  const older = await transactions.where('recipientPhone').anyOf(silent).toArray()
  return knownRecipients(people, [...newest, ...older])
}
