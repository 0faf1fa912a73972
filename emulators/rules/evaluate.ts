import { apply, entryOf, FUNCTIONS_BY_NAME, METHODS_BY_NAME, OPERATORS } from './operations.ts'
import type { BinaryOperator, Expression, FunctionDeclaration } from './syntax.ts'
import {
  bool,
  equal,
  error,
  isOpen,
  list,
  map,
  string,
  TYPE_TESTS,
  type Type,
  UNKNOWN,
  type Value,
} from './values.ts'

/** The names that an expression can use: its own, then those around it. */
export interface Environment {
  readonly variables: ReadonlyMap<string, Value>
  readonly functions: ReadonlyMap<string, FunctionDeclaration>
  readonly parent: Environment | null
}

/** Answers one of the functions that look at other documents; null when it is not one of them. */
export type DocumentFunction = (name: string, path: Value) => Value | null

/**
 * The value of an expression that `check` has passed. Never throws: what fails is an error value,
 * what a query leaves open is unknown, and `&&` and `||` need only the side that decides.
 */
export function evaluate(
  expression: Expression,
  scope: Environment,
  documentFunction: DocumentFunction,
): Value {
  const resolve = (inner: Expression, environment = scope) => evaluate(inner, environment, documentFunction)

  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'list':
      return whole(
        expression.items.map((item) => resolve(item)),
        list,
      )
    case 'map':
      return whole(
        expression.entries.map(([, value]) => resolve(value)),
        (values) => map(expression.entries.map(([key], index) => [key, values[index] ?? UNKNOWN])),
      )
    case 'path':
      return whole(
        expression.segments.map((part) => (typeof part === 'string' ? string(part) : resolve(part))),
        pathOf,
      )
    case 'name':
      return variable(scope, expression.name)
    case 'member':
      return member(resolve(expression.target), expression.name)
    case 'index': {
      const target = resolve(expression.target)
      const index = resolve(expression.index)
      return target.type === 'map' && index.type === 'string'
        ? entryOf(target, index.value)
        : apply(OPERATORS.index, [target, index])
    }
    case 'call': {
      const args = expression.args.map((argument) => resolve(argument))
      const declared = declaration(scope, expression.name)
      if (declared) {
        const { parameters, lets, result } = declared.declaration
        const variables = new Map(parameters.map((name, index) => [name, args[index] ?? UNKNOWN]))
        const inner: Environment = { variables, functions: new Map(), parent: declared.environment }
        for (const { name, value } of lets) variables.set(name, resolve(value, inner))
        return resolve(result, inner)
      }
      return (
        documentFunction(expression.name, args[0] ?? UNKNOWN) ??
        apply(FUNCTIONS_BY_NAME.get(expression.name) ?? [], args)
      )
    }
    case 'method': {
      const target = resolve(expression.target)
      const args = expression.args.map((argument) => resolve(argument))
      const [key] = args
      if (expression.name === 'get' && target.type === 'map' && target.partial && key?.type === 'string') {
        return target.entries.get(key.value) ?? UNKNOWN
      }
      return apply(METHODS_BY_NAME.get(expression.name) ?? [], [target, ...args])
    }
    case 'not':
    case 'negate':
      return apply(OPERATORS[expression.kind], [resolve(expression.operand)])
    case 'is': {
      const operand = resolve(expression.operand)
      if (operand.type === 'error' || operand.type === 'unknown') return operand
      return bool((TYPE_TESTS.get(expression.type) ?? []).includes(operand.type))
    }
    case 'binary': {
      const { operator } = expression
      const left = resolve(expression.left)
      if (operator === '&&' || operator === '||') {
        const decisive = operator === '||'
        if (isBool(left, decisive)) return left
        return junction(left, resolve(expression.right), decisive)
      }
      return binary(operator, left, resolve(expression.right))
    }
    case 'conditional': {
      const test = resolve(expression.test)
      if (test.type === 'bool') return resolve(test.value ? expression.then : expression.otherwise)
      return test.type === 'error' || test.type === 'unknown' ? test : error('a condition has to be a bool')
    }
  }
}

/** `left && right` (decided by false) or `left || right` (decided by true), when left decides nothing. */
function junction(left: Value, right: Value, decisive: boolean): Value {
  if (isBool(right, decisive)) return right
  for (const side of [left, right]) {
    if (side.type === 'error') return side
    if (side.type !== 'bool' && side.type !== 'unknown') return error('&& and || need a bool on both sides')
  }
  return left.type === 'unknown' ? left : right
}

const isBool = (value: Value, expected: boolean) => value.type === 'bool' && value.value === expected

function binary(operator: Exclude<BinaryOperator, '&&' | '||'>, left: Value, right: Value): Value {
  switch (operator) {
    case '==':
      return equality(left, right)
    case '!=':
      return apply(OPERATORS.not, [equality(left, right)])
    case 'in':
      if (right.type !== 'map' || left.type !== 'string') return apply(OPERATORS.in, [left, right])
      return right.partial && !right.entries.has(left.value) ? UNKNOWN : bool(right.entries.has(left.value))
    default:
      return apply(OPERATORS[operator], [left, right])
  }
}

/** Two values of different types differ, whatever is still open in them. */
function equality(left: Value, right: Value): Value {
  for (const side of [left, right]) if (side.type === 'error') return side
  if (left.type === 'unknown' || right.type === 'unknown') return UNKNOWN
  const comparable = isNumber(left.type) ? isNumber(right.type) : left.type === right.type
  if (comparable && (isOpen(left) || isOpen(right))) return UNKNOWN
  return bool(comparable && equal(left, right))
}

const isNumber = (type: Type) => type === 'int' || type === 'float'

function member(target: Value, name: string): Value {
  if (target.type === 'error' || target.type === 'unknown') return target
  return target.type === 'map' ? entryOf(target, name) : error(`${target.type} has no property ${name}`)
}

/** What is made of these parts; the first error among them, or unknown, when there is one. */
function whole(parts: readonly Value[], make: (parts: readonly Value[]) => Value): Value {
  const failed = parts.find(({ type }) => type === 'error')
  if (failed) return failed
  return parts.some(({ type }) => type === 'unknown') ? UNKNOWN : make(parts)
}

function pathOf(parts: readonly Value[]): Value {
  const segments = parts.flatMap((part) => (part.type === 'string' ? [part.value] : []))
  const isPath =
    segments.length === parts.length && segments.every((text) => text !== '' && !text.includes('/'))
  return isPath ? { type: 'path', segments } : error('a path segment has to be a string without slashes')
}

function variable(scope: Environment | null, name: string): Value {
  if (!scope) return error(`unknown name ${name}`)
  return scope.variables.get(name) ?? variable(scope.parent, name)
}

function declaration(
  environment: Environment | null,
  name: string,
): { declaration: FunctionDeclaration; environment: Environment } | null {
  if (!environment) return null
  const found = environment.functions.get(name)
  return found ? { declaration: found, environment } : declaration(environment.parent, name)
}
