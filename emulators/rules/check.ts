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

/** As in the hosted service. */
const MAX_PARAMETERS = 7
const MAX_LETS = 10
const MAX_CALL_DEPTH = 20

interface Scope {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>
  readonly variables: ReadonlySet<string>
  readonly parent: Scope | null
}

/** Rejects anything that would fail, or silently never match, at request time. */
export function checkRulesFile(file: RulesFile, service: RulesServiceDefinition) {
  const fail = (problem: string, at: Position): never => {
    throw new RulesSyntaxError(problem, at)
  }
  const isBuiltIn = (name: string): boolean =>
    name === 'request' ||
    name === 'resource' ||
    FUNCTIONS_BY_NAME.has(name) ||
    service.documentFunctions.has(name)

  function checkBlock(block: Block, scope: Scope) {
    for (const declaration of block.functions.values()) checkFunction(declaration, scope)
    for (const match of block.matches) checkMatch(match, scope)
  }

  function checkMatch(match: MatchStatement, parent: Scope) {
    const captures = match.pattern.flatMap((segment) => (segment.kind === 'text' ? [] : [segment.name]))
    const scope = open(parent, match.functions, captures, match.at)
    for (const { condition } of match.allows) checkExpression(condition, scope)
    checkBlock(match, scope)
  }

  function checkFunction(declaration: FunctionDeclaration, scope: Scope) {
    const { at, parameters, lets, result } = declaration
    if (parameters.length > MAX_PARAMETERS) fail(`more than ${MAX_PARAMETERS} parameters`, at)
    if (lets.length > MAX_LETS) fail(`more than ${MAX_LETS} let`, at)
    let inner = open(scope, new Map(), parameters, at)
    for (const binding of lets) {
      checkExpression(binding.value, inner)
      inner = open(inner, new Map(), [binding.name], binding.at)
    }
    checkExpression(result, inner)
    checkDepth(declaration, scope, [])
  }

  /** Names can't be shadowed. */
  function open(
    parent: Scope | null,
    functions: Scope['functions'],
    names: readonly string[],
    at: Position,
  ): Scope {
    const scope = { functions, variables: new Set(names), parent }
    if (scope.variables.size < names.length) fail('a name is used twice', at)
    const taken = (name: string) =>
      isBuiltIn(name) ||
      (parent !== null && (hasVariable(parent, name) || findFunction(parent, name) !== null))
    for (const name of names) if (taken(name) || functions.has(name)) fail(`${name} is already defined`, at)
    for (const { name, at: position } of functions.values()) {
      if (taken(name)) fail(`${name} is already defined`, position)
    }
    return scope
  }

  /** Follows the calls of a function through the scopes of its callees. */
  function checkDepth(
    { name, at, lets, result }: FunctionDeclaration,
    scope: Scope,
    callers: readonly string[],
  ) {
    if (callers.includes(name)) fail(`${name} calls itself`, at)
    if (callers.length >= MAX_CALL_DEPTH) fail(`calls nest deeper than ${MAX_CALL_DEPTH}`, at)
    for (const expression of [...lets.map(({ value }) => value), result]) {
      for (const part of listDescendants(expression)) {
        const called = part.kind === 'call' ? findFunction(scope, part.name) : null
        if (called) checkDepth(called.declaration, called.scope, [...callers, name])
      }
    }
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
    const called = findFunction(scope, name)
    if (called) {
      const { parameters } = called.declaration
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
  const global = open(null, file.global.functions, [], file.at)
  checkBlock(file.global, global)
  checkBlock(file.root, open(global, file.root.functions, [], file.at))
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

function findFunction(
  scope: Scope | null,
  name: string,
): { declaration: FunctionDeclaration; scope: Scope } | null {
  if (!scope) return null
  const declaration = scope.functions.get(name)
  return declaration ? { declaration, scope } : findFunction(scope.parent, name)
}

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
