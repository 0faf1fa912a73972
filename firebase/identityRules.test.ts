import type { WireFields } from 'service-emulators/firestore'
import { describe, expect, it } from 'vitest'
import {
  at,
  type Change,
  COLLECTIONS,
  type Collection,
  documentAt,
  EARLIER_ID,
  FILE,
  FILE_ID,
  mapOf,
  NOW,
  NULL,
  OWNER,
  requestFor,
  rules,
  SUBJECTS,
  submission,
  text,
  whole,
  withChanges,
} from './testing/firestore.ts'

describe('a new identity file @spec-identity-rules', () => {
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
