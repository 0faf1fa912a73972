import type { Context } from './context.ts'
import { users } from './records.ts'

/**
 * Finds another account that had this address before, and returns its present address; null if there is none.
 *
 * @throws when a hosted service fails.
 */
export async function findPresentAddress(
  { db, accounts }: Pick<Context, 'db' | 'accounts'>,
  uid: string,
  address: string,
): Promise<string | null> {
  const found = await Promise.all([
    users(db).where('formerAddresses', 'array-contains', address).limit(5).get(),
    // Covers an account whose address was changed at the sign-in service, but whose new one is not confirmed
    // yet.
    users(db).where('verifiedAddress', '==', address).limit(5).get(),
  ])
  for (const { id } of found.flatMap(({ docs }) => docs)) {
    const other = id === uid ? null : await accounts.find(id)
    if (other?.verifiedAddress && other.verifiedAddress !== address) return other.verifiedAddress
  }
  return null
}
