import { Lexer } from './lexer.ts'
import {
  type AllowStatement,
  type BinaryOperator,
  type Block,
  type Expression,
  type FunctionDeclaration,
  type MatchStatement,
  type Method,
  type Position,
  RULES_METHODS,
  type Segment,
} from './syntax.ts'
import { buildBool, buildInt, buildString, NULL_VALUE } from './values.ts'

/** `global`: declared outside the service. */
export interface RulesFile {
  readonly service: string
  readonly at: Position
  readonly global: Block
  readonly root: Block
}

/** From loosest to tightest; all are left-associative. */
const LEVELS: readonly (readonly (BinaryOperator | 'is')[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['in', 'is'],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*'],
]

const ALLOWED: ReadonlyMap<string, readonly Method[]> = new Map<string, readonly Method[]>([
  ['read', ['get', 'list']],
  ['write', ['create', 'update', 'delete']],
  ...RULES_METHODS.map((method): [string, Method[]] => [method, [method]]),
])

const RESERVED = new Set('true false null in is if let return function match allow service'.split(' '))
const NAMESPACES = new Set(['duration', 'timestamp', 'firestore'])

const PATH_TEXT = /\(default\)|[A-Za-z0-9_.~%-]+/y
const CAPTURE = /\{[A-Za-z_][A-Za-z0-9_]*\}/y
const OPEN_INSERT = /\$\(/y

/** Version 2. Throws a `RulesSyntaxError` at the first unknown construct. */
export function parseRulesFile(source: string): RulesFile {
  const lexer = new Lexer(source)

  const isSymbol = (text: string) => lexer.token.kind === 'symbol' && lexer.token.text === text
  const isWord = (text: string) => lexer.token.kind === 'name' && lexer.token.text === text
  const unexpected = (wanted: string): never =>
    lexer.fail(`expected ${wanted}, found ${JSON.stringify(lexer.token.text)}`)

  function accept(text: string): boolean {
    const found = isSymbol(text) || isWord(text)
    if (found) lexer.advance()
    return found
  }

  function expect(text: string) {
    if (!accept(text)) unexpected(JSON.stringify(text))
  }

  function name(): string {
    if (lexer.token.kind !== 'name' || RESERVED.has(lexer.token.text)) unexpected('a name')
    return lexer.advance().text
  }

  function separated<T>(close: string, item: () => T): T[] {
    const items: T[] = []
    if (!isSymbol(close)) {
      do items.push(item())
      while (accept(','))
    }
    expect(close)
    return items
  }

  function file(): RulesFile {
    expect('rules_version')
    expect('=')
    if (lexer.token.kind !== 'string' || lexer.token.text !== '2') unexpected("'2'")
    lexer.advance()
    expect(';')
    const functions = new Map<string, FunctionDeclaration>()
    while (isWord('function')) declare(functions)
    const at = lexer.position()
    expect('service')
    let service = name()
    while (accept('.')) service += `.${name()}`
    expect('{')
    const root = block(null)
    while (isWord('function')) declare(functions)
    if (lexer.token.kind !== 'end') unexpected('the end of the file')
    return { service, at, global: { functions, matches: [] }, root }
  }

  /** `allow` is an error if `allows` is null. */
  function block(allows: AllowStatement[] | null): Block {
    const functions = new Map<string, FunctionDeclaration>()
    const matches: MatchStatement[] = []
    while (!accept('}')) {
      if (isWord('function')) declare(functions)
      else if (isWord('match')) matches.push(match())
      else if (isWord('allow') && allows) allows.push(allow())
      else unexpected(allows ? 'match, allow or function' : 'match or function')
    }
    return { functions, matches }
  }

  function match(): MatchStatement {
    const at = lexer.position()
    expect('match')
    const pattern = path(segment)
    expect('{')
    const allows: AllowStatement[] = []
    return { at, pattern, allows, ...block(allows) }
  }

  function segment(): Segment {
    const capture = lexer.raw(CAPTURE)
    if (capture !== null) return { kind: 'capture', name: capture.slice(1, -1) }
    const text = lexer.raw(PATH_TEXT)
    return text === null ? lexer.fail('expected a path segment', lexer.token.end) : { kind: 'text', text }
  }

  /** The first slash is the current token. Whitespace ends the path. */
  function path<T>(readSegment: () => T): T[] {
    if (!isSymbol('/')) unexpected('a path')
    const segments: T[] = []
    let end: number
    do {
      segments.push(readSegment())
      end = lexer.end
    } while (isSymbol('/') && lexer.token.start === end)
    return segments
  }

  function allow(): AllowStatement {
    const at = lexer.position()
    expect('allow')
    const methods = new Set<Method>()
    do {
      for (const method of ALLOWED.get(lexer.token.text) ?? unexpected('a method')) methods.add(method)
      lexer.advance()
    } while (accept(','))
    let condition: Expression = { at, kind: 'literal', value: buildBool(true) }
    if (accept(':')) {
      expect('if')
      condition = expression()
    }
    expect(';')
    return { methods, condition }
  }

  function declare(functions: Map<string, FunctionDeclaration>) {
    expect('function')
    const at = lexer.position()
    const declared = name()
    if (functions.has(declared)) lexer.fail(`${declared} is already defined`)
    expect('(')
    const parameters = separated(')', name)
    expect('{')
    const lets: FunctionDeclaration['lets'][number][] = []
    while (isWord('let')) {
      lexer.advance()
      const letAt = lexer.position()
      const variable = name()
      expect('=')
      const value = expression()
      expect(';')
      lets.push({ at: letAt, name: variable, value })
    }
    expect('return')
    const result = expression()
    expect(';')
    expect('}')
    functions.set(declared, { at, name: declared, parameters, lets, result })
  }

  function expression(): Expression {
    const at = lexer.position()
    const test = binary(0)
    if (!accept('?')) return test
    const then = expression()
    expect(':')
    return { at, kind: 'conditional', test, then, otherwise: expression() }
  }

  function binary(level: number): Expression {
    const operators = LEVELS[level]
    if (!operators) return unary()
    let left = binary(level + 1)
    for (;;) {
      const operator = operators.find((each) => isSymbol(each) || isWord(each))
      if (!operator) return left
      const at = lexer.position()
      lexer.advance()
      left =
        operator === 'is'
          ? { at, kind: 'is', operand: left, type: name() }
          : { at, kind: 'binary', operator, left, right: binary(level + 1) }
    }
  }

  function unary(): Expression {
    const at = lexer.position()
    if (accept('!')) return { at, kind: 'not', operand: unary() }
    return postfix()
  }

  function postfix(): Expression {
    let target = primary()
    for (;;) {
      const at = lexer.position()
      if (accept('.')) {
        const member = name()
        if (!accept('(')) target = { at, kind: 'member', target, name: member }
        else {
          const args = separated(')', expression)
          target =
            target.kind === 'name' && NAMESPACES.has(target.name)
              ? { at, kind: 'call', name: `${target.name}.${member}`, args }
              : { at, kind: 'method', target, name: member, args }
        }
      } else if (accept('[')) {
        target = { at, kind: 'index', target, index: expression() }
        expect(']')
      } else return target
    }
  }

  function primary(): Expression {
    const at = lexer.position()
    const { kind, text } = lexer.token
    if (isSymbol('/')) return { at, kind: 'path', segments: path(insertOrText) }
    if (accept('(')) {
      const inner = expression()
      expect(')')
      return inner
    }
    if (accept('[')) return { at, kind: 'list', items: separated(']', expression) }
    if (accept('{')) return { at, kind: 'map', entries: separated('}', entry) }
    if (accept('null')) return { at, kind: 'literal', value: NULL_VALUE }
    if (accept('true')) return { at, kind: 'literal', value: buildBool(true) }
    if (accept('false')) return { at, kind: 'literal', value: buildBool(false) }
    if (kind === 'string') {
      lexer.advance()
      return { at, kind: 'literal', value: buildString(text) }
    }
    if (kind === 'int') {
      const value = buildInt(BigInt(text))
      if (value.type === 'error') lexer.fail(value.reason)
      lexer.advance()
      return { at, kind: 'literal', value }
    }
    if (kind !== 'name') unexpected('an expression')
    const called = name()
    return accept('(')
      ? { at, kind: 'call', name: called, args: separated(')', expression) }
      : { at, kind: 'name', name: called }
  }

  function entry(): [string, Expression] {
    if (lexer.token.kind !== 'string') unexpected('a key in quotes')
    const key = lexer.advance().text
    expect(':')
    return [key, expression()]
  }

  function insertOrText(): string | Expression {
    if (lexer.raw(OPEN_INSERT) === null) {
      return lexer.raw(PATH_TEXT) ?? lexer.fail('expected a path segment', lexer.token.end)
    }
    const inserted = expression()
    expect(')')
    return inserted
  }

  return file()
}
