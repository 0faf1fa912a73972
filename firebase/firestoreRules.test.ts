import { describe, expect, it } from 'vitest'
import {
  applyChanges,
  buildAuth,
  buildRulesRequest,
  COLLECTIONS,
  CONTACT,
  type Collection,
  EMAIL,
  type FieldChanges,
  NOW,
  NULL_FIELD,
  OPERATIONS,
  OWNER_UID,
  type RequestAuth,
  rules,
  rulesSource,
  SUBJECTS,
  type Subject,
  TOO_LONG_NAME,
  toStringValue,
  toTimestamp,
  VERIFIED_CLAIMS,
} from './testing/firestore.ts'
import { withDecision } from './testing/withDecision.ts'

const cases = Object.entries(COLLECTIONS).flatMap(([name, collection]) =>
  OPERATIONS.flatMap((operation) =>
    (Object.keys(SUBJECTS) as Subject[]).map((subject) => ({
      name,
      operation,
      subject,
      collection,
      decision: collection.allowed[operation]?.includes(subject) ? 'allow' : 'refuse',
    })),
  ),
)

describe('the access of each role @spec-rules', () => {
  it.each(cases)(
    'the rules $decision the operation $operation on $name by the subject $subject',
    ({ operation, subject, collection, decision }) => {
      const isAllowed = rules.allows(buildRulesRequest(operation, collection, SUBJECTS[subject]))
      expect(isAllowed).toBe(decision === 'allow')
    },
  )

  it('the tests of the rules cover each collection that the rules name', () => {
    const named = [...rulesSource.matchAll(/^ {4}match \/(\w+)\//gm)].map(([, name]) => name)
    expect(named.length).toBe(rulesSource.match(/^ *match \/(?!databases)/gm)?.length)
    expect(named.filter((name) => !(name && name in COLLECTIONS))).toEqual([])
  })

  it('the rules let browsers write only profiles, contacts, submissions and identity files @spec-browser-writes', () => {
    const written = Object.entries(COLLECTIONS).filter(([, { allowed }]) =>
      (['create', 'update', 'delete'] as const).some((operation) => allowed[operation]?.length),
    )
    expect(written.map(([name]) => name)).toEqual(['users', 'contacts', 'files', 'submissions'])
  })
})

describe('a signed-in user', () => {
  const readsTransaction = (auth: RequestAuth) =>
    rules.allows(buildRulesRequest('get', COLLECTIONS.transactions as Collection, auth))

  it.each<[string, RequestAuth, boolean]>([
    ['without any claim', { uid: OWNER_UID, token: {} }, false],
    ['without a time of sign-in', { uid: OWNER_UID, token: VERIFIED_CLAIMS }, false],
    [
      'with a claim that only looks true',
      buildAuth(OWNER_UID, 'password', { ...VERIFIED_CLAIMS, email_verified: 'true' }),
      false,
    ],
    ['with a password and no claim', buildAuth(OWNER_UID, 'password', { email: EMAIL }), false],
    [
      'with another address',
      buildAuth(OWNER_UID, 'password', { ...VERIFIED_CLAIMS, email: 'b@example.org' }),
      false,
    ],
    ['without an address', buildAuth(OWNER_UID, 'password', { email_verified: true }), false],
    [
      'whose ID only begins like the sender’s',
      buildAuth(`${OWNER_UID}x`, 'password', VERIFIED_CLAIMS),
      false,
    ],
  ])('a user %s can’t read a transaction', (_name, auth, expected) => {
    expect(readsTransaction(auth)).toBe(expected)
  })

  it('a ledger whose ID only begins with the user’s is refused', () => {
    const ledgers = COLLECTIONS.ledgers as Collection
    const reads = (uid: string) =>
      rules.allows(buildRulesRequest('get', ledgers, buildAuth(uid, 'password', VERIFIED_CLAIMS)))
    expect([OWNER_UID, 'owner', `${OWNER_UID}_2026-11`, `${OWNER_UID}_`].map(reads)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

describe('a contact @spec-contact-rules', () => {
  const contacts = COLLECTIONS.contacts as Collection
  const shared: readonly [string, FieldChanges, boolean][] = [
    ['name: missing', { name: null }, false],
    ['name: blank', { name: toStringValue(' ') }, false],
    ['name: 101 characters', { name: toStringValue(TOO_LONG_NAME) }, false],
    ['name: text turned to the left', { name: toStringValue('Awa \u202eolaiD') }, false],
    ['name: an invisible letter', { name: toStringValue('Awa\u3164') }, false],
    ['name: only a joiner', { name: toStringValue('\u200d') }, false],
    ['phone: missing', { phone: null }, false],
    ['phone: null', { phone: NULL_FIELD }, false],
    ['phone: not E.164', { phone: toStringValue('620000000') }, false],
    ['phone: another than in the ID', { phone: toStringValue('+15145550100') }, false],
    ["userId: another user's", { userId: toStringValue('other1') }, false],
    ['userId: missing', { userId: null }, false],
    ['createdAt: another time', { createdAt: toTimestamp(NOW - 1) }, false],
    ['createdAt: missing', { createdAt: null }, false],
    ['an extra field', { favourite: { booleanValue: true } }, false],
  ]

  it.each(shared)('the rules refuse a new contact: %s', (_name, changes, expected) => {
    const request = buildRulesRequest(
      'create',
      { ...contacts, fields: applyChanges(CONTACT, changes) },
      SUBJECTS.owner,
    )
    expect(rules.allows(request)).toBe(expected)
  })

  it.each(shared)('the rules refuse a changed contact: %s', (_name, changes, expected) => {
    const request = buildRulesRequest('update', contacts, SUBJECTS.owner)
    const requestResource = { id: `${OWNER_UID}_224620000000`, fields: applyChanges(CONTACT, changes) }
    expect(rules.allows({ ...request, requestResource })).toBe(expected)
  })

  it.each(
    withDecision<[string, string, boolean]>([
      ["of the owner and the contact's number", `${OWNER_UID}_224620000000`, true],
      ['of another user', 'other1_224620000000', false],
      ['of another number', `${OWNER_UID}_224620000001`, false],
      ['chosen by the caller', 'c1', false],
      ['with a prefix', `x${OWNER_UID}_224620000000`, false],
      ['with a suffix', `${OWNER_UID}_224620000000_`, false],
    ]),
  )('the rules %s a new contact with an ID %s (%s)', (_decision, _name, id, expected) => {
    const request = buildRulesRequest('create', { ...contacts, path: `contacts/${id}` }, SUBJECTS.owner)
    expect(rules.allows(request)).toBe(expected)
  })

  it('a contact with an earlier ID can be renamed and deleted', () => {
    const earlier = { ...contacts, path: 'contacts/c1' }
    for (const operation of ['update', 'delete'] as const)
      expect(rules.allows(buildRulesRequest(operation, earlier, SUBJECTS.owner))).toBe(true)
  })

  it('a contact can be changed a day after its creation', () => {
    const request = buildRulesRequest('update', contacts, SUBJECTS.owner)
    expect(rules.allows({ ...request, time: NOW + 86_400_000 })).toBe(true)
  })

  it("a contact can't be taken over from another user", () => {
    const request = buildRulesRequest('update', contacts, SUBJECTS.other)
    const requestResource = {
      id: `${OWNER_UID}_224620000000`,
      fields: applyChanges(CONTACT, { userId: toStringValue('other1') }),
    }
    expect(rules.allows({ ...request, requestResource })).toBe(false)
  })
})
