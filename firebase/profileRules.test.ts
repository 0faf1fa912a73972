import { describe, expect, it } from 'vitest'
import {
  type Auth,
  at,
  type Change,
  COLLECTIONS,
  type Collection,
  confirmed,
  DOCUMENTS,
  EMAIL,
  EMPTY_SUBSCRIPTION,
  LONG,
  MADE_WITH_PHONE,
  mapOf,
  NOW,
  NULL,
  OWNER,
  PHONE,
  PROFILE,
  profileOf,
  requestFor,
  rules,
  SUBJECTS,
  type Subject,
  signedIn,
  text,
  whole,
  withChanges,
} from './testing/firestore.ts'

describe('a new profile @spec-profile-rules', () => {
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
    ['verifiedAddress: its own', { verifiedAddress: text(EMAIL) }, false],
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
