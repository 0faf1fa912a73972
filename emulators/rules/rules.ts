import type { WireFields } from '../wire.ts'
import { check } from './check.ts'
import { type DocumentFunction, type Environment, evaluate } from './evaluate.ts'
import { parse } from './parser.ts'
import type { RulesRequest, RulesResource } from './request.ts'
import { documentValue, SERVICES, type Service } from './services.ts'
import type { Block, Segment } from './syntax.ts'
import {
  bool,
  error,
  fromJson,
  int,
  map,
  NANOS_PER_MS,
  NULL,
  path,
  segmentsOf,
  string,
  timestamp,
  UNKNOWN,
  type Value,
} from './values.ts'

export { createReleases } from './releases.ts'
export type { RulesRequest } from './request.ts'
export { RulesSyntaxError } from './syntax.ts'

export interface Rules {
  /** Whether one `allow` that matches is definitely true. Errors and unknown values never allow. */
  allows(request: RulesRequest): boolean
}

export type RulesService = keyof typeof SERVICES

/**
 * Compiles a rules file, version 2. Throws a `RulesSyntaxError` with line and column for anything
 * that this interpreter does not understand completely.
 */
export function compileRules(source: string, serviceName: RulesService): Rules {
  const service: Service = SERVICES[serviceName]
  const file = parse(source)
  check(file, service)

  return {
    allows(request) {
      const documentFunction = documentFunctions(service, request)
      const holds = (block: Block, environment: Environment, segments: OpenSegments): boolean =>
        block.matches.some((match) =>
          bindings(match.pattern, segments).some(({ captures, rest }) => {
            const inner: Environment = {
              variables: new Map(captures),
              functions: match.functions,
              parent: environment,
            }
            const isAllowed = match.allows.some(({ methods, condition }) => {
              if (rest.length > 0 || !methods.has(request.method)) return false
              const value = evaluate(condition, inner, documentFunction)
              return value.type === 'bool' && value.value
            })
            return isAllowed || holds(match, inner, rest)
          }),
        )

      const segments = openSegments(request)
      const name = pathValue(segments)
      const resource = (value: RulesResource | null) => (value ? service.resourceValue(value, name) : NULL)
      const variables = new Map([
        ['request', requestValue(request, name, resource(request.requestResource))],
        ['resource', resource(request.resource)],
      ])
      const global: Environment = { variables, functions: file.global.functions, parent: null }
      const root: Environment = { variables: new Map(), functions: file.root.functions, parent: global }
      return holds(file.root, root, segments)
    },
  }
}

/** The segments of the path that is asked for; null is one that a query leaves open. */
type OpenSegments = readonly (string | null)[]

const openSegments = ({ method, path: text, resource }: RulesRequest): OpenSegments =>
  method === 'list' ? [...segmentsOf(text), resource?.id ?? null] : segmentsOf(text)

interface Binding {
  readonly captures: readonly (readonly [string, Value])[]
  readonly rest: OpenSegments
}

/** All ways in which a pattern fits the beginning of a path. */
function bindings(pattern: readonly Segment[], segments: OpenSegments): Binding[] {
  const [first, ...others] = pattern
  if (!first) return [{ captures: [], rest: segments }]
  if (first.kind === 'rest') {
    return Array.from({ length: segments.length + 1 }, (_, taken) =>
      bindings(others, segments.slice(taken)).map(({ captures, rest }) => ({
        captures: [[first.name, pathValue(segments.slice(0, taken))] as const, ...captures],
        rest,
      })),
    ).flat()
  }
  const [segment, ...left] = segments
  if (segment === undefined || (first.kind === 'text' && first.text !== segment)) return []
  return bindings(others, left).map(({ captures, rest }) => ({
    captures: first.kind === 'one' ? [[first.name, textValue(segment)] as const, ...captures] : captures,
    rest,
  }))
}

const textValue = (text: string | null): Value => (text === null ? UNKNOWN : string(text))

const pathValue = (segments: OpenSegments): Value =>
  segments.includes(null) ? UNKNOWN : path(segments.join('/'))

function requestValue({ auth, method, time, query }: RulesRequest, name: Value, resource: Value): Value {
  const optional = (value: number | null): Value => (value === null ? NULL : int(value))
  return map([
    [
      'auth',
      auth
        ? map([
            ['uid', string(auth.uid)],
            ['token', fromJson(auth.token)],
          ])
        : NULL,
    ],
    ['method', string(method)],
    ['path', name],
    ['time', timestamp(BigInt(time) * NANOS_PER_MS)],
    ['resource', resource],
    ...(query
      ? [
          [
            'query',
            map([
              ['limit', optional(query.limit)],
              ['offset', optional(query.offset)],
              ['orderBy', query.orderBy === null ? NULL : string(query.orderBy)],
            ]),
          ] as const,
        ]
      : []),
  ])
}

/** get, exists and their like, for one request: a document is read once, and not too many are. */
function documentFunctions(service: Service, request: RulesRequest): DocumentFunction {
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
    if (!isDocument) return error(`${name} needs the path of a document`)
    const text = `/${target.segments.join('/')}`
    const key = `${kind.after} ${text}`
    if (!seen.has(key)) {
      if (seen.size === service.maxDocuments)
        return error(`more than ${service.maxDocuments} documents are read`)
      seen.set(key, request.read(text, kind.after))
    }
    const fields = seen.get(key) ?? null
    if (kind.yields === 'presence') return bool(fields !== null)
    return fields ? documentValue({ id: target.segments.at(-1) ?? '', fields }, target) : NULL
  }
}
