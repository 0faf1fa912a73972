import type { WireFields } from 'service-emulators/firestore'
import { describe, expect, it } from 'vitest'
import {
  applyChanges,
  buildDocumentUrl,
  buildRulesRequest,
  buildSubmission,
  COLLECTIONS,
  type Collection,
  EARLIER_FILE_ID,
  FILE_ID,
  type FieldChanges,
  IDENTITY_FILE,
  NOW,
  NULL_FIELD,
  OWNER_UID,
  rules,
  SUBJECTS,
  toIntegerValue,
  toMapValue,
  toStringValue,
  toTimestamp,
} from './testing/firestore.ts'
import { withDecision } from './testing/withDecision.ts'

const NEW_YEAR = Date.UTC(2027, 0, 1, 12)

describe('a new identity file @spec-identity-rules', () => {
  const creates = (changes: FieldChanges) =>
    rules.allows(
      buildRulesRequest(
        'create',
        { ...(COLLECTIONS.files as Collection), fields: applyChanges(IDENTITY_FILE, changes) },
        SUBJECTS.owner,
      ),
    )

  it.each(
    withDecision<[string, FieldChanges, boolean]>([
      ...Object.keys(IDENTITY_FILE).flatMap((field): [string, FieldChanges, boolean][] => [
        [`${field}: missing`, { [field]: null }, false],
        [`${field}: null`, { [field]: NULL_FIELD }, false],
        [`${field}: a map`, { [field]: toMapValue({}) }, false],
        [`${field}: blank`, { [field]: toStringValue(' ') }, false],
      ]),
      ["userId: another user's", { userId: toStringValue('other1') }, false],
      ['fileType: png', { fileType: toStringValue('image/png') }, true],
      ['fileType: jpeg', { fileType: toStringValue('image/jpeg') }, true],
      ['fileType: html', { fileType: toStringValue('text/html') }, false],
      ['fileSize: one byte', { fileSize: toIntegerValue(1) }, true],
      ['fileSize: zero', { fileSize: toIntegerValue(0) }, false],
      ['fileSize: one byte over 5 MB', { fileSize: toIntegerValue(5 * 1024 * 1024 + 1) }, false],
      ['fileSize: a fraction', { fileSize: { doubleValue: 1.5 } }, false],
      ['category: another', { category: toStringValue('invoice') }, false],
      ['status: approved', { status: toStringValue('approved') }, false],
      ['status: rejected', { status: toStringValue('rejected') }, false],
      ['createdAt: another time', { createdAt: toTimestamp(NOW - 1) }, false],
      ['idType: national_id', { idType: toStringValue('national_id') }, true],
      ['idType: drivers_license', { idType: toStringValue('drivers_license') }, true],
      ['idType: another', { idType: toStringValue('library_card') }, false],
      // Yesterday, for devices in a time zone behind UTC.
      ['expirationDate: yesterday', { expirationDate: toStringValue('2026-11-19') }, true],
      ['expirationDate: the day before', { expirationDate: toStringValue('2026-11-18') }, false],
      ['expirationDate: last month', { expirationDate: toStringValue('2026-10-31') }, false],
      ['expirationDate: last year', { expirationDate: toStringValue('2025-12-31') }, false],
      // Today, for devices in a time zone ahead of UTC.
      ['dateOfBirth: today', { dateOfBirth: toStringValue('2026-11-20') }, true],
      ['dateOfBirth: in two days', { dateOfBirth: toStringValue('2026-11-22') }, false],
      ['dateOfBirth: next year', { dateOfBirth: toStringValue('2027-01-01') }, false],
      ['fullName: an invisible character', { fullName: toStringValue('Awa\u200b Diallo') }, false],
      ['fullName: only a joiner', { fullName: toStringValue('\u200d') }, false],
      ['fileName: an invisible letter', { fileName: toStringValue('\u3164.pdf') }, false],
      ['idNumber: an invisible character', { idNumber: toStringValue('12\u200b34') }, false],
      ['issuedBy: a direction mark', { issuedBy: toStringValue('\u202eMairie') }, false],
      ['fileName: a line break', { fileName: toStringValue('a\nb.pdf') }, false],
      ['expirationDate: month 13', { expirationDate: toStringValue('2030-13-01') }, false],
      ['dateOfBirth: another form', { dateOfBirth: toStringValue('01/12/1990') }, false],
      ['an extra field', { approvedAt: toTimestamp(NOW) }, false],
      [
        'downloadUrl: of an emulator on this machine',
        { downloadUrl: buildDocumentUrl(OWNER_UID, FILE_ID, 'http://localhost:5173') },
        true,
      ],
      [
        'downloadUrl: of an emulator in the local network',
        { downloadUrl: buildDocumentUrl(OWNER_UID, FILE_ID, 'http://192.168.1.20:9199') },
        true,
      ],
      [
        'downloadUrl: another host',
        { downloadUrl: buildDocumentUrl(OWNER_UID, FILE_ID, 'https://example.org') },
        false,
      ],
      [
        'downloadUrl: a host that begins like an allowed one',
        { downloadUrl: buildDocumentUrl(OWNER_UID, FILE_ID, 'http://localhost.example.org') },
        false,
      ],
      [
        'downloadUrl: an allowed host as the user name',
        { downloadUrl: buildDocumentUrl(OWNER_UID, FILE_ID, 'http://localhost@example.org') },
        false,
      ],
      [
        'downloadUrl: a public address',
        { downloadUrl: buildDocumentUrl(OWNER_UID, FILE_ID, 'http://172.32.0.1') },
        false,
      ],
      ["downloadUrl: another user's", { downloadUrl: buildDocumentUrl('other1', FILE_ID) }, false],
      [
        'downloadUrl: without a token',
        { downloadUrl: toStringValue('https://firebasestorage.googleapis.com/v0/b/x/o/y') },
        false,
      ],
    ]),
  )('the rules %s a new identity file (%s)', (_decision, _name, changes, expected) => {
    expect(creates(changes)).toBe(expected)
  })

  it.each(
    withDecision<[string, string, boolean]>([
      ['the previous day, on the first day of a year', '2026-12-31', true],
      ['two days earlier, on the first day of a year', '2026-12-30', false],
      ['a year earlier, on the first day of a year', '2025-12-31', false],
    ]),
  )('the rules %s an identity document that is valid until %s', (_decision, _name, day, expected) => {
    const fields = applyChanges(IDENTITY_FILE, {
      expirationDate: toStringValue(day),
      createdAt: toTimestamp(NEW_YEAR),
    })
    const request = buildRulesRequest(
      'create',
      { ...(COLLECTIONS.files as Collection), fields },
      SUBJECTS.owner,
    )
    expect(rules.allows({ ...request, time: NEW_YEAR })).toBe(expected)
  })

  it.each([
    ['of a document that no submission named', EARLIER_FILE_ID],
    ['of a document in another folder', `${FILE_ID}%2F${FILE_ID}`],
    ['of no document', ''],
  ])('a new identity file is refused with the URL %s', (_name, name) => {
    expect(creates({ downloadUrl: buildDocumentUrl(OWNER_UID, name) })).toBe(false)
  })

  it('a new identity file requires the name of the latest submission', () => {
    const files = COLLECTIONS.files as Collection
    const creates = (others: Record<string, WireFields>) =>
      rules.allows(buildRulesRequest('create', { ...files, others }, SUBJECTS.owner))
    expect(creates({})).toBe(false)
    expect(creates({ [`submissions/${OWNER_UID}`]: buildSubmission(EARLIER_FILE_ID) })).toBe(false)
    expect(creates({ 'submissions/other1': buildSubmission(FILE_ID) })).toBe(false)
  })

  it('the replacement of an expired document is a second file', () => {
    const files = COLLECTIONS.files as Collection
    const expired = applyChanges(IDENTITY_FILE, {
      status: toStringValue('approved'),
      expirationDate: toStringValue('2026-11-19'),
      downloadUrl: buildDocumentUrl(OWNER_UID, EARLIER_FILE_ID),
    })
    const others = {
      [`submissions/${OWNER_UID}`]: buildSubmission(FILE_ID),
      [`files/${EARLIER_FILE_ID}`]: expired,
    }
    const creates = (id: string) =>
      rules.allows(buildRulesRequest('create', { ...files, path: `files/${id}`, others }, SUBJECTS.owner))
    expect(creates(FILE_ID)).toBe(true)
    expect(creates(EARLIER_FILE_ID)).toBe(false)
  })

  it.each(
    withDecision<[string, FieldChanges, boolean]>([
      ['whose details alone were rejected', {}, true],
      ['whose document was rejected', { rejectedItem: toStringValue('document') }, false],
      ['that is pending', { status: toStringValue('pending') }, false],
      ['that is approved', { status: toStringValue('approved') }, false],
      ['of another user', { userId: toStringValue('other1') }, false],
      ['of another address', { downloadUrl: buildDocumentUrl(OWNER_UID, FILE_ID) }, false],
      ['of another size', { fileSize: toIntegerValue(1) }, false],
      ['of another type', { fileType: toStringValue('image/png') }, false],
      ['of another name', { fileName: toStringValue('other.pdf') }, false],
    ]),
  )('the rules %s a reused document in a new identity file %s', (_decision, _name, changes, expected) => {
    const downloadUrl = buildDocumentUrl(OWNER_UID, EARLIER_FILE_ID)
    const earlier = {
      ...IDENTITY_FILE,
      downloadUrl,
      status: toStringValue('rejected'),
      rejectedItem: toStringValue('details'),
      rejectionReason: toStringValue('The number is not that of the document.'),
    }
    const others = {
      [`submissions/${OWNER_UID}`]: buildSubmission(FILE_ID),
      [`files/${EARLIER_FILE_ID}`]: applyChanges(earlier, changes),
    }
    const files = COLLECTIONS.files as Collection
    const request = buildRulesRequest(
      'create',
      { ...files, fields: { ...IDENTITY_FILE, downloadUrl }, others },
      SUBJECTS.owner,
    )
    expect(rules.allows(request)).toBe(expected)
  })
})

describe('a submission', () => {
  const submissions = COLLECTIONS.submissions as Collection
  const DAY = 86_400_000

  it.each(
    withDecision<[string, FieldChanges, boolean]>([
      ['valid fields', {}, true],
      ['name: typed', { name: toStringValue('passport.pdf') }, false],
      ['name: of another folder', { name: toStringValue(`../${FILE_ID}`) }, false],
      ['name: missing', { name: null }, false],
      ['count: none yet', { count: toIntegerValue(0) }, false],
      ['count: two', { count: toIntegerValue(2) }, false],
      ['since: another time', { since: toTimestamp(NOW - 1) }, false],
      ['an extra field', { limit: toIntegerValue(100) }, false],
    ]),
  )('the rules %s a user’s first submission (%s)', (_decision, _name, changes, expected) => {
    const fields = applyChanges(buildSubmission(FILE_ID), changes)
    expect(rules.allows(buildRulesRequest('create', { ...submissions, fields }, SUBJECTS.owner))).toBe(
      expected,
    )
  })

  it.each(
    withDecision<[string, WireFields, WireFields, boolean]>([
      [
        'the second one',
        buildSubmission(EARLIER_FILE_ID, 1, NOW - 5),
        buildSubmission(FILE_ID, 2, NOW - 5),
        true,
      ],
      [
        'the tenth one',
        buildSubmission(EARLIER_FILE_ID, 9, NOW - 5),
        buildSubmission(FILE_ID, 10, NOW - 5),
        true,
      ],
      [
        'the eleventh one',
        buildSubmission(EARLIER_FILE_ID, 10, NOW - 5),
        buildSubmission(FILE_ID, 11, NOW - 5),
        false,
      ],
      ['the same name', buildSubmission(FILE_ID, 1, NOW - 5), buildSubmission(FILE_ID, 2, NOW - 5), false],
      [
        'an unchanged count',
        buildSubmission(EARLIER_FILE_ID, 3, NOW - 5),
        buildSubmission(FILE_ID, 3, NOW - 5),
        false,
      ],
      [
        'another start of the day',
        buildSubmission(EARLIER_FILE_ID, 3, NOW - 5),
        buildSubmission(FILE_ID, 4, NOW),
        false,
      ],
      [
        'a new count before the day is over',
        buildSubmission(EARLIER_FILE_ID, 10, NOW - DAY + 1),
        buildSubmission(FILE_ID, 1, NOW),
        false,
      ],
      [
        'a new count after a day',
        buildSubmission(EARLIER_FILE_ID, 10, NOW - DAY),
        buildSubmission(FILE_ID, 1, NOW),
        true,
      ],
    ]),
  )('the rules %s a user’s next submission (%s)', (_decision, _name, before, after, expected) => {
    const request = buildRulesRequest('update', { ...submissions, fields: before }, SUBJECTS.owner)
    const changed = { ...request, requestResource: { id: OWNER_UID, fields: after } }
    expect(rules.allows(changed)).toBe(expected)
  })
})
