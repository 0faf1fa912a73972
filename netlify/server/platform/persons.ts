import type { Caller } from './caller.ts'
import type { Context } from './context.ts'

/**
 * The names under which the functions know a person again: the account, and keyed hashes of the verified number and
 * address, which stay the same when somebody deletes the account and makes another one. What counts for a person and not
 * for an account is counted under each of them. A number or an address that was only typed counts for nobody.
 */
export function personKeys(
  { pseudonym }: Pick<Context, 'pseudonym'>,
  { uid, phone, email }: Caller,
): readonly string[] {
  const proven = [phone, email?.toLowerCase()].filter((name) => name !== undefined)
  return [uid, ...proven.map((name) => pseudonym(`person:${name}`))]
}

/**
 * The names that a person has now, by their account: who only calls proves them by the token. `known`: those under which they
 * paid, which an account that is gone no longer says.
 */
export async function personKeysOf(
  context: Context,
  uid: string,
  known: readonly string[] = [],
): Promise<readonly string[]> {
  const account = await context.accounts.find(uid)
  const now = personKeys(context, {
    uid,
    phone: account?.phone ?? undefined,
    email: account?.verifiedAddress ?? undefined,
  })
  return [...new Set([...now, ...known])]
}
