import type { Context } from '../platform/context.ts'
import { users } from '../platform/records.ts'

/** Returns the present address of another account that had this one before. @throws when a service fails. */
export async function findPresentAddress(
  { db, accounts }: Pick<Context, 'db' | 'accounts'>,
  uid: string,
  address: string,
): Promise<string | null> {
  const found = await Promise.all([
    users(db).where('formerAddresses', 'array-contains', address).limit(5).get(),
    // The address may have changed at the sign-in service without being confirmed yet.
    users(db).where('verifiedAddress', '==', address).limit(5).get(),
  ])
  for (const { id } of found.flatMap(({ docs }) => docs)) {
    const other = id === uid ? null : await accounts.find(id)
    if (other?.verifiedAddress && other.verifiedAddress !== address) return other.verifiedAddress
  }
  return null
}
