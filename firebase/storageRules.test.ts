import { readFileSync } from 'node:fs'
import type { WireFields, WireValue } from 'service-emulators/firestore'
import { compileRules, type RulesRequest } from 'service-emulators/rules'
import { describe, expect, it } from 'vitest'
import { withDecision } from './testing/withDecision.ts'

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
const LINKED = { phone_number: '+33612345678' }
const SUBJECTS = {
  owner: signedIn(OWNER, 'password', VERIFIED),
  'owner by Google': signedIn(OWNER, 'google.com', VERIFIED),
  'owner by phone': signedIn(OWNER, 'phone', LINKED),
  'owner by phone, whose address is not verified': signedIn(OWNER, 'phone', { ...UNVERIFIED, ...LINKED }),
  unverified: signedIn(OWNER, 'password', UNVERIFIED),
  'unverified, by a linked phone': signedIn(OWNER, 'phone', { ...UNVERIFIED, ...LINKED }),
  'verified, not confirmed': signedIn(OWNER, 'password', VERIFIED),
  'verified, not confirmed, by a linked phone': signedIn(OWNER, 'phone', { ...VERIFIED, ...LINKED }),
  'confirmed, signed in before that': signedIn(OWNER, 'phone', {
    ...VERIFIED,
    ...LINKED,
    auth_time: SIGNED_IN - 1,
  }),
  'by the address of a phone account, not confirmed': signedIn(OWNER, 'password', VERIFIED),
  'owner by a phone, unlinked since': signedIn(OWNER, 'phone'),
  'confirmed, by a phone, unlinked since': signedIn(OWNER, 'phone', VERIFIED),
  'without a profile': signedIn(OWNER, 'phone', LINKED),
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
  'owner by a phone, unlinked since': MADE_WITH_PHONE,
  'confirmed, by a phone, unlinked since': CONFIRMED,
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
  /** Documents in the database, besides the profile. */
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
  'look for a missing document': { method: 'get', allowed: PROVEN },
  'list all documents': { method: 'list', path: `/b/bucket/o/identity/${OWNER}`, allowed: [] },
  'store a document': { method: 'create', next: object(), allowed: PROVEN },
  'overwrite a document as if it were new': {
    method: 'create',
    stored: object(),
    next: object(),
    allowed: [],
  },
  'overwrite a document': { method: 'update', stored: object(), next: object(), allowed: [] },
  'delete a document': { method: 'delete', stored: object(), allowed: PROVEN },
  'delete a recorded document': {
    method: 'delete',
    stored: object(),
    documents: { [`files/${NAME}`]: { userId: text(OWNER) } },
    allowed: [],
  },
  'store outside of the folder': {
    method: 'create',
    path: `/b/bucket/o/${OWNER}/${NAME}`,
    next: object(),
    allowed: [],
  },
  'store in a subfolder': {
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
    decision: allowed.includes(subject) ? 'allow' : 'forbid',
  })),
)

it.each(cases)(
  'the storage rules $decision the subject $subject to $name @spec-document-access',
  ({ asked, subject, decision }) => {
    const profile = subject === 'nobody' ? null : PROFILES[subject]
    expect(allows({ ...asked, auth: SUBJECTS[subject], profile })).toBe(decision === 'allow')
  },
)

describe('an identity document', () => {
  it.each(
    withDecision<[string, WireFields, boolean]>([
      ['PNG', { contentType: text('image/png') }, true],
      ['JPEG', { contentType: text('image/jpeg') }, true],
      ['a web page', { contentType: text('text/html') }, false],
      ['an SVG', { contentType: text('image/svg+xml') }, false],
      ['a type that begins like an allowed one', { contentType: text('image/png; x') }, false],
      ['5 MB', { size: whole(5 * MB) }, true],
      ['5 MB and one byte', { size: whole(5 * MB + 1) }, false],
      ['0 bytes', { size: whole(0) }, false],
    ]),
  )('the storage rules %s a document (%s) @spec-document-size', (_decision, _name, changes, expected) => {
    expect(allows({ method: 'create', next: object(changes) })).toBe(expected)
  })

  it.each(
    withDecision<[string, string, string, boolean]>([
      ['assigned by the submission', NAME, NAME, true],
      [
        'assigned by an earlier submission',
        '1763630000000-7c9e6679-7425-40de-944b-e07fc1f90ae7',
        NAME,
        false,
      ],
      ['typed by the user', 'passport.pdf', 'passport.pdf', false],
      ['without a time', NAME.slice(14), NAME.slice(14), false],
      ['in capitals', NAME.toUpperCase(), NAME.toUpperCase(), false],
    ]),
  )(
    'the storage rules %s a document under a name that is %s @spec-document-path',
    (_decision, _name, used, given, expected) => {
      const documents = { [`submissions/${OWNER}`]: { name: text(given) } }
      const path = `/b/bucket/o/identity/${OWNER}/${used}`
      expect(allows({ method: 'create', path, next: object(), documents })).toBe(expected)
    },
  )

  it('the storage rules refuse a document without a submission', () => {
    expect(allows({ method: 'create', next: object(), documents: {} })).toBe(false)
  })
})
