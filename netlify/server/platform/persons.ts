import { domainToASCII } from 'node:url'
import type { Firestore } from 'firebase-admin/firestore'
import { cleanEmail } from '../../../domain/account/email.ts'
import type { Accounts } from './accounts.ts'
import type { Caller } from './caller.ts'
import { parseKnownKeys, users } from './records.ts'

/** Returns the same keyed hash of a text in every instance. */
export type Pseudonym = (text: string) => string

interface WithPseudonym {
  readonly pseudonym: Pseudonym
}

/**
 * Builds the keys by which the functions recognize a person: the account, and keyed hashes of the verified
 * number and address, which outlive the account, with those of earlier ones (`knownKeys`). Counts for a person
 * are stored under each key. A number or address that is not verified is not included.
 */
export function buildPersonKeys(
  { pseudonym }: WithPseudonym,
  { uid, phone, email, knownKeys = [] }: Caller,
): readonly string[] {
  const proven = [phone, email && normalizeAddress(email)].filter((name) => name !== undefined)
  return [...new Set([uid, ...proven.map((name) => pseudonym(`person:${name}`)), ...knownKeys])]
}

/** Stripe's data about the card of a charge or of a payment method. */
interface WithCard {
  readonly card?: { readonly fingerprint?: string | null } | null
}

/**
 * Returns the key of a charge's card, or none if Stripe does not identify it. The key is a keyed hash of the
 * card's fingerprint, which all accounts that pay with the card share.
 */
export function getCardKeys(
  { pseudonym }: WithPseudonym,
  { payment_method_details: details }: { readonly payment_method_details: WithCard | null },
): readonly string[] {
  const fingerprint = details?.card?.fingerprint
  return fingerprint ? [pseudonym(`card:${fingerprint}`)] : []
}

/** Returns the key of a recipient: a keyed hash of the number. */
export const getRecipientKey = ({ pseudonym }: WithPseudonym, phone: string): string =>
  pseudonym(`recipient:${phone}`)

/** These two domains are one mail service, which ignores dots. */
const GMAIL = ['gmail.com', 'googlemail.com']

/**
 * Returns one form for all addresses of a mailbox. Used for counts and stops, never for signing in, because
 * not every mail service ignores what follows a `+`.
 */
export function normalizeAddress(address: string): string {
  const lowerCase = cleanEmail(address).normalize('NFKC').toLowerCase()
  const at = lowerCase.lastIndexOf('@')
  const local = lowerCase.slice(0, at)
  // An internationalized domain also has a Punycode form (`xn--…`); compare that form.
  const domain = domainToASCII(lowerCase.slice(at + 1))
  // A local part that begins with `+` stays unchanged, because nothing would be left of it.
  const mailbox = local.replace(/(?<=.)\+.*$/s, '')
  return GMAIL.includes(domain) ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`
}

/**
 * Fetches a person's keys from their account and profile, and adds those in `known`: keys under which they
 * paid, which a deleted account no longer provides.
 */
export async function fetchPersonKeys(
  context: WithPseudonym & { readonly db: Firestore; readonly accounts: Pick<Accounts, 'find'> },
  uid: string,
  known: readonly string[] = [],
): Promise<readonly string[]> {
  const account = await context.accounts.find(uid)
  const now = buildPersonKeys(context, {
    uid,
    phone: account?.phone ?? undefined,
    email: account?.verifiedAddress ?? undefined,
  })
  return [...new Set([...now, ...known])]
}
    knownKeys: [...parseKnownKeys(profile.data()), ...known],
