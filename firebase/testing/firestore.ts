import { readFileSync } from 'node:fs'
import type { WireFields, WireValue } from 'service-emulators/firestore'
import { compileRules, type RulesRequest } from 'service-emulators/rules'

export const rulesSource = readFileSync(new URL('../firestore.rules', import.meta.url), 'utf8')
export const rules = compileRules(rulesSource, 'cloud.firestore')

export const DOCUMENTS_PATH = '/databases/(default)/documents'
export const NOW = Date.UTC(2026, 10, 20, 12)
export const NULL_FIELD: WireValue = { nullValue: null }
export const toStringValue = (stringValue: string): WireValue => ({ stringValue })
export const toIntegerValue = (integerValue: number): WireValue => ({ integerValue: String(integerValue) })
export const toMapValue = (fields: WireFields): WireValue => ({ mapValue: { fields } })
export const toTimestamp = (ms: number): WireValue => ({ timestampValue: new Date(ms).toISOString() })

export const OWNER_UID = 'owner1'
export type RequestAuth = RulesRequest['auth']
const SIGNED_IN = NOW / 1000 - 60
export const buildAuth = (
  uid: string,
  provider: string,
  claims: Record<string, unknown> = {},
): RequestAuth => ({
  uid,
  token: { auth_time: SIGNED_IN, ...claims, firebase: { sign_in_provider: provider, identities: {} } },
})

export const EMAIL = 'awa@example.org'
export const PHONE = '+33612345678'
export const VERIFIED_CLAIMS = { email: EMAIL, email_verified: true }
const UNVERIFIED = { email: EMAIL, email_verified: false }
const LINKED = { phone_number: PHONE }
export const SUBJECTS = {
  owner: buildAuth(OWNER_UID, 'password', VERIFIED_CLAIMS),
  'owner by Google': buildAuth(OWNER_UID, 'google.com', VERIFIED_CLAIMS),
  'owner by phone': buildAuth(OWNER_UID, 'phone', LINKED),
  'owner by phone, whose address is not verified': buildAuth(OWNER_UID, 'phone', {
    ...UNVERIFIED,
    ...LINKED,
  }),
  unverified: buildAuth(OWNER_UID, 'password', UNVERIFIED),
  'unverified, by a linked phone': buildAuth(OWNER_UID, 'phone', { ...UNVERIFIED, ...LINKED }),
  'unverified, by a linked Google account': buildAuth(OWNER_UID, 'google.com', UNVERIFIED),
  'verified, not confirmed': buildAuth(OWNER_UID, 'password', VERIFIED_CLAIMS),
  'verified, not confirmed, by a linked phone': buildAuth(OWNER_UID, 'phone', {
    ...VERIFIED_CLAIMS,
    ...LINKED,
  }),
  'verified, not confirmed, by Google': buildAuth(OWNER_UID, 'google.com', VERIFIED_CLAIMS),
  'verified and confirmed, signed in before that': buildAuth(OWNER_UID, 'phone', {
    ...VERIFIED_CLAIMS,
    ...LINKED,
    auth_time: SIGNED_IN - 1,
  }),
  'with another address than the confirmed one': buildAuth(OWNER_UID, 'phone', {
    ...VERIFIED_CLAIMS,
    ...LINKED,
  }),
  'by the unverified address of a phone account': buildAuth(OWNER_UID, 'password', {
    ...UNVERIFIED,
    ...LINKED,
  }),
  'by the address of a phone account, not confirmed': buildAuth(OWNER_UID, 'password', {
    ...VERIFIED_CLAIMS,
    ...LINKED,
  }),
  'owner by a phone, unlinked since': buildAuth(OWNER_UID, 'phone'),
  'verified and confirmed, by a phone, unlinked since': buildAuth(OWNER_UID, 'phone', VERIFIED_CLAIMS),
  'without a profile': buildAuth(OWNER_UID, 'phone', LINKED),
  other: buildAuth('other1', 'password', { email: 'other@example.org', email_verified: true }),
  nobody: null,
} satisfies Record<string, RequestAuth>
export type Subject = keyof typeof SUBJECTS

export const EMPTY_SUBSCRIPTION: WireFields = {
  tier: NULL_FIELD,
  status: NULL_FIELD,
  transactionsLeft: NULL_FIELD,
  startDate: NULL_FIELD,
  lastReset: NULL_FIELD,
  stripeSubscriptionId: NULL_FIELD,
  cancelAt: NULL_FIELD,
}
export const NEW_PROFILE: WireFields = {
  email: toStringValue(EMAIL),
  name: toStringValue('Awa Diallo'),
  phone: NULL_FIELD,
  createdAt: toTimestamp(NOW),
  subscription: toMapValue(EMPTY_SUBSCRIPTION),
  madeWith: toStringValue('address'),
  verifiedAddress: NULL_FIELD,
}
export const buildConfirmedProfile = (address: string): WireFields => ({
  ...NEW_PROFILE,
  email: toStringValue(address),
  verifiedAddress: toStringValue(address),
  sessionsSince: toTimestamp(SIGNED_IN * 1000),
})
export const PHONE_PROFILE: WireFields = {
  ...NEW_PROFILE,
  email: NULL_FIELD,
  phone: toStringValue(PHONE),
  madeWith: toStringValue('phone'),
}

const PROFILES: Record<Exclude<Subject, 'nobody'>, WireFields | null> = {
  owner: buildConfirmedProfile(EMAIL),
  'owner by Google': buildConfirmedProfile(EMAIL),
  'owner by phone': PHONE_PROFILE,
  'owner by phone, whose address is not verified': PHONE_PROFILE,
  unverified: NEW_PROFILE,
  'unverified, by a linked phone': NEW_PROFILE,
  'unverified, by a linked Google account': NEW_PROFILE,
  'verified, not confirmed': NEW_PROFILE,
  'verified, not confirmed, by a linked phone': NEW_PROFILE,
  'verified, not confirmed, by Google': NEW_PROFILE,
  'verified and confirmed, signed in before that': buildConfirmedProfile(EMAIL),
  'with another address than the confirmed one': buildConfirmedProfile('before@example.org'),
  'by the unverified address of a phone account': PHONE_PROFILE,
  'by the address of a phone account, not confirmed': PHONE_PROFILE,
  'owner by a phone, unlinked since': PHONE_PROFILE,
  'verified and confirmed, by a phone, unlinked since': buildConfirmedProfile(EMAIL),
  'without a profile': null,
  other: buildConfirmedProfile('other@example.org'),
}

/** Subjects outside `SUBJECTS` get a profile with the owner's address, confirmed. */
export const buildProfile = (auth: RequestAuth): WireFields | null => {
  const known = Object.entries(SUBJECTS).find(([, subject]) => subject === auth)?.[0]
  return known && known !== 'nobody' ? PROFILES[known as keyof typeof PROFILES] : buildConfirmedProfile(EMAIL)
}

export const CONTACT: WireFields = {
  userId: toStringValue(OWNER_UID),
  name: toStringValue('Mariama'),
  phone: toStringValue('+224620000000'),
  createdAt: toTimestamp(NOW),
}
export const FILE_ID = '1763640000000-0f8fad5b-d9cb-469f-a165-70867728950e'
export const EARLIER_FILE_ID = '1763630000000-7c9e6679-7425-40de-944b-e07fc1f90ae7'
export const buildDocumentUrl = (
  uid: string,
  name: string,
  host = 'https://firebasestorage.googleapis.com',
) =>
  toStringValue(
    `${host}/v0/b/passerelle.firebasestorage.app/o/identity%2F${uid}%2F${name}?alt=media&token=0f8fad5b-d9cb`,
  )
export const buildSubmission = (name: string, count = 1, since = NOW): WireFields => ({
  name: toStringValue(name),
  count: toIntegerValue(count),
  since: toTimestamp(since),
})
export const IDENTITY_FILE: WireFields = {
  userId: toStringValue(OWNER_UID),
  fileName: toStringValue('passport.pdf'),
  fileType: toStringValue('application/pdf'),
  fileSize: toIntegerValue(5 * 1024 * 1024),
  downloadUrl: buildDocumentUrl(OWNER_UID, FILE_ID),
  category: toStringValue('identity'),
  status: toStringValue('pending'),
  createdAt: toTimestamp(NOW),
  fullName: toStringValue('Awa Diallo'),
  idType: toStringValue('passport'),
  idNumber: toStringValue('12AB34567'),
  issuedBy: toStringValue('République de Guinée'),
  expirationDate: toStringValue('2030-01-31'),
  dateOfBirth: toStringValue('1990-12-01'),
}

export type Operation = 'get' | 'get missing' | 'list own' | 'list all' | 'create' | 'update' | 'delete'
export const OPERATIONS: readonly Operation[] = [
  ...(['get', 'get missing', 'list own', 'list all', 'create', 'update', 'delete'] as const),
]

export interface Collection {
  readonly path: string
  readonly fields: WireFields
  /** The owner's query filters by these. */
  readonly own: WireFields
  readonly change: WireFields
  /** Other documents that the rules may read. */
  readonly others?: Record<string, WireFields>
  /** Allowed subjects by operation; all others must be refused. */
  readonly allowed: Partial<Record<Operation, readonly Subject[]>>
}

const PROVEN: readonly Subject[] = [
  'owner',
  'owner by Google',
  'owner by phone',
  'owner by phone, whose address is not verified',
]
const OWNERS = Object.keys(SUBJECTS).filter(
  (name) => name !== 'other' && name !== 'nobody' && !name.endsWith('unlinked since'),
) as Subject[]
const byUserId: WireFields = { userId: toStringValue(OWNER_UID) }
const serverOnly = (path: string): Collection => ({
  path,
  fields: {
    uid: toStringValue(OWNER_UID),
    userId: toStringValue(OWNER_UID),
    senderId: toStringValue(OWNER_UID),
    payerId: toStringValue(OWNER_UID),
  },
  own: {
    uid: toStringValue(OWNER_UID),
    userId: toStringValue(OWNER_UID),
    senderId: toStringValue(OWNER_UID),
    payerId: toStringValue(OWNER_UID),
  },
  change: { state: toStringValue('done') },
  allowed: {},
})

export const COLLECTIONS: Record<string, Collection> = {
  users: {
    path: `users/${OWNER_UID}`,
    fields: NEW_PROFILE,
    own: { email: toStringValue(EMAIL) },
    change: { name: toStringValue('Awa') },
    allowed: {
      get: OWNERS,
      'get missing': OWNERS,
      // This profile does not fit a token with a phone number; see the tests of the fields.
      create: OWNERS.filter((name) => {
        const token: Record<string, unknown> = SUBJECTS[name]?.token ?? {}
        return token.email !== undefined && token.phone_number === undefined
      }),
      update: PROVEN,
    },
  },
  transactions: {
    path: 'transactions/pi_1',
    fields: {
      senderId: toStringValue(OWNER_UID),
      amount: { doubleValue: 97 },
      status: toStringValue('completed'),
    },
    own: { senderId: toStringValue(OWNER_UID) },
    change: { status: toStringValue('failed') },
    allowed: { get: PROVEN, 'list own': PROVEN },
  },
  ledgers: {
    path: `ledgers/${OWNER_UID}_2026-11`,
    fields: {
      uid: toStringValue(OWNER_UID),
      month: toStringValue('2026-11'),
      recordedCents: toIntegerValue(10000),
    },
    own: { uid: toStringValue(OWNER_UID) },
    change: { recordedCents: toIntegerValue(0) },
    allowed: { get: PROVEN, 'get missing': PROVEN, 'list own': PROVEN },
  },
  invoicePayments: {
    path: 'invoicePayments/pi_1',
    fields: {
      payerId: toStringValue(OWNER_UID),
      supplier: toStringValue('edg'),
      status: toStringValue('completed'),
    },
    own: { payerId: toStringValue(OWNER_UID) },
    change: { status: toStringValue('failed') },
    allowed: { get: PROVEN, 'list own': PROVEN },
  },
  contacts: {
    path: `contacts/${OWNER_UID}_224620000000`,
    fields: CONTACT,
    own: byUserId,
    change: { name: toStringValue('Mariama B.') },
    allowed: { get: PROVEN, 'list own': PROVEN, create: PROVEN, update: PROVEN, delete: PROVEN },
  },
  files: {
    path: `files/${FILE_ID}`,
    fields: IDENTITY_FILE,
    others: {
      [`submissions/${OWNER_UID}`]: buildSubmission(FILE_ID),
      'submissions/other1': buildSubmission(FILE_ID),
    },
    own: { ...byUserId, category: toStringValue('identity') },
    change: { status: toStringValue('approved') },
    allowed: { get: PROVEN, 'list own': PROVEN, create: PROVEN },
  },
  submissions: {
    path: `submissions/${OWNER_UID}`,
    fields: buildSubmission(EARLIER_FILE_ID),
    own: { name: toStringValue(FILE_ID) },
    change: { name: toStringValue(FILE_ID), count: toIntegerValue(2) },
    allowed: { get: PROVEN, 'get missing': PROVEN, create: PROVEN, update: PROVEN },
  },
  invoices: serverOnly('invoices/edg_EDG-1001'),
  invoiceClaims: serverOnly('invoiceClaims/edg_EDG-1001'),
  supplierNotices: serverOnly('supplierNotices/pi_1'),
  attempts: serverOnly('attempts/key'),
  refunds: serverOnly('refunds/pi_1'),
  journal: serverOnly('journal/pi_1_received'),
  reversals: serverOnly('reversals/pi_1'),
  deliveries: serverOnly('deliveries/pi_1'),
  deliveryBatches: serverOnly('deliveryBatches/b1'),
  operatorActions: serverOnly('operatorActions/a1'),
  pushSubscriptions: serverOnly('pushSubscriptions/x'),
  customers: serverOnly(`customers/${OWNER_UID}`),
  settings: serverOnly('settings/payments'),
  unknownPayments: serverOnly('unknownPayments/pi_1'),
  deletions: serverOnly(`deletions/${OWNER_UID}`),
  limits: serverOnly('limits/x'),
  errorCounts: serverOnly('errorCounts/x'),
  capUses: serverOnly('capUses/x'),
  restrictions: serverOnly(`restrictions/${OWNER_UID}`),
  incidents: serverOnly(`incidents/${OWNER_UID}`),
  'a collection that nobody named': serverOnly('nobody/x'),
  'something below a profile': serverOnly(`users/${OWNER_UID}/secrets/x`),
  'something below a contact': serverOnly('contacts/c1/notes/x'),
}

export function buildRulesRequest(
  operation: Operation,
  { path, fields, own, change, others = {} }: Collection,
  auth: RequestAuth,
): RulesRequest {
  const full = `${DOCUMENTS_PATH}/${path}`
  const id = full.slice(full.lastIndexOf('/') + 1)
  const parent = full.slice(0, full.lastIndexOf('/'))
  const profiles = auth && { [`users/${auth.uid}`]: buildProfile(auth) }
  const read = (other: string) =>
    ({ ...profiles, ...others })[other.slice(`${DOCUMENTS_PATH}/`.length)] ?? null
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
export function applyChanges(fields: WireFields, changes: Record<string, WireValue | null>): WireFields {
  const changed = Object.entries({ ...fields, ...changes })
  return Object.fromEntries(changed.filter((entry): entry is [string, WireValue] => entry[1] !== null))
}

export type FieldChanges = Record<string, WireValue | null>
export const TOO_LONG_NAME = 'x'.repeat(101)
