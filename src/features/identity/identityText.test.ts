import { expect, test } from 'vitest'
import { STORAGE_ERROR_CODES } from '../../../domain/storageErrorCode.ts'
import { submissionProblemText } from './identityText.ts'

const textOf = (code: (typeof STORAGE_ERROR_CODES)[number] | 'other') =>
  submissionProblemText({ kind: 'storage', code }).message

test.each(STORAGE_ERROR_CODES)(
  'the storage error %s has a text that does not contain its code @spec-storage-errors',
  (code) => {
    expect(textOf(code)).toMatch(/^\p{Lu}.{15,}$/u)
    expect(textOf(code)).not.toContain(code)
  },
)

test('an unknown storage error has the general text for a failed submission', () => {
  expect(textOf('other')).toBe('Votre dossier n’a pas pu être envoyé')
})
