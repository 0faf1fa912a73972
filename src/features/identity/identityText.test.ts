import { expect, test } from 'vitest'
import { STORAGE_CODES } from '../../../domain/storageCode.ts'
import { submissionMessage } from './identityText.ts'

const textOf = (code: (typeof STORAGE_CODES)[number] | 'other') =>
  submissionMessage({ kind: 'storage', code }).message

test.each(STORAGE_CODES)(
  'the storage’s %s has words of ours, and never its own @spec-storage-errors',
  (code) => {
    expect(textOf(code)).toMatch(/^\p{Lu}.{15,}$/u)
    expect(textOf(code)).not.toContain(code)
  },
)

test('a code that nobody foresaw is told as what was not done', () => {
  expect(textOf('other')).toBe('Votre dossier n’a pas pu être envoyé')
})
