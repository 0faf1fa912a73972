import type { Output } from '../common/schema.ts'
import type { buildOwnershipSchema } from './profileSchema.ts'

/** The account's owner as recorded in its profile. Only the server changes it after creation. */
export type Ownership = Output<ReturnType<typeof buildOwnershipSchema>>

/** The facts proved by an ID token. */
export interface ProvenSignIn {
  /** The sign-in method, by its name at the sign-in service: 'password', 'phone', 'google.com'. */
  readonly way: string
  /** The verified email address. */
  readonly email?: string | undefined
  /** UTC milliseconds. */
  readonly signedInAt: number
}

/**
 * Whether this sign-in may open the account: not if it is older than `sessionsSince`. A phone may open an
 * account created by phone; any other method must prove the confirmed address. Confirming an address unlinks
 * the earlier methods. Database and storage rules enforce the same.
 */
export function acceptsSignIn(
  { madeWith, verifiedAddress, sessionsSince }: Ownership,
  proof: ProvenSignIn,
): boolean {
  if (sessionsSince !== null && proof.signedInAt < sessionsSince) return false
  if (madeWith === 'phone' && proof.way === 'phone') return true
  return proof.email !== undefined && proof.email === verifiedAddress
}

/** A sign-in method linked to an account. */
export interface LinkedSignInMethod {
  readonly way: string
  /** The email address that the method proves; undefined for a phone. */
  readonly email?: string | undefined
}

/**
 * Returns the sign-in method that confirms the account's address: the phone for an account created by phone,
 * even if the number was unlinked since, because the account stays that of its user. For any other account, the
 * method of this sign-in if it proves the address; otherwise null.
 */
export function getConfirmationMethod(
  { madeWith }: Pick<Ownership, 'madeWith'>,
  {
    address,
    signInMethods,
  }: { readonly address: string; readonly signInMethods: readonly LinkedSignInMethod[] },
  cameBy: string,
): string | null {
  if (madeWith === 'phone') return 'phone'
  const proves = signInMethods.some(({ way, email }) => way === cameBy && email === address)
  return proves ? cameBy : null
}
