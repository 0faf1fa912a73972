import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { err, ok } from '../common/result.ts'
import {
  buildSubmissionName,
  checkIdentityFile,
  checkIdentityForm,
  computeIdentitySteps,
  getIdentityState,
  getMissingIdentity,
  getSubmissionState,
  type IdentityFile,
  type IdentityFormValues,
  parseIdentityStatus,
  sanitizeFileName,
  sanitizeReason,
} from './identity.ts'

const NOW = Date.UTC(2026, 10, 20, 23, 59)

const form: IdentityFormValues = {
  fullName: 'Aïssatou Diallo',
  idType: 'passport',
  idNumber: 'O00123456',
  issuedBy: 'République de Guinée',
  expirationDate: '2030-01-31',
  dateOfBirth: '1990-05-17',
}

describe('checkIdentityForm', () => {
  test('accepts a complete identity form', () => {
    expect(checkIdentityForm(form, NOW)).toEqual(ok(form))
  })

  test.each<[Partial<IdentityFormValues>, string]>([
    [{ fullName: ' ' }, 'required'],
    [{ fullName: '--' }, 'required'],
    [{ idType: null }, 'required'],
    [{ idNumber: '' }, 'required'],
    [{ issuedBy: '\u202e' }, 'required'],
    [{ expirationDate: '' }, 'required'],
    [{ expirationDate: '31/01/2030' }, 'dateInvalid'],
    [{ expirationDate: '2030-02-30' }, 'dateInvalid'],
    [{ expirationDate: '2026-11-20' }, 'expired'],
    [{ expirationDate: '2020-01-01' }, 'expired'],
    [{ dateOfBirth: '' }, 'required'],
    [{ dateOfBirth: '1990-13-01' }, 'dateInvalid'],
    [{ dateOfBirth: '1890-05-17' }, 'dateInvalid'],
    [{ dateOfBirth: '2026-11-20' }, 'notBorn'],
    [{ dateOfBirth: '2090-05-17' }, 'notBorn'],
  ])('refuses the identity form with %j: %s', (change, kind) => {
    const [field] = Object.keys(change)
    expect(checkIdentityForm({ ...form, ...change }, NOW)).toEqual(err([{ field, kind }]))
  })

  test.each<Partial<IdentityFormValues>>([
    { expirationDate: '2026-11-21' },
    { dateOfBirth: '2026-11-19' },
    { dateOfBirth: '2000-02-29' },
  ])('accepts the identity form with %j', (change) => {
    expect(checkIdentityForm({ ...form, ...change }, NOW).ok).toBe(true)
  })

  test('reads a pasted number of a document like a typed one @spec-pasted', () => {
    const idNumber = '\u200eＯ ٠٠ 123\u202f456'
    expect(checkIdentityForm({ ...form, idNumber }, NOW)).toEqual(ok(form))
  })

  test('returns every problem of the identity form in field order', () => {
    const empty = {
      fullName: '',
      idType: null,
      idNumber: '',
      issuedBy: '',
      expirationDate: '',
      dateOfBirth: '',
    }
    const checked = checkIdentityForm(empty, NOW)
    expect(checked.ok ? [] : checked.error.map(({ field }) => field)).toEqual(Object.keys(form))
  })

  test('cleans the texts of the identity form', () => {
    const checked = checkIdentityForm(
      { ...form, fullName: ' Awa\u202e \n Bah ', idNumber: '1'.repeat(70) },
      NOW,
    )
    expect(checked).toEqual(ok({ ...form, fullName: 'Awa Bah', idNumber: '1'.repeat(64) }))
  })
})

describe('checkIdentityFile', () => {
  const FIVE_MB = 5 * 1024 * 1024
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
  const pngStart = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0')
  const pngEnd = bytes('\0\0\0\0IEND\xaeB`\x82')
  const jpeg = bytes('\xff\xd8\xff\xe0\0\x10JFIF')
  const pdf = bytes('%PDF-1.7\n%\xe2\xe3')
  const pdfEnd = bytes('startxref\n116\n%%EOF\n')
  const rest = bytes('anything')
  const wrongType = err({ kind: 'fileTypeUnsupported' })

  test.each([
    ['a PNG', FIVE_MB, pngStart, pngEnd, ok('image/png')],
    ['a JPEG', 1_000, jpeg, rest, ok('image/jpeg')],
    ['a PDF', 1_000, pdf, pdfEnd, ok('application/pdf')],
    ['5 MB and one byte', FIVE_MB + 1, pngStart, pngEnd, err({ kind: 'fileTooLarge' })],
    ['a renamed executable', 1_000, bytes('MZ\x90\0\x03\0\0\0'), rest, wrongType],
    ['a web page', 1_000, bytes('<!doctype html>'), rest, wrongType],
    ['a web page that ends as a PDF', 1_000, bytes('<script>%PDF-1.7'), pdfEnd, wrongType],
    ['half a PDF', 1_000, pdf, rest, wrongType],
    ['half a PNG', 1_000, pngStart, rest, wrongType],
    ['half a signature', 4, pngStart.slice(0, 4), pngStart.slice(0, 4), wrongType],
    ['a PNG signature before something else', 1_000, bytes('\x89PNG\r\n\x1a\n<script>'), pngEnd, wrongType],
    ['an empty file', 0, new Uint8Array(), new Uint8Array(), wrongType],
  ])(
    'identifies an identity document by its bytes, and limits its size: %s',
    (_, size, start, end, result) => {
      expect(checkIdentityFile({ size, start, end })).toEqual(result)
    },
  )

  test("refuses an identity document that isn't a PNG, JPEG or PDF @spec-identity-kinds", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.uint8Array({ maxLength: 64 }), (start, end) => {
        fc.pre(start[0] !== 0xff && start[0] !== 0x89 && start[0] !== 0x25)
        expect(checkIdentityFile({ size: 64, start, end })).toEqual(wrongType)
      }),
    )
  })
})

describe('getIdentityState @spec-identity-status', () => {
  const file = (id: string, status: IdentityFile['status'], createdAt: number): IdentityFile => ({
    id,
    fileName: `${id}.pdf`,
    status,
    rejectedItem: null,
    rejectionReason: '',
    expirationDate: '2030-01-31',
    createdAt,
  })

  const expired = (...facts: Parameters<typeof file>): IdentityFile => ({
    ...file(...facts),
    expirationDate: '2026-11-20',
  })

  test('an approved document counts through the day before its expiration date', () => {
    const files = [{ ...file('a', 'approved', 1), expirationDate: '2026-11-21' }]
    expect(getIdentityState(files, NOW).kind).toBe('approved')
    expect(getIdentityState(files, Date.UTC(2026, 10, 21)).kind).toBe('expired')
    expect(getIdentityState([{ ...file('a', 'approved', 1), expirationDate: '' }], NOW).kind).toBe('expired')
  })

  test.each<[string, IdentityFile[], string, string | undefined]>([
    ['no files', [], 'none', undefined],
    ['a single file', [file('a', 'pending', 1)], 'pending', 'a'],
    ['the newest file', [file('b', 'pending', 2), file('a', 'rejected', 1)], 'pending', 'b'],
    ['the newest file, in any order', [file('a', 'rejected', 1), file('b', 'rejected', 2)], 'rejected', 'b'],
    [
      'an approved file, even if it is older',
      [file('a', 'approved', 1), file('b', 'rejected', 2)],
      'approved',
      'a',
    ],
    [
      'an approved file, even if it is older, if its document is the only valid one',
      [file('a', 'approved', 1), expired('b', 'approved', 2)],
      'approved',
      'a',
    ],
    ['an expired document', [expired('a', 'approved', 1)], 'expired', 'a'],
    [
      'the newest file after an expired one',
      [expired('a', 'approved', 1), file('b', 'pending', 2)],
      'pending',
      'b',
    ],
    ['a rejected document, expired or not', [expired('a', 'rejected', 1)], 'rejected', 'a'],
  ])('derives the state of the identity check: %s', (_, files, kind, id) => {
    const standing = getIdentityState(files, NOW)
    expect([standing.kind, standing.kind === 'none' ? undefined : standing.file.id]).toEqual([kind, id])
  })

  test.each<[string, string, IdentityFile[], string, string]>([
    ['that expires later', '2027-01-20', [], 'approved', 'a'],
    ['that expires soon', '2027-01-19', [], 'expiring', 'a'],
    ['that expires tomorrow', '2026-11-21', [], 'expiring', 'a'],
    ['with a newer one under review', '2027-01-19', [file('b', 'pending', 2)], 'pending', 'b'],
    ['with a newer one that was rejected', '2027-01-19', [file('b', 'rejected', 2)], 'rejected', 'b'],
    ['with an older rejected one', '2027-01-19', [file('b', 'rejected', 0)], 'expiring', 'a'],
    ['with a newer approved one', '2027-01-19', [file('b', 'approved', 2)], 'approved', 'b'],
  ])('derives what can be submitted for an approved document %s', (_, expirationDate, others, kind, id) => {
    const state = getSubmissionState([{ ...file('a', 'approved', 1), expirationDate }, ...others], NOW)
    expect([state.kind, state.kind === 'none' ? null : state.file.id]).toEqual([kind, id])
    expect(getIdentityState([{ ...file('a', 'approved', 1), expirationDate }, ...others], NOW).kind).toBe(
      'approved',
    )
  })

  test('an identity check requests only missing or rejected parts', () => {
    const rejected = (rejectedItem: IdentityFile['rejectedItem']) =>
      getMissingIdentity({ kind: 'rejected', file: { ...file('a', 'rejected', 1), rejectedItem } })
    expect(getMissingIdentity({ kind: 'none' })).toBe('everything')
    expect(getMissingIdentity({ kind: 'expired', file: expired('a', 'approved', 1) })).toBe('everything')
    expect(getMissingIdentity({ kind: 'expiring', file: file('a', 'approved', 1) })).toBe('everything')
    expect([rejected('document'), rejected('details'), rejected(null)]).toEqual([
      'document',
      'details',
      'everything',
    ])
    expect(getMissingIdentity({ kind: 'pending', file: file('a', 'pending', 1) })).toBe(null)
    expect(getMissingIdentity({ kind: 'approved', file: file('a', 'approved', 1) })).toBe(null)
  })

  test('treats an unknown status of a submission as pending', () => {
    expect(['approved', 'rejected', 'pending', 'seen', undefined].map(parseIdentityStatus)).toEqual([
      'approved',
      'rejected',
      'pending',
      'pending',
      'pending',
    ])
  })
})

test('names a submission by instant and ID, as the rules require', () => {
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
  expect(buildSubmissionName(Date.UTC(2026, 10, 20), uuid)).toBe(`1795132800000-${uuid}`)
  expect(buildSubmissionName(5, uuid)).toMatch(/^[0-9]{13}-[0-9a-f-]{36}$/)
})

test('sanitizing a reviewer’s reason removes line breaks and direction marks', () => {
  expect(sanitizeReason(' Flou\n\u202eau coin.')).toBe('Flou au coin.')
  expect([sanitizeReason(undefined), sanitizeReason(5)]).toEqual(['', ''])
})

test('sanitizing a file name removes unsafe characters and limits its length', () => {
  expect(sanitizeFileName('passe\u202egnp.exe\n')).toBe('passegnp.exe')
  expect(sanitizeFileName('')).toBe('document')
  expect(sanitizeFileName('a'.repeat(300))).toHaveLength(255)
})

test.each([
  [
    [false, false, false],
    ['current', 'next', 'next'],
  ],
  [
    [true, false, false],
    ['done', 'current', 'next'],
  ],
  [
    [false, true, false],
    ['current', 'done', 'next'],
  ],
  [
    [true, true, false],
    ['done', 'done', 'current'],
  ],
  [
    [true, true, true],
    ['done', 'done', 'done'],
  ],
])('the current step of a verification is the first unfinished one: %j', (done, expected) => {
  const [details = false, document = false, review = false] = done
  const steps = computeIdentitySteps({ details, document, review })
  expect(steps.map(({ step }) => step)).toEqual(['details', 'document', 'review'])
  expect(steps.map(({ progress }) => progress)).toEqual(expected)
})
