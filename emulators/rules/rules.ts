import type { WireFields } from '../wire.ts'
import { checkRulesFile } from './check.ts'
import { type DocumentFunction, evaluateExpression, type RulesScope } from './evaluate.ts'
import { parseRulesFile } from './parser.ts'
import type { RulesRequest, RulesResource } from './request.ts'
import { buildDocumentValue, RULES_SERVICES, type RulesServiceDefinition } from './services.ts'
import type { Block, Segment } from './syntax.ts'
import {
  buildBool,
  buildError,
  buildMap,
  buildString,
  buildTimestamp,
  NANOS_PER_MS,
  NULL_VALUE,
  parsePathValue,
  splitPath,
  toRulesValue,
  UNKNOWN_VALUE,
  type Value,
} from './values.ts'

export type { RulesRequest } from './request.ts'
export { createRulesApi } from './rulesApi.ts'
export { RulesSyntaxError } from './syntax.ts'

export interface Rules {
  /** Errors and unknown values never allow. */
  allows(request: RulesRequest): boolean
}

export type RulesServiceName = keyof typeof RULES_SERVICES

/** Throws a `RulesSyntaxError` for anything that this interpreter does not fully support. */
export function compileRules(source: string, serviceName: RulesServiceName): Rules {
  const service: RulesServiceDefinition = RULES_SERVICES[serviceName]
  const file = parseRulesFile(source)
  checkRulesFile(file, service)

  return {
    allows(request) {
      const documentFunction = createDocumentFunction(service, request)
      const holds = (block: Block, environment: RulesScope, segments: OpenSegments): boolean =>
        block.matches.some((match) => {
          const variables = bindSegments(match.pattern, segments)
          if (!variables) return false
          const inner: RulesScope = { variables, functions: match.functions, parent: environment }
          const rest = segments.slice(match.pattern.length)
          const isAllowed = match.allows.some(({ methods, condition }) => {
            if (rest.length > 0 || !methods.has(request.method)) return false
            const value = evaluateExpression(condition, inner, documentFunction)
            return value.type === 'bool' && value.value
          })
          return isAllowed || holds(match, inner, rest)
        })

      const segments = openSegments(request)
      const name = pathValue(segments)
      const resource = (value: RulesResource | null) =>
        value ? service.resourceValue(value, name) : NULL_VALUE
      const variables = new Map([
        ['request', requestValue(request, name, resource(request.requestResource))],
        ['resource', resource(request.resource)],
      ])
      const global: RulesScope = { variables, functions: file.global.functions, parent: null }
      const root: RulesScope = { variables: new Map(), functions: file.root.functions, parent: global }
      return holds(file.root, root, segments)
    },
  }
}

/** Null for a segment that a query does not fix. */
type OpenSegments = readonly (string | null)[]

const openSegments = ({ method, path: text, resource }: RulesRequest): OpenSegments =>
  method === 'list' ? [...splitPath(text), resource?.id ?? null] : splitPath(text)

/** Null if the pattern does not match the first segments. */
function bindSegments(pattern: readonly Segment[], segments: OpenSegments): Map<string, Value> | null {
  const captures = new Map<string, Value>()
  for (const [index, one] of pattern.entries()) {
    const segment = segments[index]
    if (segment === undefined || (one.kind === 'text' && one.text !== segment)) return null
    if (one.kind === 'capture') captures.set(one.name, textValue(segment))
  }
  return captures
}

const textValue = (text: string | null): Value => (text === null ? UNKNOWN_VALUE : buildString(text))

const pathValue = (segments: OpenSegments): Value =>
  segments.includes(null) ? UNKNOWN_VALUE : parsePathValue(segments.join('/'))

function requestValue({ auth, method, time }: RulesRequest, name: Value, resource: Value): Value {
  return buildMap([
    [
      'auth',
      auth
        ? buildMap([
            ['uid', buildString(auth.uid)],
            ['token', toRulesValue(auth.token)],
          ])
        : NULL_VALUE,
    ],
    ['method', buildString(method)],
    ['path', name],
    ['time', buildTimestamp(BigInt(time) * NANOS_PER_MS)],
    ['resource', resource],
  ])
}

/** Each document is read once, and their number is limited. */
function createDocumentFunction(service: RulesServiceDefinition, request: RulesRequest): DocumentFunction {
  const seen = new Map<string, WireFields | null>()
  return (name, target) => {
    const kind = service.documentFunctions.get(name)
    if (!kind) return null
    if (target.type === 'error' || target.type === 'unknown') return target
    const isDocument =
      target.type === 'path' &&
      target.segments[0] === 'databases' &&
      target.segments[2] === 'documents' &&
      target.segments.length > 3 &&
      target.segments.length % 2 === 1
    if (!isDocument) return buildError(`${name} needs the path of a document`)
    const text = `/${target.segments.join('/')}`
    if (!seen.has(text)) {
      if (seen.size === service.maxDocuments)
        return buildError(`more than ${service.maxDocuments} documents are read`)
      seen.set(text, request.read(text))
    }
    const fields = seen.get(text) ?? null
    if (kind === 'presence') return buildBool(fields !== null)
    return fields ? buildDocumentValue({ id: target.segments.at(-1) ?? '', fields }, target) : NULL_VALUE
  }
}
