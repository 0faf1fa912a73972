import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { WireFields, WireValue } from '../firestore/wire.ts'
import { compileRules, type RulesRequest } from './rules.ts'

const rules = compileRules(
  readFileSync(new URL('../../firebase/storage.rules', import.meta.url), 'utf8'),
  'firebase.storage',
)

const OWNER = 'owner1'
const NAME = '1763640000000-0f8fad5b-d9cb-469f-a165-70867728950e'
const MB = 1024 * 1024
const text = (stringValue: string): WireValue => ({ stringValue })
const whole = (integerValue: number): WireValue => ({ integerValue: String(integerValue) })

type Auth = RulesRequest['auth']
const signedIn = (uid: string, provider: string, claims: Record<string, unknown> = {}): Auth => ({
  uid,
  token: { ...claims, firebase: { sign_in_provider: provider } },
})
const SUBJECTS = {
  owner: signedIn(OWNER, 'password', { email_verified: true }),
  unverified: signedIn(OWNER, 'password', { email_verified: false }),
  'owner by Google': signedIn(OWNER, 'google.com'),
  'owner by phone': signedIn(OWNER, 'phone'),
  other: signedIn('other1', 'password', { email_verified: true }),
  nobody: null,
} satisfies Record<string, Auth>
type Subject = keyof typeof SUBJECTS
const PROVEN: readonly Subject[] = ['owner', 'owner by Google', 'owner by phone']

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
  /** What is in the database. */
  readonly documents?: Record<string, WireFields>
}

function allows({ method, auth = SUBJECTS.owner, path, stored, next, documents = OPENED }: Asked): boolean {
  const resource = (fields: WireFields | null) => fields && { id: NAME, fields }
  return rules.allows({
    method,
    path: path ?? `/b/bucket/o/identity/${OWNER}/${NAME}`,
    auth,
    time: Date.UTC(2026, 10, 20, 12),
    resource: resource(stored ?? null),
    requestResource: resource(next ?? null),
    read: (document) => documents[document.slice(`${DOCUMENTS}/`.length)] ?? null,
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

it.each(cases)('$name, $subject: $expected', ({ asked, subject, expected }) => {
  expect(allows({ ...asked, auth: SUBJECTS[subject] })).toBe(expected)
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
  ])('%s', (_name, changes, expected) => {
    expect(allows({ method: 'create', next: object(changes) })).toBe(expected)
  })

  it.each<[string, string, string, boolean]>([
    ['given out', NAME, NAME, true],
    ['of the submission before', '1763630000000-7c9e6679-7425-40de-944b-e07fc1f90ae7', NAME, false],
    ['typed', 'passport.pdf', 'passport.pdf', false],
    ['without a moment', NAME.slice(14), NAME.slice(14), false],
    ['in capitals', NAME.toUpperCase(), NAME.toUpperCase(), false],
  ])('under a name that is %s', (_name, used, given, expected) => {
    const documents = { [`submissions/${OWNER}`]: { name: text(given) } }
    const path = `/b/bucket/o/identity/${OWNER}/${used}`
    expect(allows({ method: 'create', path, next: object(), documents })).toBe(expected)
  })

  it('without a submission', () => {
    expect(allows({ method: 'create', next: object(), documents: {} })).toBe(false)
  })
})
