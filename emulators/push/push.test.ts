import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import webPush from 'web-push'
import { serve } from '../serve.ts'
import { createPush, type PushEmulator, type Subscribed } from './push.ts'

// By web-push, which signs and encrypts for every push service there is.

const KEYS = webPush.generateVAPIDKeys()
const VAPID = { ...KEYS, subject: 'mailto:aide@example.com' }

let push: PushEmulator
let unknown: string[]
let now: number
let server: Awaited<ReturnType<typeof serve>>
beforeEach(async () => {
  unknown = []
  now = Date.now()
  push = createPush({
    clock: { now: () => now },
    reportUnknown: (service, what) => unknown.push(`${service}: ${what}`),
    origin: () => server.origin,
  })
  server = await serve(push.app.fetch)
})
afterEach(() => server.close())

type Options = NonNullable<Parameters<typeof webPush.generateRequestDetails>[2]>

async function send(
  to: Subscribed,
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

test('a message arrives as it was written', async () => {
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

test('of one topic the last is kept, for each browser', async () => {
  const [one, other] = [subscribe(), subscribe()]
  for (const text of ['first', 'second']) await send(one, text, { topic: 'news' })
  await send(other, 'other', { topic: 'news' })
  await send(one, 'without')
  expect(push.messages().map(({ text }) => text)).toEqual(['second', 'other', 'without'])
})

test('a page subscribes and unsubscribes as a browser does', async () => {
  const place = `${server.origin}/push/subscriptions`
  const ask = (body: object) => fetch(place, { method: 'POST', body: JSON.stringify(body) })
  expect((await ask({})).status).toBe(400)
  const answer = await ask({ applicationServerKey: KEYS.publicKey })
  expect(answer.status).toBe(201)
  const browser = (await answer.json()) as Subscribed
  expect(await send(browser)).toBe(201)
  const { endpoint } = browser
  await fetch(`${place}?${new URLSearchParams({ endpoint })}`, { method: 'DELETE' })
  expect(await send(browser)).toBe(410)
})

describe('it refuses', () => {
  test('who is not there, and who is there no more', async () => {
    const browser = subscribe()
    push.end(browser.endpoint)
    expect(await send(browser)).toBe(410)
    expect(await send({ ...browser, endpoint: `${browser.endpoint}x` })).toBe(404)
  })

  test('another key than the browser has subscribed with', async () => {
    const stranger = { ...webPush.generateVAPIDKeys(), subject: VAPID.subject }
    expect(await send(subscribe(), 'Bonjour', { vapidDetails: stranger })).toBe(403)
  })

  test.each<readonly [string, Record<string, string | undefined>]>([
    ['no signature', { Authorization: undefined }],
    ['what is no signature', { Authorization: 'vapid t=a.b.c, k=x' }],
    ['a signature by another key than it names', { Authorization: otherSigner() }],
    ['a signature for another service', { Authorization: signed('https://fcm.googleapis.com') }],
  ])('%s', async (_, change) => {
    expect(await send(subscribe(), 'Bonjour', {}, change)).toBe(401)
  })

  test('a signature that is over, or good for too long', async () => {
    const browser = subscribe()
    now += 13 * 3_600_000
    expect(await send(browser)).toBe(401)
    now -= 40 * 3_600_000
    expect(await send(browser)).toBe(401)
  })

  test.each<readonly [string, Record<string, string | undefined>]>([
    ['no time to live', { TTL: undefined }],
    ['a time to live below zero', { TTL: '-1' }],
    ['an urgency that there is not', { Urgency: 'extreme' }],
    ['a topic that is too long', { Topic: 'x'.repeat(33) }],
  ])('%s', async (_, change) => {
    expect(await send(subscribe(), 'Bonjour', {}, change)).toBe(400)
  })

  test('what is encrypted for another browser', async () => {
    const [one, other] = [subscribe(), subscribe()]
    expect(await send({ endpoint: one.endpoint, keys: other.keys })).toBe(400)
    expect(push.messages()).toEqual([])
  })

  test('what is too large', async () => {
    expect(await send(subscribe(), 'x'.repeat(4096))).toBe(413)
  })

  test('a coding of before, which it does not know', async () => {
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
