import { cleanCode } from './clean.ts'
import { err, ok, type Result } from './result.ts'

/**
 * Extracts the code from the text that a user typed or pasted: six digits, possibly in two groups, or the first
 * such number in a whole message. Other text is passed on: the sign-in service refuses it. Specification,
 * section 5.
 */
export function checkSmsCode(text: string): Result<string, { readonly kind: 'codeRequired' }> {
  const words = text.split(/\s+/).map(cleanCode).join(' ')
  const found =
    /(?:^|\D)(\d{6})(?!\d)/.exec(words) ?? /(?:^|\D)(\d{3}[^\p{L}\d]{1,3}\d{3})(?!\d)/u.exec(words)
  const code = (found?.[1] ?? words).replace(/[^\p{L}\d]/gu, '')
  return code === '' ? err({ kind: 'codeRequired' }) : ok(code)
}
