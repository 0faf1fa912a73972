import type { Output } from '../common/schema.ts'
import type { buildOwnershipSchema } from './profileSchema.ts'

/** Only the server changes it after creation. */
export type Ownership = Output<ReturnType<typeof buildOwnershipSchema>>

export interface ProvenSignIn {
  /** The sign-in service's name: 'password', 'phone', 'google.com'. */
  readonly way: string
  /** Verified. */
  readonly email?: string | undefined
  /** UTC milliseconds. */
  readonly signedInAt: number
}

/**
 * Whether this sign-in may open the account: by the phone that created it, or by the confirmed address, and
 * not from before `sessionsSince`. Confirming an address unlinks the earlier methods. Database and storage
 * rules enforce the same.
 */
export function acceptsSignIn(
  { madeWith, verifiedAddress, sessionsSince }: Ownership,
  proof: ProvenSignIn,
): boolean {
  if (sessionsSince !== null && proof.signedInAt < sessionsSince) return false
  if (madeWith === 'phone' && proof.way === 'phone') return true
  return proof.email !== undefined && proof.email === verifiedAddress
}

export interface LinkedSignInMethod {
  readonly way: string
  /** The address that the method proves; undefined for a phone. */
  readonly email?: string | undefined
}

/**
 * The phone that created the account, even if unlinked, or this sign-in's method if it proves the address.
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
