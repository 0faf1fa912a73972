import { err, ok, type Result } from './result.ts'

/** The code of a text message is required. Answers it without spaces. Specification, section 5. */
export function checkSmsCode(text: string): Result<string, { readonly kind: 'codeRequired' }> {
  const code = text.replace(/\s/g, '')
  return code === '' ? err({ kind: 'codeRequired' }) : ok(code)
}
