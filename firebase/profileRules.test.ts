import { describe, expect, it } from 'vitest'
import {
  applyChanges,
  buildAuth,
  buildConfirmedProfile,
  buildProfile,
  buildRulesRequest,
  COLLECTIONS,
  type Collection,
  DOCUMENTS_PATH,
  EMAIL,
  EMPTY_SUBSCRIPTION,
  type FieldChanges,
  NEW_PROFILE,
  NOW,
  NULL_FIELD,
  OWNER_UID,
  PHONE,
  PHONE_PROFILE,
  type RequestAuth,
  rules,
  SUBJECTS,
  type Subject,
  TOO_LONG_NAME,
  toIntegerValue,
  toMapValue,
  toStringValue,
  toTimestamp,
} from './testing/firestore.ts'
import { withDecision } from './testing/withDecision.ts'

describe('a new profile @spec-profile-rules', () => {
  const subscription = (changes: FieldChanges): FieldChanges => ({
    subscription: toMapValue(applyChanges(EMPTY_SUBSCRIPTION, changes)),
  })
  const creates = (changes: FieldChanges, auth: RequestAuth) =>
    rules.allows(
      buildRulesRequest(
        'create',
        { ...(COLLECTIONS.users as Collection), fields: applyChanges(NEW_PROFILE, changes) },
        auth,
      ),
    )

  it.each(
    withDecision<[string, FieldChanges, boolean]>([
      ['valid fields', {}, true],

      ['email: missing', { email: null }, false],
      ['email: null although the account has one', { email: NULL_FIELD }, false],
      ["email: another user's", { email: toStringValue('other@example.org') }, false],
      ['email: in capitals', { email: toStringValue(EMAIL.toUpperCase()) }, false],
      ['email: a number', { email: toIntegerValue(1) }, false],

      ['name: missing', { name: null }, false],
      ['name: null', { name: NULL_FIELD }, false],
      ['name: empty', { name: toStringValue('') }, false],
      ['name: blank', { name: toStringValue('   ') }, false],
      ['name: one character', { name: toStringValue('A') }, true],
      ['name: 100 characters', { name: toStringValue('x'.repeat(100)) }, true],
      ['name: 101 characters', { name: toStringValue(TOO_LONG_NAME) }, false],
      ['name: accents and another script', { name: toStringValue('Zoë N’Diaye-الأمين') }, true],
      ['name: a line break', { name: toStringValue('Awa\nDiallo') }, false],
      ['name: a control character', { name: toStringValue('Awa\u0000') }, false],
      ['name: text turned to the left', { name: toStringValue('Awa \u202eolaiD') }, false],
      ['name: an isolate', { name: toStringValue('\u2066Awa') }, false],
      ['name: a direction mark', { name: toStringValue('Awa\u200f') }, false],
      ...[
        '\u00ad',
        '\u034f',
        '\u115f',
        '\u1160',
        '\u17b4',
        '\u17b5',
        '\u180e',
        '\u200b',
        '\u2028',
        '\u2060',
        '\u206f',
        '\u2800',
        '\u3164',
        '\ufeff',
        '\uffa0',
        '\ufffb',
        '\u{e0041}',
      ].map((mark): [string, FieldChanges, boolean] => [
        `name: an invisible ${JSON.stringify(mark)}`,
        { name: toStringValue(`Awa${mark}`) },
        false,
      ]),
      ['name: letters that are joined or not', { name: toStringValue('می\u200cخواهم क्\u200dष') }, true],
      ['name: only joiners and spaces', { name: toStringValue('\u200d\u00a0\u200c \ufe0f') }, false],
      ['name: a number', { name: toIntegerValue(1) }, false],
      ['name: a list', { name: { arrayValue: { values: [toStringValue('A')] } } }, false],

      ['phone: missing', { phone: null }, false],
      ['phone: 8 digits', { phone: toStringValue('+33123456') }, true],
      ['phone: 15 digits', { phone: toStringValue('+331234567890123') }, true],
      ['phone: 7 digits', { phone: toStringValue('+3312345') }, false],
      ['phone: 16 digits', { phone: toStringValue('+3312345678901234') }, false],
      ['phone: no plus sign', { phone: toStringValue('33123456789') }, false],
      ['phone: a leading zero', { phone: toStringValue('+0123456789') }, false],
      ['phone: spaces', { phone: toStringValue('+33 1 23 45 67 89') }, false],
      ['phone: a line break', { phone: toStringValue('+33123456789\n') }, false],
      ['phone: empty', { phone: toStringValue('') }, false],
      ['phone: a number', { phone: toIntegerValue(33123456789) }, false],

      ['createdAt: missing', { createdAt: null }, false],
      ['createdAt: null', { createdAt: NULL_FIELD }, false],
      ["createdAt: the device's clock", { createdAt: toTimestamp(NOW - 1) }, false],
      ['createdAt: the future', { createdAt: toTimestamp(NOW + 1) }, false],
      ['createdAt: text', { createdAt: toStringValue(new Date(NOW).toISOString()) }, false],

      ['subscription: missing', { subscription: null }, false],
      ['subscription: null', { subscription: NULL_FIELD }, false],
      ['subscription: empty map', { subscription: toMapValue({}) }, false],
      ['subscription: tier premium', subscription({ tier: toStringValue('premium') }), false],
      ['subscription: status active', subscription({ status: toStringValue('active') }), false],
      ['subscription: transactionsLeft 5', subscription({ transactionsLeft: toIntegerValue(5) }), false],
      ['subscription: transactionsLeft 0', subscription({ transactionsLeft: toIntegerValue(0) }), false],
      ['subscription: startDate', subscription({ startDate: toTimestamp(NOW) }), false],
      ['subscription: lastReset', subscription({ lastReset: toTimestamp(NOW) }), false],
      [
        'subscription: stripeSubscriptionId',
        subscription({ stripeSubscriptionId: toStringValue('sub_1') }),
        false,
      ],
      ['subscription: cancelAt', subscription({ cancelAt: toTimestamp(NOW) }), false],
      ['subscription: an extra field', subscription({ trial: { booleanValue: true } }), false],
      ...Object.keys(EMPTY_SUBSCRIPTION).map((field): [string, FieldChanges, boolean] => [
        `subscription: without ${field}`,
        subscription({ [field]: null }),
        false,
      ]),

      ['madeWith: missing', { madeWith: null }, false],
      ['madeWith: phone although the account has an address', { madeWith: toStringValue('phone') }, false],
      ['madeWith: something else', { madeWith: toStringValue('google') }, false],
      ['verifiedAddress: missing', { verifiedAddress: null }, false],
      ['verifiedAddress: the account’s own', { verifiedAddress: toStringValue(EMAIL) }, false],
      ["verifiedAddress: another user's", { verifiedAddress: toStringValue('other@example.org') }, false],
      ['sessionsSince: set', { sessionsSince: toTimestamp(0) }, false],

      ['an extra field', { role: toStringValue('admin') }, false],
    ]),
  )('the rules %s a new profile (%s)', (_decision, _name, changes, expected) => {
    const subjects: readonly Subject[] = ['owner', 'unverified', 'owner by Google']
    expect(subjects.map((subject) => creates(changes, SUBJECTS[subject]))).toEqual(
      subjects.map(() => expected),
    )
    expect(creates(changes, SUBJECTS.other)).toBe(false)
    expect(creates(changes, SUBJECTS.nobody)).toBe(false)
  })

  const BY_PHONE = { email: NULL_FIELD, phone: toStringValue(PHONE), madeWith: toStringValue('phone') }
  it.each(
    withDecision<[string, FieldChanges, boolean]>([
      ['with the proven number', BY_PHONE, true],
      ['with another number', { ...BY_PHONE, phone: toStringValue('+33699999999') }, false],
      ['without a number', { ...BY_PHONE, phone: NULL_FIELD }, false],
      ['with an address that the account lacks', { ...BY_PHONE, email: toStringValue(EMAIL) }, false],
      ['as if it had been made with an address', { ...BY_PHONE, madeWith: toStringValue('address') }, false],
      ['with a confirmed address', { ...BY_PHONE, verifiedAddress: toStringValue(EMAIL) }, false],
    ]),
  )('the rules %s a new profile of a phone account %s', (_decision, _name, changes, expected) => {
    expect(creates(changes, SUBJECTS['owner by phone'])).toBe(expected)
  })

  it.each(['\u202a', '\u200b', '\u00ad', '\ufeff', '\u2009', '\uff41', '\u2800', '\ufffc', '\u3002'])(
    'the rules refuse a profile whose address contains %j @spec-pasted',
    (mark) => {
      const email = `${mark}awa@example.com`
      const auth = buildAuth(OWNER_UID, 'password', { email, email_verified: false })
      expect(creates({ email: toStringValue(email) }, auth)).toBe(false)
    },
  )

  it('a linked phone creates the profile only as made with address', () => {
    const linked = SUBJECTS['unverified, by a linked phone']
    expect(creates({ phone: toStringValue(PHONE) }, linked)).toBe(true)
    expect(creates({ phone: toStringValue(PHONE), madeWith: toStringValue('phone') }, linked)).toBe(false)
  })
})

it("a profile can't be created while its account is being deleted", () => {
  const create = buildRulesRequest('create', COLLECTIONS.users as Collection, SUBJECTS.owner)
  const during = (uid: string) =>
    rules.allows({ ...create, read: (path) => (path === `${DOCUMENTS_PATH}/deletions/${uid}` ? {} : null) })
  expect([OWNER_UID, 'other1'].map(during)).toEqual([false, true])
})

it.each(
  withDecision<[string, string[], boolean]>([
    ['an operator has stopped', ['operator'], false],
    ['an operator has stopped and a dispute pauses', ['du_1', 'operator'], false],
    ['only a dispute pauses', ['du_1'], true],
    ['nothing pauses any more', [], true],
  ]),
)('the rules %s a new profile of a user whom %s', (_decision, _name, open, expected) => {
  const create = buildRulesRequest('create', COLLECTIONS.users as Collection, SUBJECTS.owner)
  const restriction = { open: { arrayValue: { values: open.map(toStringValue) } } }
  const read = (path: string) => (path === `${DOCUMENTS_PATH}/restrictions/${OWNER_UID}` ? restriction : null)
  expect(rules.allows({ ...create, read })).toBe(expected)
})

describe('a change of a profile', () => {
  const NEW_EMAIL = 'awa.diallo@example.org'
  const updates = (change: FieldChanges, auth: RequestAuth, stored = buildProfile(auth) ?? NEW_PROFILE) =>
    rules.allows({
      ...buildRulesRequest('update', { ...(COLLECTIONS.users as Collection), fields: stored }, auth),
      read: (path) => (path === `${DOCUMENTS_PATH}/users/${OWNER_UID}` ? stored : null),
      requestResource: { id: OWNER_UID, fields: applyChanges(stored, change) },
    })

  it.each(
    withDecision<[string, FieldChanges, boolean]>([
      ['no field', {}, true],
      ['name', { name: toStringValue('Awa') }, true],
      ['name: removed', { name: null }, false],
      ['name: null', { name: NULL_FIELD }, false],
      ['name: blank', { name: toStringValue(' ') }, false],
      ['name: too long', { name: toStringValue(TOO_LONG_NAME) }, false],
      ['name: text turned to the left', { name: toStringValue('Awa \u202eolaiD') }, false],
      ['phone', { phone: toStringValue('+224620000000') }, true],
      ['phone: removed', { phone: null }, false],
      ['phone: not E.164', { phone: toStringValue('0620000000') }, false],
      ['email: not that of the account', { email: toStringValue(NEW_EMAIL) }, false],
      ['email: null', { email: NULL_FIELD }, false],
      ['email: removed', { email: null }, false],
      ['name, phone', { name: toStringValue('Awa'), phone: toStringValue('+224620000000') }, true],
      ['createdAt', { createdAt: toTimestamp(NOW + 1) }, false],
      ['createdAt: removed', { createdAt: null }, false],
      [
        'subscription',
        { subscription: toMapValue({ ...EMPTY_SUBSCRIPTION, tier: toStringValue('premium') }) },
        false,
      ],
      ['subscription: removed', { subscription: null }, false],
      ['madeWith', { madeWith: toStringValue('phone') }, false],
      ['verifiedAddress', { verifiedAddress: toStringValue('other@example.org') }, false],
      ['sessionsSince', { sessionsSince: toTimestamp(0) }, false],
      ['name together with subscription', { name: toStringValue('Awa'), subscription: NULL_FIELD }, false],
      ['an extra field', { role: toStringValue('admin') }, false],
    ]),
  )('the rules %s a change of a profile (%s)', (_decision, _name, change, expected) => {
    expect(updates(change, SUBJECTS.owner)).toBe(expected)
    for (const subject of ['unverified', 'other', 'nobody'] as const) {
      expect(updates(change, SUBJECTS[subject])).toBe(false)
    }
  })

  it('a profile’s email changes only to the account’s current address', () => {
    const moved = buildAuth(OWNER_UID, 'password', { email: NEW_EMAIL, email_verified: true })
    const stored = { ...NEW_PROFILE, verifiedAddress: toStringValue(NEW_EMAIL) }
    expect(updates({ email: toStringValue(NEW_EMAIL) }, moved, stored)).toBe(true)
    expect(updates({ name: toStringValue('Awa') }, moved, stored)).toBe(true)
    expect(updates({ email: toStringValue('third@example.org') }, moved, stored)).toBe(false)
    const unseen = `\u202a${NEW_EMAIL}`
    const marked = buildAuth(OWNER_UID, 'password', { email: unseen, email_verified: true })
    expect(
      updates({ email: toStringValue(unseen) }, marked, {
        ...NEW_PROFILE,
        verifiedAddress: toStringValue(unseen),
      }),
    ).toBe(false)
  })

  it('a name cleared by the server may stay during other changes', () => {
    const stored = { ...buildConfirmedProfile(EMAIL), name: toStringValue('') }
    expect(updates({ phone: toStringValue('+224620000000') }, SUBJECTS.owner, stored)).toBe(true)
    expect(updates({ name: toStringValue('Awa') }, SUBJECTS.owner, stored)).toBe(true)
    expect(updates({ name: toStringValue(' ') }, SUBJECTS.owner, stored)).toBe(false)
  })

  it('no browser writes a person’s keys or the sole sign-in method', () => {
    const stored = buildConfirmedProfile(EMAIL)
    expect(updates({ knownKeys: toMapValue({}) }, SUBJECTS.owner, stored)).toBe(false)
    expect(updates({ soleMethod: toMapValue({}) }, SUBJECTS.owner, stored)).toBe(false)
  })

  it('a phone user without an email can edit the other fields', () => {
    const stored = PHONE_PROFILE
    const phoneUser = SUBJECTS['owner by phone']
    expect(updates({ name: toStringValue('Awa') }, phoneUser, stored)).toBe(true)
    expect(updates({ email: toStringValue(EMAIL) }, phoneUser, stored)).toBe(false)
  })

  it('a profile with a plan can be changed, but not its plan', () => {
    const stored = applyChanges(buildConfirmedProfile(EMAIL), {
      subscription: toMapValue({
        ...EMPTY_SUBSCRIPTION,
        tier: toStringValue('premium'),
        transactionsLeft: toIntegerValue(1),
      }),
    })
    expect(updates({ name: toStringValue('Awa') }, SUBJECTS.owner, stored)).toBe(true)
    expect(updates({ subscription: toMapValue(EMPTY_SUBSCRIPTION) }, SUBJECTS.owner, stored)).toBe(false)
  })
})
