import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  askedFor,
  checkIdentityFile,
  checkIdentityForm,
  type IdentityFile,
  type IdentityForm,
  identityStanding,
  identityStatus,
  safeFileName,
  safeReason,
  submissionName,
} from './identity.ts'
import { err, ok } from './result.ts'

const NOW = Date.UTC(2026, 10, 20, 23, 59)

const form: IdentityForm = {
  fullName: 'Aïssatou Diallo',
  idType: 'passport',
  idNumber: 'O00123456',
  issuedBy: 'République de Guinée',
  expirationDate: '2030-01-31',
  dateOfBirth: '1990-05-17',
}

describe('the form', () => {
  test('is complete', () => {
    expect(checkIdentityForm(form, NOW)).toEqual(ok(form))
  })

  test.each<[Partial<IdentityForm>, string]>([
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
  ])('is not with %j: %s', (change, kind) => {
    const [field] = Object.keys(change)
    expect(checkIdentityForm({ ...form, ...change }, NOW)).toEqual(err([{ field, kind }]))
  })

  test.each<Partial<IdentityForm>>([
    { expirationDate: '2026-11-21' },
    { dateOfBirth: '2026-11-19' },
    { dateOfBirth: '2000-02-29' },
  ])('is complete with %j', (change) => {
    expect(checkIdentityForm({ ...form, ...change }, NOW).ok).toBe(true)
  })

  test('tells every problem, in its own order', () => {
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

  test('is cleaned', () => {
    const checked = checkIdentityForm(
      { ...form, fullName: ' Awa\u202e \n Bah ', idNumber: '1'.repeat(70) },
      NOW,
    )
    expect(checked).toEqual(ok({ ...form, fullName: 'Awa Bah', idNumber: '1'.repeat(64) }))
  })
})

describe('the document', () => {
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
    ['nothing', 0, new Uint8Array(), new Uint8Array(), wrongType],
  ])('%s', (_, size, start, end, result) => {
    expect(checkIdentityFile({ size, start, end })).toEqual(result)
  })

  test('whatever comes, only bytes of the three kinds are taken @spec-identity-kinds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.uint8Array({ maxLength: 64 }), (start, end) => {
        fc.pre(start[0] !== 0xff && start[0] !== 0x89 && start[0] !== 0x25)
        expect(checkIdentityFile({ size: 64, start, end })).toEqual(wrongType)
      }),
    )
  })
})

describe('where an identity stands @spec-identity-status', () => {
  const file = (id: string, status: IdentityFile['status'], createdAt: number): IdentityFile => ({
    id,
    fileName: `${id}.pdf`,
    status,
    rejectedItem: null,
    rejectionReason: '',
    createdAt,
  })

  test.each<[string, IdentityFile[], string, string | undefined]>([
    ['nothing', [], 'none', undefined],
    ['one', [file('a', 'pending', 1)], 'pending', 'a'],
    ['the newest one', [file('b', 'pending', 2), file('a', 'rejected', 1)], 'pending', 'b'],
    ['whatever the order', [file('a', 'rejected', 1), file('b', 'rejected', 2)], 'rejected', 'b'],
    ['an approved one', [file('a', 'approved', 1), file('b', 'rejected', 2)], 'approved', 'a'],
  ])('%s', (_, files, kind, id) => {
    const standing = identityStanding(files)
    expect([standing.kind, standing.kind === 'none' ? undefined : standing.file.id]).toEqual([kind, id])
  })

  test('what is asked for', () => {
    const rejected = (rejectedItem: IdentityFile['rejectedItem']) =>
      askedFor({ kind: 'rejected', file: { ...file('a', 'rejected', 1), rejectedItem } })
    expect(askedFor({ kind: 'none' })).toBe('everything')
    expect([rejected('document'), rejected('details'), rejected(null)]).toEqual([
      'document',
      'details',
      'everything',
    ])
    expect(askedFor({ kind: 'pending', file: file('a', 'pending', 1) })).toBe(null)
    expect(askedFor({ kind: 'approved', file: file('a', 'approved', 1) })).toBe(null)
  })

  test('a status that nobody knows is pending', () => {
    expect(['approved', 'rejected', 'pending', 'seen', undefined].map(identityStatus)).toEqual([
      'approved',
      'rejected',
      'pending',
      'pending',
      'pending',
    ])
  })
})

test('a name is the moment and an id, in the form that the rules know', () => {
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
  expect(submissionName(Date.UTC(2026, 10, 20), uuid)).toBe(`1795132800000-${uuid}`)
  expect(submissionName(5, uuid)).toMatch(/^[0-9]{13}-[0-9a-f-]{36}$/)
})

test('what a reviewer wrote is safe to show', () => {
  expect(safeReason(' Flou\n\u202eau coin.')).toBe('Flou au coin.')
  expect([safeReason(undefined), safeReason(5)]).toEqual(['', ''])
})

test('the name of a file is safe to show', () => {
  expect(safeFileName('passe\u202egnp.exe\n')).toBe('passegnp.exe')
  expect(safeFileName('')).toBe('document')
  expect(safeFileName('a'.repeat(300))).toHaveLength(255)
})
