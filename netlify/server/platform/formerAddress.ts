import type { Context } from './context.ts'
import { users } from './records.ts'

/**
 * The present address of another account that had this one before; null when there is none that lives.
 *
 * @throws when a hosted service fails.
 */
export async function presentAddress(
  { db, accounts }: Pick<Context, 'db' | 'accounts'>,
  uid: string,
  address: string,
): Promise<string | null> {
  const found = await Promise.all([
    users(db).where('formerAddresses', 'array-contains', address).limit(5).get(),
    // It was changed at the sign-in service, and nobody has come with the new one yet.
    users(db).where('verifiedAddress', '==', address).limit(5).get(),
  ])
  for (const { id } of found.flatMap(({ docs }) => docs)) {
    const other = id === uid ? null : await accounts.find(id)
    if (other?.verifiedAddress && other.verifiedAddress !== address) return other.verifiedAddress
  }
  return null
}
