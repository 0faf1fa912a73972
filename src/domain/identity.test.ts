import { describe, expect, test } from 'vitest'
import { checkIdentityFile, type IdentityForm, missingIdentityFields } from './identity.ts'
import { err, ok } from './result.ts'

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
    expect(missingIdentityFields(form)).toEqual([])
  })

  test.each([
    { fullName: ' ' },
    { idType: null },
    { idNumber: '' },
    { issuedBy: '' },
    { expirationDate: '' },
    { dateOfBirth: '' },
  ])('is not with %j', (change) => {
    expect(missingIdentityFields({ ...form, ...change })).toEqual(Object.keys(change))
  })
})

describe('the document', () => {
  const FIVE_MB = 5 * 1024 * 1024
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0)
  const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46)
  const pdf = new TextEncoder().encode('%PDF-1.7\n')
  const wrongType = err({ kind: 'fileTypeUnsupported' })

  test.each([
    ['a PNG', png, FIVE_MB, ok('image/png')],
    ['a JPEG', jpeg, 1_000, ok('image/jpeg')],
    ['a PDF', pdf, 1_000, ok('application/pdf')],
    ['more than 5 MB', png, FIVE_MB + 1, err({ kind: 'fileTooLarge' })],
    ['a web page', new TextEncoder().encode('<!doctype html>'), 1_000, wrongType],
    ['half a signature', png.slice(0, 4), 4, wrongType],
    ['nothing', new Uint8Array(), 0, wrongType],
  ])('%s', (_, start, size, result) => {
    expect(checkIdentityFile({ size, start })).toEqual(result)
  })
})
