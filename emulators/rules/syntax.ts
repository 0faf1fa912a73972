import type { Value } from './values.ts'

/** Counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** This interpreter does not fully support the file. */
export class RulesSyntaxError extends Error {
  override readonly name = 'RulesSyntaxError'
  readonly line: number
  readonly column: number

  constructor(problem: string, { line, column }: Position) {
    super(`rules, line ${line}, column ${column}: ${problem}`)
    this.line = line
    this.column = column
  }
}

export const RULES_METHODS = ['get', 'list', 'create', 'update', 'delete'] as const
export type Method = (typeof RULES_METHODS)[number]

export type BinaryOperator = '&&' | '||' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | 'in'

export type Expression = { readonly at: Position } & (
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, Expression])[] }
  | { readonly kind: 'path'; readonly segments: readonly (string | Expression)[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly target: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly target: Expression; readonly index: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | {
      readonly kind: 'method'
      readonly target: Expression
      readonly name: string
      readonly args: readonly Expression[]
    }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'is'; readonly operand: Expression; readonly type: string }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'conditional'
      readonly test: Expression
      readonly then: Expression
      readonly otherwise: Expression
    }
)

export interface FunctionDeclaration {
  readonly at: Position
  readonly name: string
  readonly parameters: readonly string[]
  readonly lets: readonly { readonly at: Position; readonly name: string; readonly value: Expression }[]
  readonly result: Expression
}

export interface AllowStatement {
  readonly methods: ReadonlySet<Method>
  readonly condition: Expression
}

export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'capture'; readonly name: string }

export interface Block {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>
  readonly matches: readonly MatchStatement[]
}

export interface MatchStatement extends Block {
  readonly at: Position
  readonly pattern: readonly Segment[]
  readonly allows: readonly AllowStatement[]
}
