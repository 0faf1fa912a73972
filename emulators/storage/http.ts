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
  type ObjectPath,
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
    path: ObjectPath,
    next: RulesResource | null = null,
  ): boolean => {
    if (identity.kind === 'admin') return true
    const object = objects.get(path)
    return rules.allows({
      method,
      path: `/b/${path.bucket}/o/${path.name}`,
      auth: identity.kind === 'user' ? { uid: identity.uid, token: identity.token } : null,
      time: Math.floor(clock.now()),
      resource: object && toRulesResource(object),
      requestResource: next,
      read: (path) => documentFields(path.split('/').slice(4).join('/')),
    })
  }

  /** In the rules, overwriting is an update. `size`: announced, before the content arrives. */
  const requireUpload = (identity: CallerIdentity, object: StoredObject, size?: number) => {
    const method = objects.get(object) ? 'update' : 'create'
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

  const read = async (c: Context, path: ObjectPath) => {
    const object = objects.get(path)
    const hasToken = object?.downloadTokens.includes(c.req.query('token') ?? '')
    if (!hasToken && !allows(await identify(c), 'get', path)) throw DENIED()
    if (!object) throw NOT_FOUND()
    if (c.req.query('alt') !== 'media') return c.json(toWireObject(object))
    const { contentType, contentDisposition } = toWireObject(object)
    return c.body(new Uint8Array(object.content), 200, {
      'content-type': contentType ?? '',
      'content-disposition': contentDisposition,
      'cache-control': 'private, max-age=0',
    })
  }

  const remove = async (c: Context, path: ObjectPath) => {
    if (!allows(await identify(c), 'delete', path)) throw DENIED()
    if (!objects.get(path)) throw NOT_FOUND()
    objects.remove(path)
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

  /** The call sets the tokens to null; no other change is supported. */
  const removeDownloadTokens = async (c: Context, path: ObjectPath): Promise<Response> => {
    if (!v.is(sealing, readJson(await c.req.text()))) throw unknownCall(c, 'this change')
    const object = objects.get(path)
    if (!object) throw NOT_FOUND()
    const sealed = objects.withoutDownloadTokens(object)
    objects.put(sealed)
    return c.json({ kind: 'storage#object', ...toWireObject(sealed) })
  }

  const list = (c: Context, bucket: string): Response => {
    const { prefix = '', maxResults = '1000', ...others } = c.req.query()
    for (const parameter of Object.keys(others)) throw unknownCall(c, parameter)
    const page = objects
      .all()
      .filter((object) => object.bucket === bucket && object.name.startsWith(prefix))
      .slice(0, Number(maxResults))
    const items = page.map((object) => ({ kind: 'storage#object', ...toWireObject(object) }))
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
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) throw error
    return c.json({ error: { code: error.code, message: error.message } }, error.code)
  })
  app.post('/v0/b/:bucket/o', (c) => post(c, c.req.param('bucket')))
  app.get('/v0/b/:bucket/o/:name{.+}', (c) => read(c, c.req.param()))
  app.delete('/v0/b/:bucket/o/:name{.+}', (c) => remove(c, c.req.param()))
  // As far as the admin SDK needs it.
  app.use('/storage/v1/*', async (c, next) => {
    if ((await identify(c)).kind !== 'admin') throw DENIED()
    return next()
  })
  app.get('/storage/v1/b/:bucket/o', (c) => list(c, c.req.param('bucket')))
  app.get('/storage/v1/b/:bucket/o/:name{.+}', (c) => {
    if (c.req.query('alt') !== 'media') throw unknownCall(c, 'this method')
    return read(c, c.req.param())
  })
  app.patch('/storage/v1/b/:bucket/o/:name{.+}', (c) => removeDownloadTokens(c, c.req.param()))
  app.delete('/storage/v1/b/:bucket/o/:name{.+}', (c) => remove(c, c.req.param()))
  for (const path of ['/v0/*', '/storage/v1/*'])
    app.all(path, (c) => {
      throw unknownCall(c, 'this method')
    })
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
