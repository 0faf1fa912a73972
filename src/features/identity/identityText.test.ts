import { expect, test } from 'vitest'
import { STORAGE_ERROR_CODES } from '../../../domain/errors/storageErrorCode.ts'
import { getSubmissionProblemText } from './identityText.ts'

const getText = (code: (typeof STORAGE_ERROR_CODES)[number] | 'other') =>
  getSubmissionProblemText({ kind: 'storage', code }).message

test.each(STORAGE_ERROR_CODES)(
  'the storage error %s has a text that does not contain its code @spec-storage-errors',
  (code) => {
    expect(getText(code)).toMatch(/^\p{Lu}.{15,}$/u)
    expect(getText(code)).not.toContain(code)
  },
)

test('an unknown storage error has the general text for a failed submission', () => {
  expect(getText('other')).toBe('Votre dossier n’a pas pu être envoyé')
})
