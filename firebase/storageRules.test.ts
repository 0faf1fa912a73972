import { readFileSync } from 'node:fs'
import type { WireFields, WireValue } from 'service-emulators/firestore'
import { compileRules, type RulesRequest } from 'service-emulators/rules'
import { describe, expect, it } from 'vitest'

const rules = compileRules(
  readFileSync(new URL('storage.rules', import.meta.url), 'utf8'),
  'firebase.storage',
)

const OWNER = 'owner1'
const NAME = '1763640000000-0f8fad5b-d9cb-469f-a165-70867728950e'
const MB = 1024 * 1024
const text = (stringValue: string): WireValue => ({ stringValue })
const whole = (integerValue: number): WireValue => ({ integerValue: String(integerValue) })

type Auth = RulesRequest['auth']
const EMAIL = 'awa@example.org'
const SIGNED_IN = 1_763_640_000
const signedIn = (uid: string, provider: string, claims: Record<string, unknown> = {}): Auth => ({
  uid,
  token: { auth_time: SIGNED_IN, ...claims, firebase: { sign_in_provider: provider } },
})
const VERIFIED = { email: EMAIL, email_verified: true }
const UNVERIFIED = { email: EMAIL, email_verified: false }
const SUBJECTS = {
  owner: signedIn(OWNER, 'password', VERIFIED),
  'owner by Google': signedIn(OWNER, 'google.com', VERIFIED),
  'owner by phone': signedIn(OWNER, 'phone'),
  'owner by phone, whose address is not verified': signedIn(OWNER, 'phone', UNVERIFIED),
  unverified: signedIn(OWNER, 'password', UNVERIFIED),
  'unverified, by a linked phone': signedIn(OWNER, 'phone', UNVERIFIED),
  'verified, not confirmed': signedIn(OWNER, 'password', VERIFIED),
  'verified, not confirmed, by a linked phone': signedIn(OWNER, 'phone', VERIFIED),
  'confirmed, signed in before that': signedIn(OWNER, 'phone', { ...VERIFIED, auth_time: SIGNED_IN - 1 }),
  'by the address of a phone account, not confirmed': signedIn(OWNER, 'password', VERIFIED),
  'without a profile': signedIn(OWNER, 'phone'),
  other: signedIn('other1', 'password', VERIFIED),
  nobody: null,
} satisfies Record<string, Auth>
type Subject = keyof typeof SUBJECTS
const PROVEN: readonly Subject[] = [
  'owner',
  'owner by Google',
  'owner by phone',
  'owner by phone, whose address is not verified',
]

const NULL: WireValue = { nullValue: null }
const CONFIRMED: WireFields = {
  email: text(EMAIL),
  madeWith: text('address'),
  verifiedAddress: text(EMAIL),
  sessionsSince: { timestampValue: new Date(SIGNED_IN * 1000).toISOString() },
}
const UNCONFIRMED: WireFields = { email: text(EMAIL), madeWith: text('address'), verifiedAddress: NULL }
const MADE_WITH_PHONE: WireFields = { email: NULL, madeWith: text('phone'), verifiedAddress: NULL }
/** The profile of each account. */
const PROFILES: Record<Exclude<Subject, 'nobody'>, WireFields | null> = {
  owner: CONFIRMED,
  'owner by Google': CONFIRMED,
  'owner by phone': MADE_WITH_PHONE,
  'owner by phone, whose address is not verified': MADE_WITH_PHONE,
  unverified: UNCONFIRMED,
  'unverified, by a linked phone': UNCONFIRMED,
  'verified, not confirmed': UNCONFIRMED,
  'verified, not confirmed, by a linked phone': UNCONFIRMED,
  'confirmed, signed in before that': CONFIRMED,
  'by the address of a phone account, not confirmed': MADE_WITH_PHONE,
  'without a profile': null,
  other: CONFIRMED,
}

const object = (changes: WireFields = {}): WireFields => ({
  name: text(`identity/${OWNER}/${NAME}`),
  size: whole(2 * MB),
  contentType: text('application/pdf'),
  ...changes,
})
const DOCUMENTS = '/databases/(default)/documents'
const OPENED = { [`submissions/${OWNER}`]: { name: text(NAME) }, 'submissions/other1': { name: text(NAME) } }

interface Asked {
  readonly method: RulesRequest['method']
  readonly auth?: Auth
  readonly path?: string
  readonly stored?: WireFields | null
  readonly next?: WireFields | null
  /** What is in the database, beside the profile. */
  readonly documents?: Record<string, WireFields>
  readonly profile?: WireFields | null
}

function allows(asked: Asked): boolean {
  const { method, auth = SUBJECTS.owner, path, stored, next, documents = OPENED, profile = CONFIRMED } = asked
  const resource = (fields: WireFields | null) => fields && { id: NAME, fields }
  return rules.allows({
    method,
    path: path ?? `/b/bucket/o/identity/${OWNER}/${NAME}`,
    auth,
    time: Date.UTC(2026, 10, 20, 12),
    resource: resource(stored ?? null),
    requestResource: resource(next ?? null),
    read: (document) => {
      const held: Record<string, WireFields | null> = { ...documents, [`users/${auth?.uid}`]: profile }
      return held[document.slice(`${DOCUMENTS}/`.length)] ?? null
    },
  })
}

const OPERATIONS: Record<string, Asked & { readonly allowed: readonly Subject[] }> = {
  'look at a document': { method: 'get', stored: object(), allowed: PROVEN },
  'look for one that is missing': { method: 'get', allowed: PROVEN },
  'list all': { method: 'list', path: `/b/bucket/o/identity/${OWNER}`, allowed: [] },
  'store a document': { method: 'create', next: object(), allowed: PROVEN },
  'write over one, told as a new one': { method: 'create', stored: object(), next: object(), allowed: [] },
  'write over one': { method: 'update', stored: object(), next: object(), allowed: [] },
  'take one back': { method: 'delete', stored: object(), allowed: PROVEN },
  'delete one that is recorded': {
    method: 'delete',
    stored: object(),
    documents: { [`files/${NAME}`]: { userId: text(OWNER) } },
    allowed: [],
  },
  'store elsewhere': { method: 'create', path: `/b/bucket/o/${OWNER}/${NAME}`, next: object(), allowed: [] },
  'store deeper': {
    method: 'create',
    path: `/b/bucket/o/identity/${OWNER}/${NAME}/${NAME}`,
    next: object(),
    allowed: [],
  },
}

const cases = Object.entries(OPERATIONS).flatMap(([name, { allowed, ...asked }]) =>
  (Object.keys(SUBJECTS) as Subject[]).map((subject) => ({
    name,
    subject,
    asked,
    expected: allowed.includes(subject),
  })),
)

it.each(cases)('$name, $subject: $expected @spec-document-access', ({ asked, subject, expected }) => {
  const profile = subject === 'nobody' ? null : PROFILES[subject]
  expect(allows({ ...asked, auth: SUBJECTS[subject], profile })).toBe(expected)
})

describe('a document', () => {
  it.each<[string, WireFields, boolean]>([
    ['PNG', { contentType: text('image/png') }, true],
    ['JPEG', { contentType: text('image/jpeg') }, true],
    ['a web page', { contentType: text('text/html') }, false],
    ['an SVG', { contentType: text('image/svg+xml') }, false],
    ['a type that begins alike', { contentType: text('image/png; x') }, false],
    ['5 MB', { size: whole(5 * MB) }, true],
    ['5 MB and one byte', { size: whole(5 * MB + 1) }, false],
    ['nothing', { size: whole(0) }, false],
  ])('%s @spec-document-size', (_name, changes, expected) => {
    expect(allows({ method: 'create', next: object(changes) })).toBe(expected)
  })

  it.each<[string, string, string, boolean]>([
    ['given out', NAME, NAME, true],
    ['of the submission before', '1763630000000-7c9e6679-7425-40de-944b-e07fc1f90ae7', NAME, false],
    ['typed', 'passport.pdf', 'passport.pdf', false],
    ['without a moment', NAME.slice(14), NAME.slice(14), false],
    ['in capitals', NAME.toUpperCase(), NAME.toUpperCase(), false],
  ])('under a name that is %s @spec-document-path', (_name, used, given, expected) => {
    const documents = { [`submissions/${OWNER}`]: { name: text(given) } }
    const path = `/b/bucket/o/identity/${OWNER}/${used}`
    expect(allows({ method: 'create', path, next: object(), documents })).toBe(expected)
  })

  it('without a submission', () => {
    expect(allows({ method: 'create', next: object(), documents: {} })).toBe(false)
  })
})
