import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import * as v from 'valibot'
import type { CallerIdentity, Clock, IdentifyCaller, ReportUnknown } from '../emulator.ts'
import type { RulesRequest, RulesResource } from '../rules/request.ts'
import type { Rules } from '../rules/rules.ts'
import type { WireFields } from '../wire.ts'
import { parseUploadParts } from './multipart.ts'
import {
  type ObjectMetadata,
  type ObjectStore,
  type StoredObject,
  toRulesResource,
  toWireObject,
} from './objects.ts'

/** The SDK repeats the object's name. */
const descriptions = v.strictObject({ name: v.optional(v.string()), contentType: v.optional(v.string()) })

const sealing = v.strictObject({
  metadata: v.strictObject({ firebaseStorageDownloadTokens: v.null() }),
})

/** Each chunk except the last must be a multiple of this size. */
const CHUNK_GRANULARITY = 256 * 1024

export interface Upload {
  readonly bucket: string
  readonly name: string
  readonly descriptions: ObjectMetadata
  /** Any client that knows the upload's ID can continue it as this caller. */
  readonly identity: CallerIdentity
  received: Buffer
  isOver: boolean
}

/** With Google's message. */
class Refusal extends Error {
  readonly code: 400 | 401 | 403 | 404 | 501
  constructor(code: Refusal['code'], message: string) {
    super(message)
    this.code = code
  }
}

const DENIED = () => new Refusal(403, 'Permission denied.')
const NOT_FOUND = () => new Refusal(404, 'Not Found.')

/** Cloud Storage for Firebase, REST version 0, with a part of Cloud Storage's JSON API. */
export function createStorageHttp(deps: {
  readonly clock: Clock
  readonly identify: IdentifyCaller
  readonly rules: Rules
  readonly documentFields: (path: string) => WireFields | null
  readonly objects: ObjectStore
  readonly uploads: Map<string, Upload>
  readonly reportUnknown: ReportUnknown
}) {
  const { clock, rules, documentFields, objects, uploads, reportUnknown } = deps

  /** The SDK's authorization scheme is 'Firebase' instead of 'Bearer'. */
  const identify = async (c: Context): Promise<CallerIdentity> => {
    const identity = await deps.identify(c.req.header('authorization')?.replace(/^Firebase /, 'Bearer '))
    if (identity.kind === 'invalid') throw new Refusal(401, identity.reason)
    return identity
  }

  const allows = (
    identity: CallerIdentity,
    method: RulesRequest['method'],
    { bucket, name }: { bucket: string; name: string },
    next: RulesResource | null = null,
  ): boolean => {
    if (identity.kind === 'admin') return true
    const stored = objects.get(bucket, name)
    return rules.allows({
      method,
      path: `/b/${bucket}/o/${name}`,
      auth: identity.kind === 'user' ? { uid: identity.uid, token: identity.token } : null,
      time: Math.floor(clock.now()),
      resource: stored && toRulesResource(stored),
      requestResource: next,
      read: (path) => documentFields(path.split('/').slice(4).join('/')),
    })
  }

  /** In the rules, overwriting is an update. `size`: announced, before the content arrives. */
  const requireUpload = (identity: CallerIdentity, object: StoredObject, size?: number) => {
    const method = objects.get(object.bucket, object.name) ? 'update' : 'create'
    if (!allows(identity, method, object, toRulesResource(object, size))) throw DENIED()
  }

  const store = (identity: CallerIdentity, object: StoredObject) => {
    requireUpload(identity, object)
    objects.put(object)
    return toWireObject(object)
  }

  const uploadAtOnce = async (c: Context, bucket: string, name: string) => {
    const parts = parseUploadParts(c.req.header('content-type') ?? '', await readBytes(c))
    if (!parts) throw new Refusal(400, 'The body is not in two parts.')
    const identity = await identify(c)
    return c.json(
      store(identity, objects.draft(bucket, name, parts.content, parseDescription(c, parts.description))),
    )
  }

  const beginUpload = async (c: Context, bucket: string, name: string) => {
    const identity = await identify(c)
    parseDescription(c, readJson((await readBytes(c)).toString('utf8') || '{}'))
    const about = { contentType: c.req.header('x-goog-upload-header-content-type') ?? '' }
    const announced = Number(c.req.header('x-goog-upload-header-content-length') ?? 0)
    requireUpload(identity, objects.draft(bucket, name, Buffer.alloc(0), about), announced)
    const id = randomUUID()
    uploads.set(id, { bucket, name, descriptions: about, identity, received: Buffer.alloc(0), isOver: false })
    const query = new URLSearchParams({ name, upload_id: id, upload_protocol: 'resumable' })
    const { origin } = new URL(c.req.url)
    c.header('x-goog-upload-status', 'active')
    c.header('x-goog-upload-url', `${origin}/v0/b/${bucket}/o?${query}`)
    c.header('x-goog-upload-chunk-granularity', String(CHUNK_GRANULARITY))
    return c.body(null, 200)
  }

  const continueUpload = async (c: Context, upload: Upload, commands: readonly string[]) => {
    const tell = () => {
      c.header('x-goog-upload-status', upload.isOver ? 'final' : 'active')
      c.header('x-goog-upload-size-received', String(upload.received.length))
    }
    if (commands.includes('query')) {
      tell()
      return c.body(null, 200)
    }
    const isLast = commands.includes('finalize')
    if (!isLast && !commands.includes('upload')) throw unknownCall(c, commands.join(', '))
    const piece = await readBytes(c)
    if (upload.isOver) throw new Refusal(400, 'The upload is final.')
    const offset = Number(c.req.header('x-goog-upload-offset'))
    if (offset !== upload.received.length)
      throw new Refusal(400, `The offset is ${offset}, but ${upload.received.length} bytes were received.`)
    if (!isLast && piece.length % CHUNK_GRANULARITY !== 0)
      throw new Refusal(400, `A chunk must be a multiple of ${CHUNK_GRANULARITY} bytes.`)
    upload.received = Buffer.concat([upload.received, piece])
    if (!isLast) {
      tell()
      return c.body(null, 200)
    }
    upload.isOver = true
    const { bucket, name, received } = upload
    const stored = store(upload.identity, objects.draft(bucket, name, received, upload.descriptions))
    tell()
    return c.json(stored)
  }

  const post = (c: Context, bucket: string) => {
    const parameters = new URL(c.req.url).searchParams
    const name = parameters.get('name')
    if (!name) throw new Refusal(400, 'An upload needs a name.')
    if (c.req.header('x-goog-upload-protocol') === 'multipart') return uploadAtOnce(c, bucket, name)
    const commands = (c.req.header('x-goog-upload-command') ?? '').split(/,\s*/)
    if (commands.includes('start')) return beginUpload(c, bucket, name)
    const upload = uploads.get(parameters.get('upload_id') ?? '')
    if (!upload) throw NOT_FOUND()
    return continueUpload(c, upload, commands)
  }

  const read = async (c: Context, bucket: string, name: string) => {
    const parameters = new URL(c.req.url).searchParams
    const stored = objects.get(bucket, name)
    const hasToken = stored?.downloadTokens.includes(parameters.get('token') ?? '')
    if (!hasToken && !allows(await identify(c), 'get', { bucket, name })) throw DENIED()
    if (!stored) throw NOT_FOUND()
    if (parameters.get('alt') !== 'media') return c.json(toWireObject(stored))
    const { contentType, contentDisposition } = toWireObject(stored)
    return c.body(new Uint8Array(stored.content), 200, {
      'content-type': contentType ?? '',
      'content-disposition': contentDisposition,
      'cache-control': 'private, max-age=0',
    })
  }

  const remove = async (c: Context, bucket: string, name: string) => {
    if (!allows(await identify(c), 'delete', { bucket, name })) throw DENIED()
    if (!objects.get(bucket, name)) throw NOT_FOUND()
    objects.remove(bucket, name)
    return c.body(null, 204)
  }

  const unknownCall = (c: Context, what: string) => {
    const { pathname } = new URL(c.req.url)
    reportUnknown('storage', `${c.req.method} ${pathname}: ${what}`)
    return new Refusal(501, `Not implemented: ${what}`)
  }

  const parseDescription = (c: Context, value: unknown): ObjectMetadata => {
    const { success, output } = v.safeParse(descriptions, value)
    if (!success) throw unknownCall(c, 'this metadata')
    return output.contentType === undefined ? {} : { contentType: output.contentType }
  }

  const answer = (c: Context): Response | Promise<Response> => {
    const [, bucket = '', name] = /^\/v0\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(new URL(c.req.url).pathname) ?? []
    const { method } = c.req
    if (bucket && name === undefined && method === 'POST') return post(c, decode(bucket))
    if (bucket && name !== undefined) {
      const place = [c, decode(bucket), decode(name)] as const
      if (method === 'GET') return read(...place)
      if (method === 'DELETE') return remove(...place)
    }
    throw unknownCall(c, 'this method')
  }

  /** As far as the admin SDK needs it. */
  const administer = async (c: Context): Promise<Response> => {
    if ((await identify(c)).kind !== 'admin') throw DENIED()
    const { pathname, searchParams } = new URL(c.req.url)
    const [, bucket = '', name] = /^\/storage\/v1\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(pathname) ?? []
    if (bucket && name === undefined && c.req.method === 'GET') return list(c, decode(bucket), searchParams)
    if (bucket && name !== undefined && c.req.method === 'DELETE')
      return remove(c, decode(bucket), decode(name))
    if (bucket && name !== undefined && c.req.method === 'GET' && searchParams.get('alt') === 'media')
      return read(c, decode(bucket), decode(name))
    if (bucket && name !== undefined && c.req.method === 'PATCH')
      return removeDownloadTokens(c, decode(bucket), decode(name))
    throw unknownCall(c, 'this method')
  }

  /** The call sets the tokens to null; no other change is supported. */
  const removeDownloadTokens = async (c: Context, bucket: string, name: string): Promise<Response> => {
    if (!v.is(sealing, readJson(await c.req.text()))) throw unknownCall(c, 'this change')
    const object = objects.get(bucket, name)
    if (!object) throw NOT_FOUND()
    const sealed = objects.withoutDownloadTokens(object)
    objects.put(sealed)
    return c.json({ kind: 'storage#object', ...toWireObject(sealed) })
  }

  const list = (c: Context, bucket: string, parameters: URLSearchParams): Response => {
    const other = [...parameters.keys()].find((key) => !['prefix', 'maxResults'].includes(key))
    if (other) throw unknownCall(c, other)
    const found = objects
      .all()
      .filter((object) => object.bucket === bucket && object.name.startsWith(parameters.get('prefix') ?? ''))
      .slice(0, Number(parameters.get('maxResults') ?? 1000))
    const items = found.map((object) => ({ kind: 'storage#object', ...toWireObject(object) }))
    // As in the real service, an empty `items` is left out.
    return c.json({ kind: 'storage#objects', ...(items.length > 0 && { items }) })
  }

  const app = new Hono()
  app.use(
    '/v0/*',
    cors({
      origin: (origin) => origin,
      allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'],
      exposeHeaders: ['X-Goog-Upload-Status', 'X-Goog-Upload-URL', 'X-Goog-Upload-Size-Received'],
    }),
  )
  const refusing = (handle: (c: Context) => Response | Promise<Response>) => async (c: Context) => {
    try {
      return await handle(c)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return c.json({ error: { code: error.code, message: error.message } }, error.code)
    }
  }
  app.all('/v0/*', refusing(answer))
  app.all('/storage/v1/*', refusing(administer))
  return app
}

const readBytes = async (c: Context) => Buffer.from(await c.req.arrayBuffer())

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'Invalid JSON payload received.')
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Refusal(400, `Invalid resource name: ${segment}`)
  }
}
