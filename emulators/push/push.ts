import { createECDH, type ECDH, randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { importJWK, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Clock, Emulator, ReportUnknown } from '../emulator.ts'
import { newSecret } from '../emulator.ts'
import { decrypted } from './encryption.ts'

/** What every push service takes at least, in bytes (RFC 8030, section 7.2); the others take no more. */
const MOST_BYTES = 4096
const MOST_TTL = 28 * 24 * 3600
/** RFC 8292: a signature is good for a day at most. In seconds. */
const LONGEST_SIGNED = 24 * 3600

export interface PushDeps {
  readonly clock: Clock
  readonly reportUnknown: ReportUnknown
  /** Where browsers and senders reach the service; asked at each use. */
  readonly origin: () => string
}

/** What a browser hands to its page: `PushSubscription.toJSON()`. */
export interface Subscribed {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

export interface PushedMessage {
  readonly endpoint: string
  /** What it says, for this service is the browser too and has its keys. */
  readonly text: string
  /** In seconds. */
  readonly ttl: number
  readonly urgency: string
  readonly topic: string | null
  /** Of the sender's signature. */
  readonly subject: string
}

export interface PushEmulator extends Emulator {
  /** What the browser does: from now on messages may come that this key (base64url) has signed. */
  subscribe(applicationServerKey: string): Subscribed
  /** The browser has unsubscribed, or its person has taken the permission away: senders learn it when they send. */
  end(endpoint: string): void
  /** Whether a message could come to it. */
  isOpen(endpoint: string): boolean
  /** What was taken and would be on its way to browsers, the oldest first; of one topic the last. */
  messages(): readonly PushedMessage[]
}

interface Subscription extends Subscribed {
  readonly sender: string
  readonly key: ECDH
  isOpen: boolean
}

const subscribing = z.strictObject({ applicationServerKey: z.string().regex(/^B[\w-]{86}$/) })
const URGENCIES = ['very-low', 'low', 'normal', 'high']

/**
 * A push service (RFC 8030) with the browsers that use it: messages are signed by the key that a browser subscribed with (RFC 8292) and
 * encrypted for it (RFC 8291). Pages that play a browser subscribe below `/push/subscriptions`.
 */
export function createPush({ clock, reportUnknown, origin }: PushDeps): PushEmulator {
  let subscriptions = new Map<string, Subscription>()
  let messages: PushedMessage[] = []
  const app = new Hono()

  const subscribe = (sender: string): Subscribed => {
    const key = createECDH('prime256v1')
    const keys = {
      p256dh: key.generateKeys('base64url'),
      auth: randomBytes(16).toString('base64url'),
    }
    const endpoint = `${origin()}/push/send/${newSecret()}`
    subscriptions.set(endpoint, { endpoint, keys, sender, key, isOpen: true })
    return { endpoint, keys }
  }
  const end = (endpoint: string) => {
    const subscription = subscriptions.get(endpoint)
    if (subscription) subscription.isOpen = false
  }

  app.post('/push/subscriptions', async (c) => {
    const { data } = subscribing.safeParse(await c.req.json().catch(() => undefined))
    return data ? c.json(subscribe(data.applicationServerKey), 201) : c.json({ error: 'No key' }, 400)
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
    const signed = await signerOf(c.req.header('authorization'), origin(), clock.now())
    if (signed === null) return c.text('The signature is not good', 401)
    if (signed.key !== subscription.sender) return c.text('Signed with another key', 403)
    const body = Buffer.from(await c.req.arrayBuffer())
    if (body.length > MOST_BYTES) return c.text('Too large', 413)
    const ttl = Number(c.req.header('ttl'))
    if (c.req.header('ttl') === undefined || !Number.isInteger(ttl) || ttl < 0)
      return c.text('TTL is missing', 400)
    const urgency = c.req.header('urgency') ?? 'normal'
    const topic = c.req.header('topic') ?? null
    if (!URGENCIES.includes(urgency) || (topic !== null && !/^[\w-]{1,32}$/.test(topic)))
      return c.text('Urgency or topic is malformed', 400)
    if (c.req.header('content-encoding') !== 'aes128gcm') {
      reportUnknown('push', `content-encoding ${c.req.header('content-encoding')}`)
      return c.text('Only aes128gcm', 501)
    }
    const text = decrypted(body, subscription.key, subscription.keys.auth)
    if (text === null) return c.text('Not encrypted for this subscription', 400)
    const isSame = (one: PushedMessage) => topic !== null && one.endpoint === endpoint && one.topic === topic
    messages = [
      ...messages.filter((one) => !isSame(one)),
      { endpoint, text, ttl: Math.min(ttl, MOST_TTL), urgency, topic, subject: signed.subject },
    ]
    return c.body(null, 201, { location: `${origin()}/push/messages/${newSecret()}`, ttl: String(ttl) })
  })

  return {
    app,
    reset() {
      subscriptions = new Map()
      messages = []
    },
    subscribe,
    end,
    isOpen: (endpoint) => subscriptions.get(endpoint)?.isOpen === true,
    messages: () => messages,
  }
}

/**
 * Who has signed a message (`Authorization: vapid t=…, k=…`), or null where the signature is not good: of another audience, over, good for
 * longer than a day, or without somebody to turn to.
 */
async function signerOf(
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
    return exp - now / 1000 <= LONGEST_SIGNED && /^(mailto:|https:)/.test(subject) ? { key, subject } : null
  } catch {
    return null
  }
}
