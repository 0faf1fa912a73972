import { applyOperation, FUNCTIONS_BY_NAME, getMapEntry, METHODS_BY_NAME, OPERATORS } from './operations.ts'
import type { BinaryOperator, Expression, FunctionDeclaration } from './syntax.ts'
import {
  areRulesValuesEqual,
  buildBool,
  buildError,
  buildList,
  buildMap,
  buildString,
  hasUnknown,
  UNKNOWN_VALUE,
  type Value,
  type ValueType,
} from './values.ts'

export interface RulesScope {
  readonly variables: ReadonlyMap<string, Value>
  readonly functions: ReadonlyMap<string, FunctionDeclaration>
  readonly parent: RulesScope | null
}

/** Null for functions other than `get`, `exists` and similar ones. */
export type DocumentFunction = (name: string, path: Value) => Value | null

/** Never throws: a failure is an error value, and a value that a query does not fix is unknown. */
export function evaluateExpression(
  expression: Expression,
  scope: RulesScope,
  documentFunction: DocumentFunction,
): Value {
  const resolve = (inner: Expression, environment = scope) =>
    evaluateExpression(inner, environment, documentFunction)

  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'list':
      return combineParts(
        expression.items.map((item) => resolve(item)),
        buildList,
      )
    case 'map':
      return combineParts(
        expression.entries.map(([, value]) => resolve(value)),
        (values) => buildMap(expression.entries.map(([key], index) => [key, values[index] ?? UNKNOWN_VALUE])),
      )
    case 'path':
      return combineParts(
        expression.segments.map((part) => (typeof part === 'string' ? buildString(part) : resolve(part))),
        buildPathValue,
      )
    case 'name':
      return variable(scope, expression.name)
    case 'member':
      return member(resolve(expression.target), expression.name)
    case 'index': {
      const target = resolve(expression.target)
      const index = resolve(expression.index)
      return target.type === 'map' && index.type === 'string'
        ? getMapEntry(target, index.value)
        : applyOperation(OPERATORS.index, [target, index])
    }
    case 'call': {
      const args = expression.args.map((argument) => resolve(argument))
      const declared = declaration(scope, expression.name)
      if (declared) {
        const { parameters, lets, result } = declared.declaration
        const variables = new Map(parameters.map((name, index) => [name, args[index] ?? UNKNOWN_VALUE]))
        const inner: RulesScope = { variables, functions: new Map(), parent: declared.environment }
        for (const { name, value } of lets) variables.set(name, resolve(value, inner))
        return resolve(result, inner)
      }
      return (
        documentFunction(expression.name, args[0] ?? UNKNOWN_VALUE) ??
        applyOperation(FUNCTIONS_BY_NAME.get(expression.name) ?? [], args)
      )
    }
    case 'method': {
      const target = resolve(expression.target)
      const args = expression.args.map((argument) => resolve(argument))
      const [key] = args
      if (expression.name === 'get' && target.type === 'map' && target.partial && key?.type === 'string') {
        return target.entries.get(key.value) ?? UNKNOWN_VALUE
      }
      return applyOperation(METHODS_BY_NAME.get(expression.name) ?? [], [target, ...args])
    }
    case 'not':
      return applyOperation(OPERATORS.not, [resolve(expression.operand)])
    case 'is': {
      const operand = resolve(expression.operand)
      if (operand.type === 'error' || operand.type === 'unknown') return operand
      return buildBool(operand.type === expression.type)
    }
    case 'binary': {
      const { operator } = expression
      const left = resolve(expression.left)
      if (operator === '&&' || operator === '||') {
        const decisive = operator === '||'
        if (isBool(left, decisive)) return left
        return evaluateJunction(left, resolve(expression.right), decisive)
      }
      return binary(operator, left, resolve(expression.right))
    }
    case 'conditional': {
      const test = resolve(expression.test)
      if (test.type === 'bool') return resolve(test.value ? expression.then : expression.otherwise)
      return test.type === 'error' || test.type === 'unknown'
        ? test
        : buildError('a condition must be a bool')
    }
  }
}

/** False decides `left && right`, true decides `left || right`. */
function evaluateJunction(left: Value, right: Value, decisive: boolean): Value {
  if (isBool(right, decisive)) return right
  for (const side of [left, right]) {
    if (side.type === 'error') return side
    if (side.type !== 'bool' && side.type !== 'unknown')
      return buildError('&& and || need a bool on both sides')
  }
  return left.type === 'unknown' ? left : right
}

const isBool = (value: Value, expected: boolean) => value.type === 'bool' && value.value === expected

function binary(operator: Exclude<BinaryOperator, '&&' | '||'>, left: Value, right: Value): Value {
  switch (operator) {
    case '==':
      return compareForEquality(left, right)
    case '!=':
      return applyOperation(OPERATORS.not, [compareForEquality(left, right)])
    case 'in':
      if (right.type !== 'map' || left.type !== 'string') return applyOperation(OPERATORS.in, [left, right])
      return right.partial && !right.entries.has(left.value)
        ? UNKNOWN_VALUE
        : buildBool(right.entries.has(left.value))
    default:
      return applyOperation(OPERATORS[operator], [left, right])
  }
}

/** Values of different types differ, even if parts are unknown. */
function compareForEquality(left: Value, right: Value): Value {
  for (const side of [left, right]) if (side.type === 'error') return side
  if (left.type === 'unknown' || right.type === 'unknown') return UNKNOWN_VALUE
  const comparable = isNumber(left.type) ? isNumber(right.type) : left.type === right.type
  if (comparable && (hasUnknown(left) || hasUnknown(right))) return UNKNOWN_VALUE
  return buildBool(comparable && areRulesValuesEqual(left, right))
}

const isNumber = (type: ValueType) => type === 'int' || type === 'float'

function member(target: Value, name: string): Value {
  if (target.type === 'error' || target.type === 'unknown') return target
  return target.type === 'map'
    ? getMapEntry(target, name)
    : buildError(`${target.type} has no property ${name}`)
}

/** Returns the first error among the parts, or unknown if a part is unknown. */
function combineParts(parts: readonly Value[], make: (parts: readonly Value[]) => Value): Value {
  const failed = parts.find(({ type }) => type === 'error')
  if (failed) return failed
  return parts.some(({ type }) => type === 'unknown') ? UNKNOWN_VALUE : make(parts)
}

function buildPathValue(parts: readonly Value[]): Value {
  const segments = parts.flatMap((part) => (part.type === 'string' ? [part.value] : []))
  const isPath =
    segments.length === parts.length && segments.every((text) => text !== '' && !text.includes('/'))
  return isPath ? { type: 'path', segments } : buildError('a path segment must be a string without slashes')
}

function variable(scope: RulesScope | null, name: string): Value {
  if (!scope) return buildError(`unknown name ${name}`)
  return scope.variables.get(name) ?? variable(scope.parent, name)
}

function declaration(
  environment: RulesScope | null,
  name: string,
): { declaration: FunctionDeclaration; environment: RulesScope } | null {
  if (!environment) return null
  const found = environment.functions.get(name)
  return found ? { declaration: found, environment } : declaration(environment.parent, name)
}
