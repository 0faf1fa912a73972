import { cleanCode } from '../common/clean.ts'
import { err, ok, type Result } from '../common/result.ts'

/** Six digits in groups of 6, 3, 2 or 1, in the order of the search. */
const GROUPED = [6, 3, 2, 1].map(
  (size) =>
    new RegExp(`(?:^|\\D)(\\d{${size}}(?:[^\\p{L}\\d]{1,3}\\d{${size}}){${6 / size - 1}})(?!\\d)`, 'u'),
)

/** Takes six digits from the text. The sign-in service refuses any other text. Specification, section 5. */
export function checkSmsCode(text: string): Result<string, { readonly kind: 'codeRequired' }> {
  const words = text.split(/\s+/).map(cleanCode).join(' ')
  const found = GROUPED.map((pattern) => pattern.exec(words)).find(Boolean)
  const code = (found?.[1] ?? words).replace(/[^\p{L}\d]/gu, '')
  return code === '' ? err({ kind: 'codeRequired' }) : ok(code)
}
