import { err, ok, type Result } from './result.ts'

export type NameProblem = { readonly kind: 'nameRequired' }

/**
 * A full name, with single spaces and without control characters and direction marks, which could make a receipt
 * read as another one. There has to be a letter or digit. Specification, section 5.
 */
export function checkName(text: string): Result<string, NameProblem> {
  const name = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim()
  return /[\p{L}\p{N}]/u.test(name) ? ok(name) : err({ kind: 'nameRequired' })
}
