import { readFileSync } from 'node:fs'
import type { WireFields, WireValue } from 'service-emulators/firestore'
import { compileRules, type RulesRequest } from 'service-emulators/rules'

export const source = readFileSync(new URL('../firestore.rules', import.meta.url), 'utf8')
export const rules = compileRules(source, 'cloud.firestore')

export const DOCUMENTS = '/databases/(default)/documents'
export const NOW = Date.UTC(2026, 10, 20, 12)
export const NULL: WireValue = { nullValue: null }
export const text = (stringValue: string): WireValue => ({ stringValue })
export const whole = (integerValue: number): WireValue => ({ integerValue: String(integerValue) })
export const mapOf = (fields: WireFields): WireValue => ({ mapValue: { fields } })
export const at = (ms: number): WireValue => ({ timestampValue: new Date(ms).toISOString() })

export const OWNER = 'owner1'
export type Auth = RulesRequest['auth']
const SIGNED_IN = NOW / 1000 - 60
export const signedIn = (uid: string, provider: string, claims: Record<string, unknown> = {}): Auth => ({
  uid,
  token: { auth_time: SIGNED_IN, ...claims, firebase: { sign_in_provider: provider, identities: {} } },
})

export const EMAIL = 'awa@example.org'
export const PHONE = '+33612345678'
export const VERIFIED = { email: EMAIL, email_verified: true }
const UNVERIFIED = { email: EMAIL, email_verified: false }
const LINKED = { phone_number: PHONE }
export const SUBJECTS = {
  owner: signedIn(OWNER, 'password', VERIFIED),
  'owner by Google': signedIn(OWNER, 'google.com', VERIFIED),
  'owner by phone': signedIn(OWNER, 'phone', LINKED),
  'owner by phone, whose address is not verified': signedIn(OWNER, 'phone', { ...UNVERIFIED, ...LINKED }),
  unverified: signedIn(OWNER, 'password', UNVERIFIED),
  'unverified, by a linked phone': signedIn(OWNER, 'phone', { ...UNVERIFIED, ...LINKED }),
  'unverified, by a linked Google account': signedIn(OWNER, 'google.com', UNVERIFIED),
  'verified, not confirmed': signedIn(OWNER, 'password', VERIFIED),
  'verified, not confirmed, by a linked phone': signedIn(OWNER, 'phone', { ...VERIFIED, ...LINKED }),
  'verified, not confirmed, by Google': signedIn(OWNER, 'google.com', VERIFIED),
  'verified and confirmed, signed in before that': signedIn(OWNER, 'phone', {
    ...VERIFIED,
    ...LINKED,
    auth_time: SIGNED_IN - 1,
  }),
  'with another address than the confirmed one': signedIn(OWNER, 'phone', { ...VERIFIED, ...LINKED }),
  'by the unverified address of a phone account': signedIn(OWNER, 'password', { ...UNVERIFIED, ...LINKED }),
  'by the address of a phone account, not confirmed': signedIn(OWNER, 'password', { ...VERIFIED, ...LINKED }),
  'without a profile': signedIn(OWNER, 'phone', LINKED),
  other: signedIn('other1', 'password', { email: 'other@example.org', email_verified: true }),
  nobody: null,
} satisfies Record<string, Auth>
export type Subject = keyof typeof SUBJECTS

export const EMPTY_SUBSCRIPTION: WireFields = {
  tier: NULL,
  status: NULL,
  transactionsLeft: NULL,
  startDate: NULL,
  lastReset: NULL,
  stripeSubscriptionId: NULL,
  cancelAt: NULL,
}
export const PROFILE: WireFields = {
  email: text(EMAIL),
  name: text('Awa Diallo'),
  phone: NULL,
  createdAt: at(NOW),
  subscription: mapOf(EMPTY_SUBSCRIPTION),
  madeWith: text('address'),
  verifiedAddress: NULL,
}
export const confirmed = (address: string): WireFields => ({
  ...PROFILE,
  email: text(address),
  verifiedAddress: text(address),
  sessionsSince: at(SIGNED_IN * 1000),
})
export const MADE_WITH_PHONE: WireFields = {
  ...PROFILE,
  email: NULL,
  phone: text(PHONE),
  madeWith: text('phone'),
}

/** The profile of each account. */
const PROFILES: Record<Exclude<Subject, 'nobody'>, WireFields | null> = {
  owner: confirmed(EMAIL),
  'owner by Google': confirmed(EMAIL),
  'owner by phone': MADE_WITH_PHONE,
  'owner by phone, whose address is not verified': MADE_WITH_PHONE,
  unverified: PROFILE,
  'unverified, by a linked phone': PROFILE,
  'unverified, by a linked Google account': PROFILE,
  'verified, not confirmed': PROFILE,
  'verified, not confirmed, by a linked phone': PROFILE,
  'verified, not confirmed, by Google': PROFILE,
  'verified and confirmed, signed in before that': confirmed(EMAIL),
  'with another address than the confirmed one': confirmed('before@example.org'),
  'by the unverified address of a phone account': MADE_WITH_PHONE,
  'by the address of a phone account, not confirmed': MADE_WITH_PHONE,
  'without a profile': null,
  other: confirmed('other@example.org'),
}

/** Whoever is none of these has the owner's address, and confirmed it. */
export const profileOf = (auth: Auth): WireFields | null => {
  const known = Object.entries(SUBJECTS).find(([, subject]) => subject === auth)?.[0]
  return known && known !== 'nobody' ? PROFILES[known as keyof typeof PROFILES] : confirmed(EMAIL)
}

export const CONTACT: WireFields = {
  userId: text(OWNER),
  name: text('Mariama'),
  phone: text('+224620000000'),
  createdAt: at(NOW),
}
export const FILE_ID = '1763640000000-0f8fad5b-d9cb-469f-a165-70867728950e'
export const EARLIER_ID = '1763630000000-7c9e6679-7425-40de-944b-e07fc1f90ae7'
export const documentAt = (uid: string, name: string, host = 'https://firebasestorage.googleapis.com') =>
  text(
    `${host}/v0/b/passerelle.firebasestorage.app/o/identity%2F${uid}%2F${name}?alt=media&token=0f8fad5b-d9cb`,
  )
export const submission = (name: string, count = 1, since = NOW): WireFields => ({
  name: text(name),
  count: whole(count),
  since: at(since),
})
export const FILE: WireFields = {
  userId: text(OWNER),
  fileName: text('passport.pdf'),
  fileType: text('application/pdf'),
  fileSize: whole(5 * 1024 * 1024),
  downloadUrl: documentAt(OWNER, FILE_ID),
  category: text('identity'),
  status: text('pending'),
  createdAt: at(NOW),
  fullName: text('Awa Diallo'),
  idType: text('passport'),
  idNumber: text('12AB34567'),
  issuedBy: text('République de Guinée'),
  expirationDate: text('2030-01-31'),
  dateOfBirth: text('1990-12-01'),
}

export type Operation = 'get' | 'get missing' | 'list own' | 'list all' | 'create' | 'update' | 'delete'
export const OPERATIONS: readonly Operation[] = [
  ...(['get', 'get missing', 'list own', 'list all', 'create', 'update', 'delete'] as const),
]

export interface Collection {
  /** The path of one document that belongs to the owner. */
  readonly path: string
  readonly fields: WireFields
  /** What a query by the owner pins. */
  readonly own: WireFields
  readonly change: WireFields
  /** Other documents that the rules may read. */
  readonly others?: Record<string, WireFields>
  /** Who may do what; whoever is not named may not. */
  readonly allowed: Partial<Record<Operation, readonly Subject[]>>
}

const PROVEN: readonly Subject[] = [
  'owner',
  'owner by Google',
  'owner by phone',
  'owner by phone, whose address is not verified',
]
const OWNERS = Object.keys(SUBJECTS).filter((name) => name !== 'other' && name !== 'nobody') as Subject[]
const byUserId: WireFields = { userId: text(OWNER) }
const serverOnly = (path: string): Collection => ({
  path,
  fields: { uid: text(OWNER), userId: text(OWNER), senderId: text(OWNER), payerId: text(OWNER) },
  own: { uid: text(OWNER), userId: text(OWNER), senderId: text(OWNER), payerId: text(OWNER) },
  change: { state: text('done') },
  allowed: {},
})

export const COLLECTIONS: Record<string, Collection> = {
  users: {
    path: `users/${OWNER}`,
    fields: PROFILE,
    own: { email: text(EMAIL) },
    change: { name: text('Awa') },
    allowed: {
      get: OWNERS,
      'get missing': OWNERS,
      // A token with a number has another identity than this profile: see the fields below.
      create: OWNERS.filter((name) => {
        const token: Record<string, unknown> = SUBJECTS[name]?.token ?? {}
        return token.email !== undefined && token.phone_number === undefined
      }),
      update: PROVEN,
    },
  },
  transactions: {
    path: 'transactions/pi_1',
    fields: { senderId: text(OWNER), amount: { doubleValue: 97 }, status: text('completed') },
    own: { senderId: text(OWNER) },
    change: { status: text('failed') },
    allowed: { get: PROVEN, 'list own': PROVEN },
  },
  ledgers: {
    path: `ledgers/${OWNER}_2026-11`,
    fields: { uid: text(OWNER), month: text('2026-11'), recordedCents: whole(10000) },
    own: { uid: text(OWNER) },
    change: { recordedCents: whole(0) },
    allowed: { get: PROVEN, 'get missing': PROVEN, 'list own': PROVEN },
  },
  invoicePayments: {
    path: 'invoicePayments/pi_1',
    fields: { payerId: text(OWNER), supplier: text('edg'), status: text('completed') },
    own: { payerId: text(OWNER) },
    change: { status: text('failed') },
    allowed: { get: PROVEN, 'list own': PROVEN },
  },
  contacts: {
    path: `contacts/${OWNER}_224620000000`,
    fields: CONTACT,
    own: byUserId,
    change: { name: text('Mariama B.') },
    allowed: { get: PROVEN, 'list own': PROVEN, create: PROVEN, update: PROVEN, delete: PROVEN },
  },
  files: {
    path: `files/${FILE_ID}`,
    fields: FILE,
    others: { [`submissions/${OWNER}`]: submission(FILE_ID), 'submissions/other1': submission(FILE_ID) },
    own: { ...byUserId, category: text('identity') },
    change: { status: text('approved') },
    allowed: { get: PROVEN, 'list own': PROVEN, create: PROVEN },
  },
  submissions: {
    path: `submissions/${OWNER}`,
    fields: submission(EARLIER_ID),
    own: { name: text(FILE_ID) },
    change: { name: text(FILE_ID), count: whole(2) },
    allowed: { get: PROVEN, 'get missing': PROVEN, create: PROVEN, update: PROVEN },
  },
  invoices: serverOnly('invoices/edg_EDG-1001'),
  invoiceClaims: serverOnly('invoiceClaims/edg_EDG-1001'),
  attempts: serverOnly('attempts/key'),
  refunds: serverOnly('refunds/pi_1'),
  deliveries: serverOnly('deliveries/pi_1'),
  deliveryBatches: serverOnly('deliveryBatches/b1'),
  pushSubscriptions: serverOnly('pushSubscriptions/x'),
  customers: serverOnly(`customers/${OWNER}`),
  settings: serverOnly('settings/payments'),
  unknownPayments: serverOnly('unknownPayments/pi_1'),
  deletions: serverOnly(`deletions/${OWNER}`),
  limits: serverOnly('limits/x'),
  capUses: serverOnly('capUses/x_2026-11'),
  restrictions: serverOnly(`restrictions/${OWNER}`),
  declines: serverOnly(`declines/${OWNER}`),
  'a collection that nobody named': serverOnly('nobody/x'),
  'something below a profile': serverOnly(`users/${OWNER}/secrets/x`),
  'something below a contact': serverOnly('contacts/c1/notes/x'),
}

export function requestFor(
  operation: Operation,
  { path, fields, own, change, others = {} }: Collection,
  auth: Auth,
): RulesRequest {
  const full = `${DOCUMENTS}/${path}`
  const id = full.slice(full.lastIndexOf('/') + 1)
  const parent = full.slice(0, full.lastIndexOf('/'))
  const profiles = auth && { [`users/${auth.uid}`]: profileOf(auth) }
  const read = (other: string) => ({ ...profiles, ...others })[other.slice(`${DOCUMENTS}/`.length)] ?? null
  const base = { auth, time: NOW, path: full, requestResource: null, read }
  const stored = { id, fields }
  const found = (pinned: WireFields) => ({ id: null, fields: pinned, partial: true })
  switch (operation) {
    case 'get':
      return { ...base, method: 'get', resource: stored }
    case 'get missing':
      return { ...base, method: 'get', resource: null }
    case 'list own':
      return { ...base, method: 'list', path: parent, resource: found(own) }
    case 'list all':
      return { ...base, method: 'list', path: parent, resource: found({}) }
    case 'create':
      return { ...base, method: 'create', resource: null, requestResource: stored }
    case 'update':
      return {
        ...base,
        method: 'update',
        resource: stored,
        requestResource: { id, fields: { ...fields, ...change } },
      }
    case 'delete':
      return { ...base, method: 'delete', resource: stored }
  }
}
export function withChanges(fields: WireFields, changes: Record<string, WireValue | null>): WireFields {
  const changed = Object.entries({ ...fields, ...changes })
  return Object.fromEntries(changed.filter((entry): entry is [string, WireValue] => entry[1] !== null))
}

export type Change = Record<string, WireValue | null>
export const LONG = 'x'.repeat(101)
