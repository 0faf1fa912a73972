import { FUNCTIONS_BY_NAME, METHODS_BY_NAME, type Overloads, PATTERN_METHODS } from './operations.ts'
import type { RulesFile } from './parser.ts'
import { compilePattern } from './pattern.ts'
import type { RulesServiceDefinition, Shape } from './services.ts'
import {
  type Block,
  type Expression,
  type FunctionDeclaration,
  type MatchStatement,
  type Position,
  RulesSyntaxError,
} from './syntax.ts'
import { TYPE_TESTS } from './values.ts'

interface Scope {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>
  readonly variables: ReadonlySet<string>
  readonly parent: Scope | null
}

/**
 * Rejects anything that would fail, or silently never match, at request time. Names that hide others, recursion
 * and too long functions are left to the service, which refuses to deploy them.
 */
export function checkRulesFile(file: RulesFile, service: RulesServiceDefinition) {
  const fail = (problem: string, at: Position): never => {
    throw new RulesSyntaxError(problem, at)
  }
  function checkBlock(block: Block, scope: Scope) {
    for (const declaration of block.functions.values()) checkFunction(declaration, scope)
    for (const match of block.matches) checkMatch(match, scope)
  }

  function checkMatch(match: MatchStatement, parent: Scope) {
    const captures = match.pattern.flatMap((segment) => (segment.kind === 'text' ? [] : [segment.name]))
    const scope = { functions: match.functions, variables: new Set(captures), parent }
    for (const { condition } of match.allows) checkExpression(condition, scope)
    checkBlock(match, scope)
  }

  function checkFunction({ parameters, lets, result }: FunctionDeclaration, parent: Scope) {
    const variables = new Set(parameters)
    const inner = { functions: new Map(), variables, parent }
    for (const { name, value } of lets) {
      checkExpression(value, inner)
      variables.add(name)
    }
    checkExpression(result, inner)
  }

  function checkExpression(expression: Expression, scope: Scope) {
    for (const part of listDescendants(expression)) checkPart(part, scope)
  }

  function checkPart(part: Expression, scope: Scope) {
    switch (part.kind) {
      case 'name':
        if (part.name !== 'resource' && !hasVariable(scope, part.name)) {
          fail(`unknown name ${part.name}`, part.at)
        }
        return
      case 'member': {
        const shape = getShape(part.target, service)
        if (shape !== 'any' && !Object.hasOwn(shape, part.name))
          fail(`unknown property ${part.name}`, part.at)
        return
      }
      case 'is':
        if (!TYPE_TESTS.has(part.type)) fail(`unknown type ${part.type}`, part.at)
        return
      case 'call':
        return checkCall(part, scope)
      case 'method': {
        const overloads = METHODS_BY_NAME.get(part.name) ?? fail(`unknown method ${part.name}`, part.at)
        checkArity(part.name, overloads, part.args.length + 1, part.at)
        if (PATTERN_METHODS.has(part.name)) checkPattern(part.args[0])
        return
      }
    }
  }

  function checkCall({ name, args, at }: Extract<Expression, { kind: 'call' }>, scope: Scope) {
    const declared = findFunction(scope, name)
    if (declared) {
      const { parameters } = declared
      if (parameters.length !== args.length) fail(`${name} takes ${parameters.length} arguments`, at)
    } else if (service.documentFunctions.has(name)) {
      if (args.length !== 1) fail(`${name} takes 1 argument`, at)
    } else {
      checkArity(name, FUNCTIONS_BY_NAME.get(name) ?? fail(`unknown function ${name}`, at), args.length, at)
    }
  }

  function checkArity(name: string, overloads: Overloads, given: number, at: Position) {
    if (!overloads.some(({ parameters }) => parameters.length === given)) {
      fail(`wrong number of arguments for ${name}`, at)
    }
  }

  function checkPattern(argument: Expression | undefined) {
    if (argument?.kind !== 'literal' || argument.value.type !== 'string') {
      return argument && fail('a regular expression must be a string literal', argument.at)
    }
    const compiled = compilePattern(argument.value.value)
    return 'problem' in compiled ? fail(compiled.problem, argument.at) : undefined
  }

  if (file.service !== service.name) fail(`expected service ${service.name}, found ${file.service}`, file.at)
  const global = { functions: file.global.functions, variables: new Set<string>(), parent: null }
  checkBlock(file.global, global)
  checkBlock(file.root, { functions: file.root.functions, variables: new Set(), parent: global })
}

/** 'any' for other expressions than `request`, `resource` and their values. */
function getShape(expression: Expression, service: RulesServiceDefinition): Shape {
  if (expression.kind === 'name') {
    if (expression.name === 'request') return service.request
    return expression.name === 'resource' ? service.resource : 'any'
  }
  if (expression.kind !== 'member') return 'any'
  const shape = getShape(expression.target, service)
  return shape === 'any' ? 'any' : (shape[expression.name] ?? 'any')
}

const findFunction = (scope: Scope | null, name: string): FunctionDeclaration | undefined =>
  scope ? (scope.functions.get(name) ?? findFunction(scope.parent, name)) : undefined

const hasVariable = (scope: Scope | null, name: string): boolean =>
  scope !== null && (scope.variables.has(name) || hasVariable(scope.parent, name))

/** `request` is not a value itself; only its properties are. */
const isRequest = (expression: Expression) => expression.kind === 'name' && expression.name === 'request'

function listDescendants(expression: Expression): Expression[] {
  return [expression, ...listChildren(expression).flatMap(listDescendants)]
}

/** The expressions in all fields, which may be lists of them or of entries. */
const listChildren = (expression: Expression): readonly Expression[] =>
  expression.kind === 'member' && isRequest(expression.target)
    ? []
    : Object.values<unknown>(expression)
        .flatMap((field) => [field].flat(2))
        .filter(isExpression)

const isExpression = (field: unknown): field is Expression =>
  typeof field === 'object' && field !== null && 'kind' in field
