import { describe, expect, it } from 'vitest'
import {
  type Auth,
  at,
  type Change,
  COLLECTIONS,
  CONTACT,
  type Collection,
  EMAIL,
  LONG,
  NOW,
  NULL,
  OPERATIONS,
  OWNER,
  requestFor,
  rules,
  SUBJECTS,
  type Subject,
  signedIn,
  source,
  text,
  VERIFIED,
  withChanges,
} from './testing/firestore.ts'

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

describe('who may do what @spec-rules', () => {
  it.each(cases)('$name, $operation, $subject: $expected', ({ operation, subject, collection, expected }) => {
    expect(rules.allows(requestFor(operation, collection, SUBJECTS[subject]))).toBe(expected)
  })

  it('covers each collection that the rules name', () => {
    const named = [...source.matchAll(/^ {4}match \/(\w+)\//gm)].map(([, name]) => name)
    expect(named.length).toBe(source.match(/^ *match \/(?!databases)/gm)?.length)
    expect(named.filter((name) => !(name && name in COLLECTIONS))).toEqual([])
  })

  it('lets browsers write nothing but profiles, contacts and what an identity needs @spec-browser-writes', () => {
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
describe('a contact @spec-contact-rules', () => {
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
