import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { CallerIdentity, IdentifyCaller, ReportUnknown } from '../emulator.ts'
import { isDocumentPath, type Path, type ResourceNames } from './names.ts'
import type { Operations } from './operations.ts'
import { parseFirestoreRequest, type RequestSchemas } from './requests.ts'
import { createInvalidArgumentError, createUnimplementedError, StatusError } from './status.ts'

/** Responses are JSON arrays, errors included. */
const STREAMING = new Set(['batchGet', 'runQuery'])

/** These only affect the format of the response. */
const COMMON_PARAMETERS = ['key', '$alt', 'alt', '$prettyPrint', 'prettyPrint']

export function createFirestoreHttp(deps: {
  readonly names: ResourceNames
  readonly operations: Operations
  readonly requests: RequestSchemas
  readonly identify: IdentifyCaller
  readonly listIndexes: () => readonly object[]
  /** Such as 'eur3'. */
  readonly location: string
  readonly reportUnknown: ReportUnknown
}) {
  const { names, operations, requests, identify, listIndexes, location, reportUnknown } = deps

  const answer = async (c: Context): Promise<object> => {
    const { pathname } = new URL(c.req.url)
    const pattern = c.req.method === 'POST' ? /^\/v1\/(.*?)(?::([A-Za-z]+))?$/ : /^\/v1\/(.*)$/
    const [, address = '', verb] = pattern.exec(pathname) ?? []
    const name = address.split('/').map(decode).join('/')
    const identity = await identify(c.req.header('authorization'))
    if (identity.kind === 'invalid')
      throw new StatusError(
        'UNAUTHENTICATED',
        `Request had invalid authentication credentials: ${identity.reason}`,
      )
    if (c.req.method === 'GET' && name === `${names.database}/collectionGroups/-/indexes`)
      return administer(c, identity, ['pageSize'], () => ({ indexes: listIndexes() }))
    if (c.req.method === 'GET' && name === names.database)
      return administer(c, identity, [], () => ({
        name: names.database,
        locationId: location,
        type: 'FIRESTORE_NATIVE',
      }))
    const path = names.parsePath(name)
    return verb === undefined
      ? plainMethod(c, identity, path)
      : customMethod(verb, identity, path, await body(c))
  }

  const body = async (c: Context) => readJson(await c.req.text())

  const administer = (
    c: Context,
    identity: CallerIdentity,
    parameters: readonly string[],
    answerWith: () => object,
  ): object => {
    if (identity.kind !== 'admin')
      throw new StatusError('PERMISSION_DENIED', 'The caller does not have permission')
    requireKnown(new URL(c.req.url).searchParams, parameters)
    return answerWith()
  }

  /** Runs a method such as `:commit`. `path`: the root, or the document above a collection. */
  const customMethod = async (
    verb: string,
    identity: CallerIdentity,
    path: Path,
    body: unknown,
  ): Promise<object> => {
    switch (verb) {
      case 'batchGet': {
        const { documents, ...consistency } = parseFirestoreRequest(requests.batchGet, body)
        return operations.batchGet(identity, documents, consistency)
      }
      case 'commit': {
        const { writes, transaction } = parseFirestoreRequest(requests.commit, body)
        return operations.commit(identity, writes, transaction)
      }
      case 'beginTransaction':
        return operations.beginTransaction(parseFirestoreRequest(requests.beginTransaction, body).options)
      case 'rollback':
        return operations.rollback(parseFirestoreRequest(requests.rollback, body).transaction)
      case 'runQuery': {
        const { structuredQuery, ...consistency } = parseFirestoreRequest(requests.runQuery(path), body)
        return operations.runQuery(identity, structuredQuery, consistency)
      }
      default:
        throw createUnimplementedError(verb)
    }
  }

  const plainMethod = async (c: Context, identity: CallerIdentity, path: Path): Promise<object> => {
    const parameters = new URL(c.req.url).searchParams
    if (c.req.method === 'GET' && isDocumentPath(path)) {
      requireKnown(parameters, [])
      const [answer] = await operations.batchGet(identity, [path], {})
      if (answer && 'found' in answer) return answer.found
      throw new StatusError('NOT_FOUND', `Document "${names.buildName(path)}" not found.`)
    }
    if (c.req.method !== 'PATCH' || !isDocumentPath(path)) throw createUnimplementedError('this method')
    requireKnown(parameters, ['updateMask.fieldPaths', 'currentDocument.exists'])
    const { fields } = parseFirestoreRequest(requests.document, await body(c))
    const paths = parameters.getAll('updateMask.fieldPaths')
    const mask = paths.length > 0 ? parseFirestoreRequest(requests.fieldMask, paths) : null
    const exists = parameters.get('currentDocument.exists')
    const precondition = exists === null ? null : { exists: exists === 'true' }
    return operations.write(identity, { kind: 'update', path, fields, mask, transforms: [], precondition })
  }

  const app = new Hono()
  app.use('/v1/projects/*', cors({ origin: (origin) => origin, allowMethods: ['GET', 'POST', 'PATCH'] }))
  app.all('/v1/projects/*', async (c) => {
    try {
      return c.json(await answer(c))
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      const { pathname } = new URL(c.req.url)
      if (error.status === 'UNIMPLEMENTED')
        reportUnknown('firestore', `${c.req.method} ${pathname}: ${error.message}`)
      const isStream = STREAMING.has(pathname.split(':').at(-1) ?? '')
      return c.json(isStream ? [error.body] : error.body, error.httpCode)
    }
  })
  return app
}

function requireKnown(parameters: URLSearchParams, known: readonly string[]) {
  const unknown = [...parameters.keys()].filter(
    (name) => !known.includes(name) && !COMMON_PARAMETERS.includes(name),
  )
  if (unknown.length > 0) throw createUnimplementedError(unknown.join(', '))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw createInvalidArgumentError('Invalid JSON payload received.')
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw createInvalidArgumentError(`Invalid resource name: ${segment}`)
  }
}
