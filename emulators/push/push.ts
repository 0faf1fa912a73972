import { createECDH, type ECDH, randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { importJWK, jwtVerify } from 'jose'
import * as v from 'valibot'
import type { Clock, ReportUnknown } from '../emulator.ts'
import { createSecret } from '../emulator.ts'
import { decryptMessage } from './encryption.ts'

/** Push services must accept this size (RFC 8030, section 7.2); most accept no more. */
const MAX_BYTES = 4096
const MAX_TTL = 28 * 24 * 3600
/** In seconds (RFC 8292). */
const MAX_EXPIRY = 24 * 3600

export interface PushOptions {
  readonly clock: Clock
  readonly reportUnknown: ReportUnknown
  /** Read at each use. */
  readonly origin: () => string
}

/** `PushSubscription.toJSON()` in the browser. */
export interface PushSubscriptionJson {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

export interface DecryptedPush {
  readonly endpoint: string
  /** The emulator is also the browser, and has its keys. */
  readonly text: string
  readonly ttl: number
  readonly urgency: string
  readonly topic: string | null
  /** `sub` in the sender's signature. */
  readonly subject: string
}

export type PushEmulator = ReturnType<typeof createPushEmulator>

interface Subscription extends PushSubscriptionJson {
  readonly sender: string
  readonly key: ECDH
  isOpen: boolean
}

const subscribing = v.strictObject({ applicationServerKey: v.pipe(v.string(), v.regex(/^B[\w-]{86}$/)) })
const URGENCIES = ['very-low', 'low', 'normal', 'high']

/** Emulates a push service (RFC 8030) and its browsers. Test pages subscribe at `/push/subscriptions`. */
export function createPushEmulator({ clock, reportUnknown, origin }: PushOptions) {
  let subscriptions = new Map<string, Subscription>()
  let messages: DecryptedPush[] = []
  const app = new Hono()

  /** The key is base64url. */
  const subscribe = (sender: string): PushSubscriptionJson => {
    const key = createECDH('prime256v1')
    const keys = {
      p256dh: key.generateKeys('base64url'),
      auth: randomBytes(16).toString('base64url'),
    }
    const endpoint = `${origin()}/push/send/${createSecret()}`
    subscriptions.set(endpoint, { endpoint, keys, sender, key, isOpen: true })
    return { endpoint, keys }
  }
  /** Senders learn this from the response to their next message. */
  const end = (endpoint: string) => {
    const subscription = subscriptions.get(endpoint)
    if (subscription) subscription.isOpen = false
  }

  app.post('/push/subscriptions', async (c) => {
    const { success, output } = v.safeParse(subscribing, await c.req.json().catch(() => undefined))
    return success ? c.json(subscribe(output.applicationServerKey), 201) : c.json({ error: 'No key' }, 400)
  })
  app.delete('/push/subscriptions', (c) => {
    end(c.req.query('endpoint') ?? '')
    return c.body(null, 204)
  })
  app.get('/push/messages', (c) => c.json(messages))

  app.post('/push/send/:id', async (c) => {
    const endpoint = `${origin()}/push/send/${c.req.param('id')}`
    const subscription = subscriptions.get(endpoint)
    if (!subscription) return c.text('No such subscription', 404)
    if (!subscription.isOpen) return c.text('The subscription has ended', 410)
    const signed = await verifySignature(c.req.header('authorization'), origin(), clock.now())
    if (signed === null) return c.text('The signature is invalid', 401)
    if (signed.key !== subscription.sender) return c.text('The request is signed with another key', 403)
    const body = Buffer.from(await c.req.arrayBuffer())
    if (body.length > MAX_BYTES) return c.text('Too large', 413)
    const ttl = Number(c.req.header('ttl'))
    if (c.req.header('ttl') === undefined || !Number.isInteger(ttl) || ttl < 0)
      return c.text('The TTL is missing', 400)
    const urgency = c.req.header('urgency') ?? 'normal'
    const topic = c.req.header('topic') ?? null
    if (!URGENCIES.includes(urgency) || (topic !== null && !/^[\w-]{1,32}$/.test(topic)))
      return c.text('Urgency or topic is malformed', 400)
    if (c.req.header('content-encoding') !== 'aes128gcm') {
      reportUnknown('push', `content-encoding ${c.req.header('content-encoding')}`)
      return c.text('Only aes128gcm is supported', 501)
    }
    const text = decryptMessage(body, subscription.key, subscription.keys.auth)
    if (text === null) return c.text('Not encrypted for this subscription', 400)
    const isSame = (one: DecryptedPush) => topic !== null && one.endpoint === endpoint && one.topic === topic
    messages = [
      ...messages.filter((one) => !isSame(one)),
      { endpoint, text, ttl: Math.min(ttl, MAX_TTL), urgency, topic, subject: signed.subject },
    ]
    return c.body(null, 201, { location: `${origin()}/push/messages/${createSecret()}`, ttl: String(ttl) })
  })

  return {
    app,
    reset() {
      subscriptions = new Map()
      messages = []
    },
    subscribe,
    end,
    /** Oldest first; only the last message of each topic and subscription. */
    messages: (): readonly DecryptedPush[] => messages,
  }
}

/** Null if forged, expired, for another audience, valid for longer than a day, or without a contact. */
async function verifySignature(
  header: string | undefined,
  audience: string,
  now: number,
): Promise<{ readonly key: string; readonly subject: string } | null> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header ?? '') ?? []
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65) return null
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  try {
    const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256')
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['ES256'],
      audience,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(now),
    })
    const { exp = 0, sub: subject = '' } = payload
    return exp - now / 1000 <= MAX_EXPIRY && /^(mailto:|https:)/.test(subject) ? { key, subject } : null
  } catch {
    return null
  }
}
