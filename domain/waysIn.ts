import type { InferOutput } from './schema.ts'
import type { ownershipSchema } from './schemas/profile.ts'

/** Our own record of who an account belongs to, in its profile. Nobody but the server changes it once it is there. */
export type Ownership = InferOutput<ReturnType<typeof ownershipSchema>>

/** What an ID token proves. */
export interface Proof {
  /** How the person signed in, by the sign-in service's name for it: 'password', 'phone', 'google.com'. */
  readonly way: string
  /** The address, once it is verified. */
  readonly email?: string | undefined
  /** UTC milliseconds. */
  readonly signedInAt: number
}

/**
 * Whether somebody who came in like that is let into the account. Who made it with a phone comes in by phone. Everybody
 * else comes in once the very address that the account has was confirmed, when all that had been linked to the account
 * before was unlinked. The security rules of the database and the storage say the same.
 */
export function isOpenTo({ madeWith, verifiedAddress, sessionsSince }: Ownership, proof: Proof): boolean {
  if (sessionsSince !== null && proof.signedInAt < sessionsSince) return false
  if (madeWith === 'phone' && proof.way === 'phone') return true
  return proof.email !== undefined && proof.email === verifiedAddress
}

/** A way in that the sign-in service has for an account. */
export interface WayIn {
  readonly way: string
  /** The address that it proves; undefined for a phone. */
  readonly email?: string | undefined
}

/**
 * By which way in the account's address is confirmed: by the phone that made the account as long as it is there, else by what
 * proved the address, which alone stays: a password that was set with it, or a Google account of the same address. Null when
 * the way by which somebody came proves neither.
 */
export function wayToConfirm(
  { madeWith }: Pick<Ownership, 'madeWith'>,
  { address, waysIn }: { readonly address: string; readonly waysIn: readonly WayIn[] },
  cameBy: string,
): string | null {
  if (madeWith === 'phone' && waysIn.some(({ way }) => way === 'phone')) return 'phone'
  const proves = waysIn.some(({ way, email }) => way === cameBy && email === address)
  return proves ? cameBy : null
}
