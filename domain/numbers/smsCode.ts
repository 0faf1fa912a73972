import { cleanCode } from '../common/clean.ts'
import { err, ok, type Result } from '../common/result.ts'

/** Six digits in groups of 6, 3, 2 or 1, in the order in which a message is searched. */
const GROUPED = [6, 3, 2, 1].map(
  (size) =>
    new RegExp(`(?:^|\\D)(\\d{${size}}(?:[^\\p{L}\\d]{1,3}\\d{${size}}){${6 / size - 1}})(?!\\d)`, 'u'),
)

/**
 * Extracts the code from the text that a user typed or pasted: six digits, possibly in groups, or the first
 * such number in a whole message. Other text is passed on: the sign-in service refuses it. Specification,
 * section 5.
 */
export function checkSmsCode(text: string): Result<string, { readonly kind: 'codeRequired' }> {
  const words = text.split(/\s+/).map(cleanCode).join(' ')
  const found = GROUPED.map((pattern) => pattern.exec(words)).find(Boolean)
  const code = (found?.[1] ?? words).replace(/[^\p{L}\d]/gu, '')
  return code === '' ? err({ kind: 'codeRequired' }) : ok(code)
}
