import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import webPush from 'web-push'
import { serve } from '../serve.ts'
import { createPushEmulator, type PushEmulator, type PushSubscriptionJson } from './push.ts'

// Messages are signed and encrypted by web-push, the library that the functions use.

const KEYS = webPush.generateVAPIDKeys()
const VAPID = { ...KEYS, subject: 'mailto:aide@example.com' }

let push: PushEmulator
let unknown: string[]
let now: number
let server: Awaited<ReturnType<typeof serve>>
beforeEach(async () => {
  unknown = []
  now = Date.now()
  push = createPushEmulator({
    clock: { now: () => now },
    reportUnknown: (service, what) => unknown.push(`${service}: ${what}`),
    origin: () => server.origin,
  })
  server = await serve(push.app.fetch)
})
afterEach(() => server.close())

type Options = NonNullable<Parameters<typeof webPush.generateRequestDetails>[2]>

async function send(
  to: PushSubscriptionJson,
  payload = 'Bonjour',
  options: Options = {},
  change: Record<string, string | undefined> = {},
) {
  const request = webPush.generateRequestDetails(to, payload, { vapidDetails: VAPID, TTL: 60, ...options })
  const headers = new Headers()
  for (const [name, value] of Object.entries({ ...request.headers, 'Content-Length': undefined, ...change }))
    if (value !== undefined) headers.set(name, String(value))
  const body = new Uint8Array(request.body ?? [])
  return (await fetch(to.endpoint, { method: 'POST', headers, body })).status
}

const subscribe = () => push.subscribe(KEYS.publicKey)

test('a message arrives with its text, TTL, urgency and topic', async () => {
  const browser = subscribe()
  expect(await send(browser, 'Reçu : 10 €', { urgency: 'high', topic: 'news' })).toBe(201)
  expect(push.messages()).toEqual([
    {
      endpoint: browser.endpoint,
      text: 'Reçu : 10 €',
      ttl: 60,
      urgency: 'high',
      topic: 'news',
      subject: VAPID.subject,
    },
  ])
})

test('each browser’s topic keeps the last message', async () => {
  const [one, other] = [subscribe(), subscribe()]
  for (const text of ['first', 'second']) await send(one, text, { topic: 'news' })
  await send(other, 'other', { topic: 'news' })
  await send(one, 'without')
  expect(push.messages().map(({ text }) => text)).toEqual(['second', 'other', 'without'])
})

test('a page subscribes and unsubscribes at the push service over HTTP', async () => {
  const place = `${server.origin}/push/subscriptions`
  const ask = (body: object) => fetch(place, { method: 'POST', body: JSON.stringify(body) })
  expect((await ask({})).status).toBe(400)
  const answer = await ask({ applicationServerKey: KEYS.publicKey })
  expect(answer.status).toBe(201)
  const browser = (await answer.json()) as PushSubscriptionJson
  expect(await send(browser)).toBe(201)
  const { endpoint } = browser
  await fetch(`${place}?${new URLSearchParams({ endpoint })}`, { method: 'DELETE' })
  expect(await send(browser)).toBe(410)
})

describe('rejected messages', () => {
  test('the push service returns 404 for unknown and 410 for expired subscriptions', async () => {
    const browser = subscribe()
    push.end(browser.endpoint)
    expect(await send(browser)).toBe(410)
    expect(await send({ ...browser, endpoint: `${browser.endpoint}x` })).toBe(404)
  })

  test('a message signed with another key is rejected', async () => {
    const stranger = { ...webPush.generateVAPIDKeys(), subject: VAPID.subject }
    expect(await send(subscribe(), 'Bonjour', { vapidDetails: stranger })).toBe(403)
  })

  test.each<readonly [string, Record<string, string | undefined>]>([
    ['no signature', { Authorization: undefined }],
    ['a malformed signature', { Authorization: 'vapid t=a.b.c, k=x' }],
    ['a signature by a key other than the named one', { Authorization: otherSigner() }],
    ['a signature for another push service', { Authorization: signed('https://fcm.googleapis.com') }],
  ])('the push service answers 401 to a message with %s', async (_, change) => {
    expect(await send(subscribe(), 'Bonjour', {}, change)).toBe(401)
  })

  test('a signature that is expired or valid too long is rejected', async () => {
    const browser = subscribe()
    now += 13 * 3_600_000
    expect(await send(browser)).toBe(401)
    now -= 40 * 3_600_000
    expect(await send(browser)).toBe(401)
  })

  test.each<readonly [string, Record<string, string | undefined>]>([
    ['no time to live', { TTL: undefined }],
    ['a negative time to live', { TTL: '-1' }],
    ['an unknown urgency', { Urgency: 'extreme' }],
    ['a topic that is too long', { Topic: 'x'.repeat(33) }],
  ])('the push service answers 400 to a message with %s', async (_, change) => {
    expect(await send(subscribe(), 'Bonjour', {}, change)).toBe(400)
  })

  test('the push service rejects a message that is encrypted for another browser', async () => {
    const [one, other] = [subscribe(), subscribe()]
    expect(await send({ endpoint: one.endpoint, keys: other.keys })).toBe(400)
    expect(push.messages()).toEqual([])
  })

  test('the push service rejects a message that is too large', async () => {
    expect(await send(subscribe(), 'x'.repeat(4096))).toBe(413)
  })

  test('the push service rejects and reports the older content encoding aesgcm', async () => {
    expect(await send(subscribe(), 'Bonjour', {}, { 'Content-Encoding': 'aesgcm' })).toBe(501)
    expect(unknown).toEqual(['push: content-encoding aesgcm'])
  })
})

function signed(audience: string): string {
  const { Authorization } = webPush.getVapidHeaders(
    audience,
    VAPID.subject,
    VAPID.publicKey,
    VAPID.privateKey,
    'aes128gcm',
  )
  return Authorization
}

function otherSigner(): string {
  const [token] = signed('http://127.0.0.1').split(', k=')
  return `${token}, k=${webPush.generateVAPIDKeys().publicKey}`
}
