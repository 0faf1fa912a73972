import { type Position, RulesSyntaxError } from './syntax.ts'

export interface Token {
  readonly kind: 'name' | 'int' | 'string' | 'symbol' | 'end'
  /** For a string literal its value. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const INTEGER = /[0-9]+/y
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y
const SYMBOL = /&&|\|\||[=!<>]=|[-+*/%<>!?:;,.()[\]{}=]/y
const ESCAPES: Record<string, string> = { '\\': '\\', "'": "'", '"': '"', n: '\n', r: '\r', t: '\t' }

/** Only the parser knows whether a slash divides or begins a path; it reads segments with `raw`. */
export class Lexer {
  readonly #source: string
  token: Token
  end = 0

  constructor(source: string) {
    this.#source = source
    this.token = this.#scan(0)
  }

  /** Returns the token that it leaves. */
  advance(): Token {
    const { token } = this
    this.#moveTo(token.end)
    return token
  }

  /** Null if `form` doesn't match right after the current token. */
  raw(form: RegExp): string | null {
    const text = this.#read(form, this.token.end)
    if (text !== null) this.#moveTo(this.token.end + text.length)
    return text
  }

  position(offset = this.token.start): Position {
    const lines = this.#source.slice(0, offset).split('\n')
    return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
  }

  fail(problem: string, offset = this.token.start): never {
    throw new RulesSyntaxError(problem, this.position(offset))
  }

  #moveTo(end: number) {
    this.end = end
    this.token = this.#scan(end)
  }

  #read(form: RegExp, offset: number): string | null {
    form.lastIndex = offset
    return form.exec(this.#source)?.[0] ?? null
  }

  #scan(offset: number): Token {
    const start = offset + (this.#read(BLANK, offset) ?? '').length
    const token = (kind: Token['kind'], written: string, text = written): Token => ({
      kind,
      text,
      start,
      end: start + written.length,
    })
    if (start === this.#source.length) return token('end', '', 'the end of the file')
    const name = this.#read(NAME, start)
    if (name !== null) return token('name', name)
    const integer = this.#read(INTEGER, start)
    if (integer !== null) return token('int', integer)
    const string = this.#read(STRING, start)
    if (string !== null) return token('string', string, this.#unescape(string, start))
    const symbol = this.#read(SYMBOL, start)
    if (symbol !== null) return token('symbol', symbol)
    return this.fail(`unexpected ${JSON.stringify(this.#source[start])}`, start)
  }

  #unescape(quoted: string, start: number): string {
    return quoted
      .slice(1, -1)
      .replaceAll(
        /\\(.)/gs,
        (written, character: string, at: number) =>
          ESCAPES[character] ?? this.fail(`the escape ${written} is not supported`, start + 1 + at),
      )
  }
}
