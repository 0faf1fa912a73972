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

/** Mail services with names that lead to one mailbox. `ignored`: what the service ignores before the `@`. */
const MAIL_SERVICES: readonly {
  readonly domains: RegExp
  readonly main?: string
  readonly ignored: RegExp
}[] = [
  { domains: /^(gmail|googlemail)\.com$/, main: 'gmail.com', ignored: /\./g },
  // All domains of a name belong to one user, who gets no other spelling of it.
  { domains: /^(proton\.me|pm\.me|protonmail\.(com|ch))$/, main: 'proton.me', ignored: /[._-]/g },
  // Disposable addresses are a base name, a hyphen and a keyword. Names themselves have no hyphen.
  { domains: /^(yahoo\.\w+(\.\w+)?|ymail\.com|rocketmail\.com)$/, ignored: /(?<=.)-.*$/gs },
]

/**
 * Returns one form for all addresses of a mailbox, by what each mail service does. Used for counts and stops,
 * never for signing in, because not every mail service ignores what follows a `+`.
 */
export function normalizeAddress(address: string): string {
  const lowerCase = cleanEmail(address).normalize('NFKC').toLowerCase()
  const at = lowerCase.lastIndexOf('@')
  const local = unquote(lowerCase.slice(0, at))
  // An internationalized domain also has a Punycode form (`xn--…`); compare that form. A dot may end a domain.
  const domain = domainToASCII(lowerCase.slice(at + 1)).replace(/\.$/, '')
  // A local part that begins with `+` stays unchanged, because nothing would be left of it.
  const mailbox = local.replace(/(?<=.)\+.*$/s, '')
  const service = MAIL_SERVICES.find(({ domains }) => domains.test(domain))
  return service
    ? `${mailbox.replace(service.ignored, '')}@${service.main ?? domain}`
    : `${mailbox}@${domain}`
}

/** Removes quotes and backslashes that a local part does not need (RFC 5321, section 4.1.2). */
function unquote(local: string): string {
  if (!/^".*"$/s.test(local)) return local
  const text = local.slice(1, -1).replace(/\\(.)/gs, '$1')
  return /^[^\s"(),:;<>@[\\\]]+$/.test(text) && !/^\.|\.\.|\.$/.test(text) ? text : local
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
  const [account, profile] = await Promise.all([context.accounts.find(uid), users(context.db).doc(uid).get()])
  return buildPersonKeys(context, {
    uid,
    phone: account?.phone ?? undefined,
    email: account?.verifiedAddress ?? undefined,
    knownKeys: [...parseKnownKeys(profile.data()), ...known],
  })
}
