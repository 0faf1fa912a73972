import { domainToASCII } from 'node:url'
import type { Firestore } from 'firebase-admin/firestore'
import { cleanEmail } from '../../../domain/account/email.ts'
import type { Accounts } from '../platform/accounts.ts'
import type { Caller } from '../platform/caller.ts'
import { parseKnownKeys, users } from '../platform/records.ts'

export type Pseudonym = (text: string) => string

interface WithPseudonym {
  readonly pseudonym: Pseudonym
}

/** Account ID, and keyed hashes of verified numbers and addresses, which outlive the account. */
export function buildPersonKeys(
  { pseudonym }: WithPseudonym,
  { uid, phone, email, knownKeys = [] }: Caller,
): readonly string[] {
  const proven = [phone, email && normalizeAddress(email)].filter((name) => name !== undefined)
  return [...new Set([uid, ...proven.map((name) => pseudonym(`person:${name}`)), ...knownKeys])]
}

interface WithCard {
  readonly card?: { readonly fingerprint?: string | null } | null
}

/** All accounts that pay with a card share its key. Empty if Stripe does not identify the card. */
export function getCardKeys(
  { pseudonym }: WithPseudonym,
  { payment_method_details: details }: { readonly payment_method_details: WithCard | null },
): readonly string[] {
  const fingerprint = details?.card?.fingerprint
  return fingerprint ? [pseudonym(`card:${fingerprint}`)] : []
}

export const getRecipientKey = ({ pseudonym }: WithPseudonym, phone: string): string =>
  pseudonym(`recipient:${phone}`)

/** `ignored`: what the service ignores before the `@`. */
const MAIL_SERVICES: readonly {
  readonly domains: RegExp
  readonly main?: string
  readonly ignored: RegExp
}[] = [
  { domains: /^(gmail|googlemail)\.com$/, main: 'gmail.com', ignored: /\./g },
  // All domains of a name belong to one user, who gets no other spelling of it.
  { domains: /^(proton\.me|pm\.me|protonmail\.(com|ch))$/, main: 'proton.me', ignored: /[._-]/g },
  // Disposable addresses are a base name, a hyphen and a keyword.
  { domains: /^(yahoo\.\w+(\.\w+)?|ymail\.com|rocketmail\.com)$/, ignored: /(?<=.)-.*$/gs },
]

/** One form for all addresses of a mailbox. Not for signing in: some mail services don't ignore a `+`. */
export function normalizeAddress(address: string): string {
  const lowerCase = cleanEmail(address).normalize('NFKC').toLowerCase()
  const at = lowerCase.lastIndexOf('@')
  const local = unquote(lowerCase.slice(0, at))
  // Compare the Punycode form (`xn--…`). A dot may end a domain.
  const domain = domainToASCII(lowerCase.slice(at + 1)).replace(/\.$/, '')
  const mailbox = local.replace(/(?<=.)\+.*$/s, '')
  const service = MAIL_SERVICES.find(({ domains }) => domains.test(domain))
  return service
    ? `${mailbox.replace(service.ignored, '')}@${service.main ?? domain}`
    : `${mailbox}@${domain}`
}

/** RFC 5321, section 4.1.2. */
function unquote(local: string): string {
  if (!/^".*"$/s.test(local)) return local
  const text = local.slice(1, -1).replace(/\\(.)/gs, '$1')
  return /^[^\s"(),:;<>@[\\\]]+$/.test(text) && !/^\.|\.\.|\.$/.test(text) ? text : local
}

/** `known`: keys under which the person paid, which a deleted account no longer provides. */
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
