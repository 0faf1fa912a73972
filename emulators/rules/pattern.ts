export type CompiledPattern = { readonly regExp: RegExp } | { readonly problem: string }

const BLANK = '\\t\\n\\f\\r '
const PIECE = /\\x\{[0-9A-Fa-f]{1,6}\}|\\[\s\S]|\(\?:?|\[\^?\]?|[\s\S]/gu

/**
 * Translates RE2, the syntax of the rules, to JavaScript. Rejects constructs that the two read differently.
 */
export function compilePattern(re2: string): CompiledPattern {
  let inClass = false
  let written = ''
  for (const [piece] of re2.matchAll(PIECE)) {
    if (piece.startsWith('\\x{')) written += `\\u${piece.slice(2)}`
    else if (piece.startsWith('\\')) {
      if (!/^\\[dDwWbBsSntrfv\W]$/u.test(piece) || (inClass && /^\\[bBS]$/.test(piece))) {
        return { problem: `${piece} is not supported in a regular expression` }
      }
      if (piece === '\\s') written += inClass ? BLANK : `[${BLANK}]`
      else if (piece === '\\S') written += `[^${BLANK}]`
      else if (/^\\\W$/u.test(piece)) written += literal(piece.slice(1))
      else written += piece
    } else if (inClass) {
      if (piece.startsWith('[')) return { problem: '[ inside [ ] is not supported in a regular expression' }
      inClass = piece !== ']'
      written += piece
    } else if (piece.startsWith('[')) {
      if (piece.endsWith(']')) return { problem: `${piece} is not supported in a regular expression` }
      inClass = true
      written += piece
    } else if (piece === '(?') {
      return { problem: '(? is not supported in a regular expression, only (?:' }
    } else {
      written += piece === '.' ? '[^\\n]' : piece
    }
  }
  try {
    return { regExp: new RegExp(written, 'gu') }
  } catch {
    return { problem: 'not a regular expression that is supported' }
  }
}

const literal = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`
