import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Identify, Identity, ReportUnknown } from '../emulator.ts'
import { isDocumentPath, type Names, type Path } from './names.ts'
import type { Operations } from './operations.ts'
import type { Query } from './query.ts'
import { type Requests, readRequest } from './requests.ts'
import { invalidArgument, StatusError, unimplemented } from './status.ts'

/** Their answers are JSON arrays, errors included. */
const STREAMING = new Set(['batchGet', 'runQuery'])

const MAX_REQUEST_BYTES = 10_485_760

const PRECONDITION_PARAMETERS = ['currentDocument.exists', 'currentDocument.updateTime']

/** Parameters that any method may have: they shape the answer, or say who asks in ways that do not matter here. */
const COMMON_PARAMETERS = ['key', '$alt', 'alt', '$prettyPrint', 'prettyPrint']

/** The service's HTTP surface: Firestore's REST API, version 1. */
export function createHttp(deps: {
  readonly names: Names
  readonly operations: Operations
  readonly requests: Requests
  readonly identify: Identify
  readonly listIndexes: () => readonly object[]
  /** Where the database is, as the service calls it. */
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
    const path = names.pathOf(name)
    return verb === undefined
      ? plainMethod(c, identity, path)
      : customMethod(verb, identity, path, await body(c))
  }

  const body = async (c: Context) => {
    const text = await c.req.text()
    if (Buffer.byteLength(text) > MAX_REQUEST_BYTES)
      throw invalidArgument(`Request payload size exceeds the limit: ${MAX_REQUEST_BYTES} bytes.`)
    return readJson(text)
  }

  /** What the administrator alone may ask: the indexes of all collections, never so many that they have pages, and the database. */
  const administer = (
    c: Context,
    identity: Identity,
    parameters: readonly string[],
    answerWith: () => object,
  ): object => {
    if (identity.kind !== 'admin')
      throw new StatusError('PERMISSION_DENIED', 'The caller does not have permission')
    requireKnown(new URL(c.req.url).searchParams, parameters)
    return answerWith()
  }

  /** The methods after a colon. `path` is what the call is about: the root, or the document above a collection. */
  const customMethod = async (
    verb: string,
    identity: Identity,
    path: Path,
    body: unknown,
  ): Promise<object> => {
    switch (verb) {
      case 'batchGet': {
        const { documents, mask, ...consistency } = readRequest(requests.batchGet, body)
        return operations.batchGet(identity, documents, mask, consistency)
      }
      case 'commit': {
        const { writes, transaction } = readRequest(requests.commit, body)
        return operations.commit(identity, writes, transaction)
      }
      case 'beginTransaction':
        return operations.beginTransaction(readRequest(requests.beginTransaction, body).options)
      case 'rollback':
        return operations.rollback(readRequest(requests.rollback, body).transaction)
      case 'runQuery': {
        const { structuredQuery, ...consistency } = readRequest(requests.runQuery(path), body)
        return operations.runQuery(identity, structuredQuery, consistency)
      }
      default:
        throw unimplemented(verb)
    }
  }

  /** GET, PATCH and DELETE of one document, and GET of a collection. */
  const plainMethod = async (c: Context, identity: Identity, path: Path): Promise<object> => {
    if (path === '') throw unimplemented('the root')
    const { method } = c.req
    const parameters = new URL(c.req.url).searchParams
    if (method === 'GET' && isDocumentPath(path)) {
      requireKnown(parameters, [])
      const [found] = await operations.batchGet(identity, [path], undefined, {})
      if (found && 'found' in found) return found.found
      throw new StatusError('NOT_FOUND', `Document "${names.nameOf(path)}" not found.`)
    }
    if (method === 'PATCH' && isDocumentPath(path)) {
      requireKnown(parameters, ['updateMask.fieldPaths', ...PRECONDITION_PARAMETERS])
      const { fields } = readRequest(requests.document, await body(c))
      const updated = maskOf(parameters, 'updateMask.fieldPaths') ?? null
      const precondition = preconditionOf(parameters)
      return operations.write(identity, {
        kind: 'update',
        path,
        fields,
        mask: updated,
        transforms: [],
        precondition,
      })
    }
    if (method === 'GET') {
      requireKnown(parameters, [])
      const found = await operations.runQuery(identity, allOf(path), {})
      return { documents: found.flatMap((one) => ('document' in one ? [one.document] : [])) }
    }
    if (method === 'DELETE' && isDocumentPath(path)) {
      requireKnown(parameters, [])
      return operations.write(identity, { kind: 'delete', path, precondition: null })
    }
    throw unimplemented('this method')
  }

  const maskOf = (parameters: URLSearchParams, name: string) =>
    parameters.has(name) ? readRequest(requests.fieldMask, parameters.getAll(name)) : undefined

  const preconditionOf = (parameters: URLSearchParams) => {
    const exists = parameters.get('currentDocument.exists')
    const updateTime = parameters.get('currentDocument.updateTime')
    return readRequest(requests.precondition, {
      ...(exists === null ? {} : { exists: exists === 'true' }),
      ...(updateTime === null ? {} : { updateTime }),
    })
  }

  /** The real service answers 100 documents a page. */
  const allOf = (collection: Path): Query => ({
    collection,
    where: null,
    orderBy: [],
    startAt: null,
    endAt: null,
    offset: 0,
    limit: null,
    select: null,
  })

  const app = new Hono()
  app.use(
    '/v1/projects/*',
    cors({ origin: (origin) => origin, allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'] }),
  )
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
  if (unknown.length > 0) throw unimplemented(unknown.join(', '))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidArgument('Invalid JSON payload received.')
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw invalidArgument(`Invalid resource name: ${segment}`)
  }
}
