import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { RulesRequest } from '../emulators/rules/request.ts'
import { compileRules } from '../emulators/rules/rules.ts'
import type { WireFields, WireValue } from '../emulators/wire.ts'

const source = readFileSync(new URL('firestore.rules', import.meta.url), 'utf8')
const rules = compileRules(source, 'cloud.firestore')

const DOCUMENTS = '/databases/(default)/documents'
const NOW = Date.UTC(2026, 10, 20, 12)
const NULL: WireValue = { nullValue: null }
const text = (stringValue: string): WireValue => ({ stringValue })
const whole = (integerValue: number): WireValue => ({ integerValue: String(integerValue) })
const mapOf = (fields: WireFields): WireValue => ({ mapValue: { fields } })
const at = (ms: number): WireValue => ({ timestampValue: new Date(ms).toISOString() })

const OWNER = 'owner1'
type Auth = RulesRequest['auth']
const SIGNED_IN = NOW / 1000 - 60
const signedIn = (uid: string, provider: string, claims: Record<string, unknown> = {}): Auth => ({
  uid,
  token: { auth_time: SIGNED_IN, ...claims, firebase: { sign_in_provider: provider, identities: {} } },
})

const EMAIL = 'awa@example.org'
const PHONE = '+33612345678'
const VERIFIED = { email: EMAIL, email_verified: true }
const UNVERIFIED = { email: EMAIL, email_verified: false }
const LINKED = { phone_number: PHONE }
const SUBJECTS = {
  owner: signedIn(OWNER, 'password', VERIFIED),
  'owner by Google': signedIn(OWNER, 'google.com', VERIFIED),
  'owner by phone': signedIn(OWNER, 'phone', LINKED),
  'owner by phone, whose address is not verified': signedIn(OWNER, 'phone', { ...UNVERIFIED, ...LINKED }),
  'owner by phone, from before': signedIn(OWNER, 'phone', LINKED),
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
  'with an address, from before': signedIn(OWNER, 'phone', { ...VERIFIED, ...LINKED }),
  'without a profile': signedIn(OWNER, 'phone', LINKED),
  other: signedIn('other1', 'password', { email: 'other@example.org', email_verified: true }),
  nobody: null,
} satisfies Record<string, Auth>
type Subject = keyof typeof SUBJECTS

const EMPTY_SUBSCRIPTION: WireFields = {
  tier: NULL,
  status: NULL,
  transactionsLeft: NULL,
  startDate: NULL,
  lastReset: NULL,
  stripeSubscriptionId: NULL,
  cancelAt: NULL,
}
const PROFILE: WireFields = {
  email: text(EMAIL),
  name: text('Awa Diallo'),
  phone: NULL,
  createdAt: at(NOW),
  subscription: mapOf(EMPTY_SUBSCRIPTION),
  madeWith: text('address'),
  verifiedAddress: NULL,
}
const confirmed = (address: string): WireFields => ({
  ...PROFILE,
  email: text(address),
  verifiedAddress: text(address),
  sessionsSince: at(SIGNED_IN * 1000),
})
const MADE_WITH_PHONE: WireFields = {
  ...PROFILE,
  email: NULL,
  phone: text(PHONE),
  madeWith: text('phone'),
}
const fromBefore = ({ madeWith: _, verifiedAddress: __, ...profile }: WireFields): WireFields => profile

/** The profile of each account. */
const PROFILES: Record<Exclude<Subject, 'nobody'>, WireFields | null> = {
  owner: confirmed(EMAIL),
  'owner by Google': confirmed(EMAIL),
  'owner by phone': MADE_WITH_PHONE,
  'owner by phone, whose address is not verified': MADE_WITH_PHONE,
  'owner by phone, from before': fromBefore(MADE_WITH_PHONE),
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
  'with an address, from before': fromBefore({ ...PROFILE, phone: text(PHONE) }),
  'without a profile': null,
  other: confirmed('other@example.org'),
}

/** Whoever is none of these has the owner's address, and confirmed it. */
const profileOf = (auth: Auth): WireFields | null => {
  const known = Object.entries(SUBJECTS).find(([, subject]) => subject === auth)?.[0]
  return known && known !== 'nobody' ? PROFILES[known as keyof typeof PROFILES] : confirmed(EMAIL)
}

const CONTACT: WireFields = {
  userId: text(OWNER),
  name: text('Mariama'),
  phone: text('+224620000000'),
  createdAt: at(NOW),
}
const FILE_ID = '1763640000000-0f8fad5b-d9cb-469f-a165-70867728950e'
const EARLIER_ID = '1763630000000-7c9e6679-7425-40de-944b-e07fc1f90ae7'
const documentAt = (uid: string, name: string, host = 'https://firebasestorage.googleapis.com') =>
  text(
    `${host}/v0/b/passerelle.firebasestorage.app/o/identity%2F${uid}%2F${name}?alt=media&token=0f8fad5b-d9cb`,
  )
const submission = (name: string, count = 1, since = NOW): WireFields => ({
  name: text(name),
  count: whole(count),
  since: at(since),
})
const FILE: WireFields = {
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

type Operation = 'get' | 'get missing' | 'list own' | 'list all' | 'create' | 'update' | 'delete'
const OPERATIONS: readonly Operation[] = [
  ...(['get', 'get missing', 'list own', 'list all', 'create', 'update', 'delete'] as const),
]

interface Collection {
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
  'owner by phone, from before',
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

const COLLECTIONS: Record<string, Collection> = {
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

function requestFor(
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

const cases = Object.entries(COLLECTIONS).flatMap(([name, collection]) =>
  OPERATIONS.flatMap((operation) =>
    (Object.keys(SUBJECTS) as Subject[]).map((subject) => ({
      name,
      operation,
      subject,
      collection,
      expected: collection.allowed[operation]?.includes(subject) ?? false,
    })),
  ),
)

describe('who may do what', () => {
  it.each(cases)('$name, $operation, $subject: $expected', ({ operation, subject, collection, expected }) => {
    expect(rules.allows(requestFor(operation, collection, SUBJECTS[subject]))).toBe(expected)
  })

  it('covers each collection that the rules name', () => {
    const named = [...source.matchAll(/^ {4}match \/(\w+)\//gm)].map(([, name]) => name)
    expect(named.length).toBe(source.match(/^ *match \/(?!databases)/gm)?.length)
    expect(named.filter((name) => !(name && name in COLLECTIONS))).toEqual([])
  })

  it('lets browsers write nothing but profiles, contacts and what an identity needs', () => {
    const written = Object.entries(COLLECTIONS).filter(([, { allowed }]) =>
      (['create', 'update', 'delete'] as const).some((operation) => allowed[operation]?.length),
    )
    expect(written.map(([name]) => name)).toEqual(['users', 'contacts', 'files', 'submissions'])
  })
})

describe('an identity', () => {
  const readsTransaction = (auth: Auth) =>
    rules.allows(requestFor('get', COLLECTIONS.transactions as Collection, auth))

  it.each<[string, Auth, boolean]>([
    ['without any claim', { uid: OWNER, token: {} }, false],
    ['without a time of sign-in', { uid: OWNER, token: VERIFIED }, false],
    [
      'with a claim that only looks true',
      signedIn(OWNER, 'password', { ...VERIFIED, email_verified: 'true' }),
      false,
    ],
    ['with a password and no claim', signedIn(OWNER, 'password', { email: EMAIL }), false],
    ['with another address', signedIn(OWNER, 'password', { ...VERIFIED, email: 'b@example.org' }), false],
    ['without an address', signedIn(OWNER, 'password', { email_verified: true }), false],
    ['whose id only begins alike', signedIn(`${OWNER}x`, 'password', VERIFIED), false],
  ])('%s', (_name, auth, expected) => {
    expect(readsTransaction(auth)).toBe(expected)
  })

  it('does not read the ledger of an id that begins alike', () => {
    const ledgers = COLLECTIONS.ledgers as Collection
    const reads = (uid: string) =>
      rules.allows(requestFor('get', ledgers, signedIn(uid, 'password', VERIFIED)))
    expect([OWNER, 'owner', `${OWNER}_2026-11`, `${OWNER}_`].map(reads)).toEqual([true, false, false, false])
  })
})

/** A document with some fields changed; null takes a field away. */
function withChanges(fields: WireFields, changes: Record<string, WireValue | null>): WireFields {
  const changed = Object.entries({ ...fields, ...changes })
  return Object.fromEntries(changed.filter((entry): entry is [string, WireValue] => entry[1] !== null))
}

type Change = Record<string, WireValue | null>
const LONG = 'x'.repeat(101)

describe('a new profile', () => {
  const subscription = (changes: Change): Change => ({
    subscription: mapOf(withChanges(EMPTY_SUBSCRIPTION, changes)),
  })
  const creates = (changes: Change, auth: Auth) =>
    rules.allows(
      requestFor(
        'create',
        { ...(COLLECTIONS.users as Collection), fields: withChanges(PROFILE, changes) },
        auth,
      ),
    )

  it.each<[string, Change, boolean]>([
    ['as it should be', {}, true],

    ['email: missing', { email: null }, false],
    ['email: null although the account has one', { email: NULL }, false],
    ["email: somebody else's", { email: text('other@example.org') }, false],
    ['email: in capitals', { email: text(EMAIL.toUpperCase()) }, false],
    ['email: a number', { email: whole(1) }, false],

    ['name: missing', { name: null }, false],
    ['name: null', { name: NULL }, false],
    ['name: empty', { name: text('') }, false],
    ['name: blank', { name: text('   ') }, false],
    ['name: one character', { name: text('A') }, true],
    ['name: 100 characters', { name: text('x'.repeat(100)) }, true],
    ['name: 101 characters', { name: text(LONG) }, false],
    ['name: accents and another script', { name: text('Zoë N’Diaye-الأمين') }, true],
    ['name: a line break', { name: text('Awa\nDiallo') }, false],
    ['name: a control character', { name: text('Awa\u0000') }, false],
    ['name: text turned to the left', { name: text('Awa \u202eolaiD') }, false],
    ['name: an isolate', { name: text('\u2066Awa') }, false],
    ['name: a direction mark', { name: text('Awa\u200f') }, false],
    ['name: a number', { name: whole(1) }, false],
    ['name: a list', { name: { arrayValue: { values: [text('A')] } } }, false],

    ['phone: missing', { phone: null }, false],
    ['phone: 8 digits', { phone: text('+33123456') }, true],
    ['phone: 15 digits', { phone: text('+331234567890123') }, true],
    ['phone: 7 digits', { phone: text('+3312345') }, false],
    ['phone: 16 digits', { phone: text('+3312345678901234') }, false],
    ['phone: no plus sign', { phone: text('33123456789') }, false],
    ['phone: a leading zero', { phone: text('+0123456789') }, false],
    ['phone: spaces', { phone: text('+33 1 23 45 67 89') }, false],
    ['phone: a line break', { phone: text('+33123456789\n') }, false],
    ['phone: empty', { phone: text('') }, false],
    ['phone: a number', { phone: whole(33123456789) }, false],

    ['createdAt: missing', { createdAt: null }, false],
    ['createdAt: null', { createdAt: NULL }, false],
    ["createdAt: the device's clock", { createdAt: at(NOW - 1) }, false],
    ['createdAt: the future', { createdAt: at(NOW + 1) }, false],
    ['createdAt: text', { createdAt: text(new Date(NOW).toISOString()) }, false],

    ['subscription: missing', { subscription: null }, false],
    ['subscription: null', { subscription: NULL }, false],
    ['subscription: empty map', { subscription: mapOf({}) }, false],
    ['subscription: tier premium', subscription({ tier: text('premium') }), false],
    ['subscription: status active', subscription({ status: text('active') }), false],
    ['subscription: transactionsLeft 5', subscription({ transactionsLeft: whole(5) }), false],
    ['subscription: transactionsLeft 0', subscription({ transactionsLeft: whole(0) }), false],
    ['subscription: startDate', subscription({ startDate: at(NOW) }), false],
    ['subscription: lastReset', subscription({ lastReset: at(NOW) }), false],
    ['subscription: stripeSubscriptionId', subscription({ stripeSubscriptionId: text('sub_1') }), false],
    ['subscription: cancelAt', subscription({ cancelAt: at(NOW) }), false],
    ['subscription: an extra field', subscription({ trial: { booleanValue: true } }), false],
    ...Object.keys(EMPTY_SUBSCRIPTION).map((field): [string, Change, boolean] => [
      `subscription: without ${field}`,
      subscription({ [field]: null }),
      false,
    ]),

    ['madeWith: missing', { madeWith: null }, false],
    ['madeWith: phone although the account has an address', { madeWith: text('phone') }, false],
    ['madeWith: something else', { madeWith: text('google') }, false],
    ['verifiedAddress: missing', { verifiedAddress: null }, false],
    ["verifiedAddress: somebody else's", { verifiedAddress: text('other@example.org') }, false],
    ['sessionsSince: set', { sessionsSince: at(0) }, false],

    ['an extra field', { role: text('admin') }, false],
  ])('%s', (_name, changes, expected) => {
    const subjects: readonly Subject[] = ['owner', 'unverified', 'owner by Google']
    expect(subjects.map((subject) => creates(changes, SUBJECTS[subject]))).toEqual(
      subjects.map(() => expected),
    )
    expect(creates(changes, SUBJECTS.other)).toBe(false)
    expect(creates(changes, SUBJECTS.nobody)).toBe(false)
  })

  const BY_PHONE = { email: NULL, phone: text(PHONE), madeWith: text('phone') }
  it.each<[string, Change, boolean]>([
    ['with the proven number', BY_PHONE, true],
    ['with another number', { ...BY_PHONE, phone: text('+33699999999') }, false],
    ['without a number', { ...BY_PHONE, phone: NULL }, false],
    ['with an address that nothing proves', { ...BY_PHONE, email: text(EMAIL) }, false],
    ['as if it had been made with an address', { ...BY_PHONE, madeWith: text('address') }, false],
    ['with a confirmed address', { ...BY_PHONE, verifiedAddress: text(EMAIL) }, false],
  ])('by phone, %s', (_name, changes, expected) => {
    expect(creates(changes, SUBJECTS['owner by phone'])).toBe(expected)
  })

  it('of an account with an address is made with the address, by whatever way', () => {
    const linked = SUBJECTS['unverified, by a linked phone']
    expect(creates({ phone: text(PHONE) }, linked)).toBe(true)
    expect(creates({ phone: text(PHONE), madeWith: text('phone') }, linked)).toBe(false)
  })

  it.each<[string, Auth, boolean]>([
    ['by Google alone', SUBJECTS['owner by Google'], true],
    ['by a password', SUBJECTS.owner, false],
    ['by Google, unverified', SUBJECTS['unverified, by a linked Google account'], false],
    ['by Google, with a number linked', signedIn(OWNER, 'google.com', { ...VERIFIED, ...LINKED }), false],
    ['by a linked phone', SUBJECTS['verified, not confirmed, by a linked phone'], false],
  ])('names the address as confirmed %s: %s', (_name, auth, expected) => {
    const phone = auth?.token.phone_number === undefined ? NULL : text(PHONE)
    expect(creates({ phone, verifiedAddress: text(EMAIL) }, auth)).toBe(expected)
  })
})

it('a profile is not begun in the middle of a deletion', () => {
  const create = requestFor('create', COLLECTIONS.users as Collection, SUBJECTS.owner)
  const during = (uid: string) =>
    rules.allows({ ...create, read: (path) => (path === `${DOCUMENTS}/deletions/${uid}` ? {} : null) })
  expect([OWNER, 'other1'].map(during)).toEqual([false, true])
})

it.each([
  ['an operator has stopped', ['operator'], false],
  ['an operator has stopped, and a dispute', ['du_1', 'operator'], false],
  ['only a dispute pauses', ['du_1'], true],
  ['nothing pauses any more', [], true],
])('a profile is made again by whom %s: %j %s', (_, open, expected) => {
  const create = requestFor('create', COLLECTIONS.users as Collection, SUBJECTS.owner)
  const restriction = { open: { arrayValue: { values: open.map(text) } } }
  const read = (path: string) => (path === `${DOCUMENTS}/restrictions/${OWNER}` ? restriction : null)
  expect(rules.allows({ ...create, read })).toBe(expected)
})

describe('a change of a profile', () => {
  const NEW_EMAIL = 'awa.diallo@example.org'
  const updates = (change: Change, auth: Auth, stored = profileOf(auth) ?? PROFILE) =>
    rules.allows({
      ...requestFor('update', { ...(COLLECTIONS.users as Collection), fields: stored }, auth),
      read: (path) => (path === `${DOCUMENTS}/users/${OWNER}` ? stored : null),
      requestResource: { id: OWNER, fields: withChanges(stored, change) },
    })

  it.each<[string, Change, boolean]>([
    ['nothing', {}, true],
    ['name', { name: text('Awa') }, true],
    ['name: taken away', { name: null }, false],
    ['name: null', { name: NULL }, false],
    ['name: blank', { name: text(' ') }, false],
    ['name: too long', { name: text(LONG) }, false],
    ['name: text turned to the left', { name: text('Awa \u202eolaiD') }, false],
    ['phone', { phone: text('+224620000000') }, true],
    ['phone: taken away', { phone: null }, false],
    ['phone: no E.164', { phone: text('0620000000') }, false],
    ['email: not that of the account', { email: text(NEW_EMAIL) }, false],
    ['email: null', { email: NULL }, false],
    ['email: taken away', { email: null }, false],
    ['name, phone', { name: text('Awa'), phone: text('+224620000000') }, true],
    ['createdAt', { createdAt: at(NOW + 1) }, false],
    ['createdAt: taken away', { createdAt: null }, false],
    ['subscription', { subscription: mapOf({ ...EMPTY_SUBSCRIPTION, tier: text('premium') }) }, false],
    ['subscription: taken away', { subscription: null }, false],
    ['madeWith', { madeWith: text('phone') }, false],
    ['verifiedAddress', { verifiedAddress: text('other@example.org') }, false],
    ['sessionsSince', { sessionsSince: at(0) }, false],
    ['name together with subscription', { name: text('Awa'), subscription: NULL }, false],
    ['an extra field', { role: text('admin') }, false],
  ])('%s', (_name, change, expected) => {
    expect(updates(change, SUBJECTS.owner)).toBe(expected)
    for (const subject of ['unverified', 'other', 'nobody'] as const) {
      expect(updates(change, SUBJECTS[subject])).toBe(false)
    }
  })

  it('takes over the address that the account has now', () => {
    const moved = signedIn(OWNER, 'password', { email: NEW_EMAIL, email_verified: true })
    const stored = { ...PROFILE, verifiedAddress: text(NEW_EMAIL) }
    expect(updates({ email: text(NEW_EMAIL) }, moved, stored)).toBe(true)
    expect(updates({ name: text('Awa') }, moved, stored)).toBe(true)
    expect(updates({ email: text('third@example.org') }, moved, stored)).toBe(false)
  })

  it('lets a phone user without an address edit the rest', () => {
    const stored = MADE_WITH_PHONE
    const phoneUser = SUBJECTS['owner by phone']
    expect(updates({ name: text('Awa') }, phoneUser, stored)).toBe(true)
    expect(updates({ email: text(EMAIL) }, phoneUser, stored)).toBe(false)
  })

  it('keeps a plan that is there', () => {
    const stored = withChanges(confirmed(EMAIL), {
      subscription: mapOf({ ...EMPTY_SUBSCRIPTION, tier: text('premium'), transactionsLeft: whole(1) }),
    })
    expect(updates({ name: text('Awa') }, SUBJECTS.owner, stored)).toBe(true)
    expect(updates({ subscription: mapOf(EMPTY_SUBSCRIPTION) }, SUBJECTS.owner, stored)).toBe(false)
  })
})

describe('a contact', () => {
  const contacts = COLLECTIONS.contacts as Collection
  const shared: readonly [string, Change, boolean][] = [
    ['name: missing', { name: null }, false],
    ['name: blank', { name: text(' ') }, false],
    ['name: 101 characters', { name: text(LONG) }, false],
    ['name: text turned to the left', { name: text('Awa \u202eolaiD') }, false],
    ['phone: missing', { phone: null }, false],
    ['phone: null', { phone: NULL }, false],
    ['phone: not E.164', { phone: text('620000000') }, false],
    ['phone: another one than the id has', { phone: text('+15145550100') }, false],
    ["userId: somebody else's", { userId: text('other1') }, false],
    ['userId: missing', { userId: null }, false],
    ['createdAt: another time', { createdAt: at(NOW - 1) }, false],
    ['createdAt: missing', { createdAt: null }, false],
    ['an extra field', { favourite: { booleanValue: true } }, false],
  ]

  it.each(shared)('new, %s', (_name, changes, expected) => {
    const request = requestFor(
      'create',
      { ...contacts, fields: withChanges(CONTACT, changes) },
      SUBJECTS.owner,
    )
    expect(rules.allows(request)).toBe(expected)
  })

  it.each(shared)('changed, %s', (_name, changes, expected) => {
    const request = requestFor('update', contacts, SUBJECTS.owner)
    const requestResource = { id: `${OWNER}_224620000000`, fields: withChanges(CONTACT, changes) }
    expect(rules.allows({ ...request, requestResource })).toBe(expected)
  })

  it.each<[string, string, boolean]>([
    ["the owner's", `${OWNER}_224620000000`, true],
    ["somebody else's", 'other1_224620000000', false],
    ['of another number', `${OWNER}_224620000001`, false],
    ['chosen', 'c1', false],
    ['with something before', `x${OWNER}_224620000000`, false],
    ['with something behind', `${OWNER}_224620000000_`, false],
  ])('has an id that is %s: %s, %s', (_name, id, expected) => {
    const request = requestFor('create', { ...contacts, path: `contacts/${id}` }, SUBJECTS.owner)
    expect(rules.allows(request)).toBe(expected)
  })

  it('of an earlier id is renamed and deleted', () => {
    const earlier = { ...contacts, path: 'contacts/c1' }
    for (const operation of ['update', 'delete'] as const)
      expect(rules.allows(requestFor(operation, earlier, SUBJECTS.owner))).toBe(true)
  })

  it('keeps its first date when it is changed later', () => {
    const request = requestFor('update', contacts, SUBJECTS.owner)
    expect(rules.allows({ ...request, time: NOW + 86_400_000 })).toBe(true)
  })

  it("of somebody else can't be taken over", () => {
    const request = requestFor('update', contacts, SUBJECTS.other)
    const requestResource = {
      id: `${OWNER}_224620000000`,
      fields: withChanges(CONTACT, { userId: text('other1') }),
    }
    expect(rules.allows({ ...request, requestResource })).toBe(false)
  })
})

describe('a new identity file', () => {
  const creates = (changes: Change) =>
    rules.allows(
      requestFor(
        'create',
        { ...(COLLECTIONS.files as Collection), fields: withChanges(FILE, changes) },
        SUBJECTS.owner,
      ),
    )

  it.each<[string, Change, boolean]>([
    ...Object.keys(FILE).flatMap((field): [string, Change, boolean][] => [
      [`${field}: missing`, { [field]: null }, false],
      [`${field}: null`, { [field]: NULL }, false],
      [`${field}: a map`, { [field]: mapOf({}) }, false],
      [`${field}: blank`, { [field]: text(' ') }, false],
    ]),
    ["userId: somebody else's", { userId: text('other1') }, false],
    ['fileType: png', { fileType: text('image/png') }, true],
    ['fileType: jpeg', { fileType: text('image/jpeg') }, true],
    ['fileType: html', { fileType: text('text/html') }, false],
    ['fileSize: one byte', { fileSize: whole(1) }, true],
    ['fileSize: nothing', { fileSize: whole(0) }, false],
    ['fileSize: one byte over 5 MB', { fileSize: whole(5 * 1024 * 1024 + 1) }, false],
    ['fileSize: a fraction', { fileSize: { doubleValue: 1.5 } }, false],
    ['category: another', { category: text('invoice') }, false],
    ['status: approved', { status: text('approved') }, false],
    ['status: rejected', { status: text('rejected') }, false],
    ['createdAt: another time', { createdAt: at(NOW - 1) }, false],
    ['idType: national_id', { idType: text('national_id') }, true],
    ['idType: drivers_license', { idType: text('drivers_license') }, true],
    ['idType: another', { idType: text('library_card') }, false],
    ['expirationDate: no month 13', { expirationDate: text('2030-13-01') }, false],
    ['dateOfBirth: another form', { dateOfBirth: text('01/12/1990') }, false],
    ['an extra field', { approvedAt: at(NOW) }, false],
    [
      'downloadUrl: of an emulator here',
      { downloadUrl: documentAt(OWNER, FILE_ID, 'http://localhost:5173') },
      true,
    ],
    [
      'downloadUrl: of one beside',
      { downloadUrl: documentAt(OWNER, FILE_ID, 'http://192.168.1.20:9199') },
      true,
    ],
    ['downloadUrl: another host', { downloadUrl: documentAt(OWNER, FILE_ID, 'https://example.org') }, false],
    [
      'downloadUrl: a host that begins alike',
      { downloadUrl: documentAt(OWNER, FILE_ID, 'http://localhost.example.org') },
      false,
    ],
    [
      'downloadUrl: a host before another',
      { downloadUrl: documentAt(OWNER, FILE_ID, 'http://localhost@example.org') },
      false,
    ],
    ['downloadUrl: an open network', { downloadUrl: documentAt(OWNER, FILE_ID, 'http://172.32.0.1') }, false],
    ["downloadUrl: somebody else's", { downloadUrl: documentAt('other1', FILE_ID) }, false],
    ['downloadUrl: of no submission', { downloadUrl: documentAt(OWNER, EARLIER_ID) }, false],
    [
      'downloadUrl: without a token',
      { downloadUrl: text('https://firebasestorage.googleapis.com/v0/b/x/o/y') },
      false,
    ],
  ])('%s', (_name, changes, expected) => {
    expect(creates(changes)).toBe(expected)
  })

  it('takes the name of the submission that was opened last', () => {
    const files = COLLECTIONS.files as Collection
    const creates = (others: Record<string, WireFields>) =>
      rules.allows(requestFor('create', { ...files, others }, SUBJECTS.owner))
    expect(creates({})).toBe(false)
    expect(creates({ [`submissions/${OWNER}`]: submission(EARLIER_ID) })).toBe(false)
    expect(creates({ 'submissions/other1': submission(FILE_ID) })).toBe(false)
  })

  it.each<[string, Change, boolean]>([
    ['whose details alone were rejected', {}, true],
    ['whose document was rejected', { rejectedItem: text('document') }, false],
    ['that is pending', { status: text('pending') }, false],
    ['that is approved', { status: text('approved') }, false],
    ['of somebody else', { userId: text('other1') }, false],
    ['of another address', { downloadUrl: documentAt(OWNER, FILE_ID) }, false],
    ['of another size', { fileSize: whole(1) }, false],
    ['of another type', { fileType: text('image/png') }, false],
    ['of another name', { fileName: text('other.pdf') }, false],
  ])('keeps the document of an earlier one %s: %o', (_name, changes, expected) => {
    const downloadUrl = documentAt(OWNER, EARLIER_ID)
    const earlier = {
      ...FILE,
      downloadUrl,
      status: text('rejected'),
      rejectedItem: text('details'),
      rejectionReason: text('The number is not that of the document.'),
    }
    const others = {
      [`submissions/${OWNER}`]: submission(FILE_ID),
      [`files/${EARLIER_ID}`]: withChanges(earlier, changes),
    }
    const files = COLLECTIONS.files as Collection
    const request = requestFor(
      'create',
      { ...files, fields: { ...FILE, downloadUrl }, others },
      SUBJECTS.owner,
    )
    expect(rules.allows(request)).toBe(expected)
  })
})

describe('a submission', () => {
  const submissions = COLLECTIONS.submissions as Collection
  const DAY = 86_400_000

  it.each<[string, Change, boolean]>([
    ['as it should be', {}, true],
    ['name: typed', { name: text('passport.pdf') }, false],
    ['name: of another folder', { name: text(`../${FILE_ID}`) }, false],
    ['name: missing', { name: null }, false],
    ['count: none yet', { count: whole(0) }, false],
    ['count: two', { count: whole(2) }, false],
    ['since: another time', { since: at(NOW - 1) }, false],
    ['an extra field', { limit: whole(100) }, false],
  ])('first, %s', (_name, changes, expected) => {
    const fields = withChanges(submission(FILE_ID), changes)
    expect(rules.allows(requestFor('create', { ...submissions, fields }, SUBJECTS.owner))).toBe(expected)
  })

  it.each<[string, WireFields, WireFields, boolean]>([
    ['the next one', submission(EARLIER_ID, 1, NOW - 5), submission(FILE_ID, 2, NOW - 5), true],
    ['the tenth', submission(EARLIER_ID, 9, NOW - 5), submission(FILE_ID, 10, NOW - 5), true],
    ['the eleventh', submission(EARLIER_ID, 10, NOW - 5), submission(FILE_ID, 11, NOW - 5), false],
    ['the same name', submission(FILE_ID, 1, NOW - 5), submission(FILE_ID, 2, NOW - 5), false],
    ['no count', submission(EARLIER_ID, 3, NOW - 5), submission(FILE_ID, 3, NOW - 5), false],
    ['another beginning', submission(EARLIER_ID, 3, NOW - 5), submission(FILE_ID, 4, NOW), false],
    ['anew too early', submission(EARLIER_ID, 10, NOW - DAY + 1), submission(FILE_ID, 1, NOW), false],
    ['anew after a day', submission(EARLIER_ID, 10, NOW - DAY), submission(FILE_ID, 1, NOW), true],
  ])('changed: %s', (_name, before, after, expected) => {
    const request = requestFor('update', { ...submissions, fields: before }, SUBJECTS.owner)
    const changed = { ...request, requestResource: { id: OWNER, fields: after } }
    expect(rules.allows(changed)).toBe(expected)
  })
})
