import type { Firestore } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { err, ok } from '../../../domain/common/result.ts'
import { integer } from '../../../domain/common/schema.ts'
import type { Caller, CallerSession } from '../platform/caller.ts'
import { type Context, createContext } from '../platform/context.ts'
import { fetchUntilDeadline } from '../platform/deadline.ts'
import type { LogEntry } from '../platform/log.ts'
import { buildRefusal } from '../platform/refusals.ts'
import { readSettings } from '../platform/settings.ts'
import { createEndpoint, createJsonResponse, type Host } from './endpoint.ts'

const schema = v.strictObject({ amount: integer, to: v.object({ phone: v.string() }) })
const NOW = Date.UTC(2026, 10, 20, 12)
const body = { amount: 1000, to: { phone: '+224620000000' } }

function setUp(
  handle = async (_: Context, caller: Caller, received: object, _origin: string): Promise<unknown> =>
    ok({ caller, received }),
  site: string | null = null,
) {
  const logged: LogEntry[] = []
  const deadline = new AbortController()
  const context = {
    log: (entry) => {
      logged.push(entry)
    },
    now: () => NOW,
    region: 'eu-central-1',
    site,
    serviceTimeout: 1000,
    expire: () => deadline.signal,
    backgroundWork: new Set<Promise<void>>(),
    pseudonym: (text) => text,
    // No user has called before.
    db: {
      collection: () => ({ doc: () => ({}) }),
      runTransaction: (work: (tx: object) => unknown) => work({ getAll: async () => [], set: () => {} }),
    } as unknown as Firestore,
  } as Partial<Context> as Context
  // The casts allow a schema and a response that no function of the contract has.
  const respond = createEndpoint(
    { name: 'sign-out-everywhere', method: 'POST', request: schema as never },
    handle as never,
    () => async (authorization) =>
      authorization === 'Bearer ada'
        ? ok({ uid: 'ada' } as CallerSession)
        : err(buildRefusal('unauthenticated')),
  )
  const send = async (init: RequestInit = {}, provide = () => context, host: Host = {}) => {
    const response = await respond(
      new Request('http://localhost/.netlify/functions/test', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer ada' },
        ...(init.method !== 'GET' && { body: JSON.stringify(body) }),
        ...init,
      }),
      provide,
      host,
    )
    const { status, headers } = response
    return {
      status,
      cache: headers.get('cache-control'),
      allow: headers.get('allow'),
      time: headers.get('server-time'),
      region: headers.get('server-region'),
      answer: await response.json(),
    }
  }
  return { send, logged, deadline, respond: () => respond(new Request('http://localhost/'), () => context) }
}

describe('an endpoint', () => {
  test('an endpoint takes the origin from settings first', async () => {
    const answerOrigin = async (_: Context, __: Caller, ___: object, origin: string) => ok({ origin })
    expect((await setUp(answerOrigin).send()).answer).toEqual({ origin: 'http://localhost' })
    const site = 'https://app.example'
    expect((await setUp(answerOrigin, site).send()).answer).toEqual({ origin: site })
  })

  function setUpWork() {
    const order: string[] = []
    const { send } = setUp(async ({ backgroundWork }, caller, received) => {
      const begin = (name: string, then = () => {}) => {
        const work = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
          order.push(name)
          then()
          backgroundWork.delete(work)
        })
        backgroundWork.add(work)
      }
      begin('work', () => begin('more work'))
      return ok({ caller, received })
    })
    return { send, order }
  }

  test('an endpoint finishes background work if the host stops it', async () => {
    const { send, order } = setUpWork()
    await send()
    order.push('answered')
    expect(order).toEqual(['work', 'more work', 'answered'])
  })

  test('a waiting host lets the endpoint answer before background work', async () => {
    const { send, order } = setUpWork()
    let isOver: Promise<unknown> | undefined
    const host = {
      waitUntil(work: Promise<unknown>) {
        isOver = work
        order.push('answered')
      },
    }
    await send({}, undefined, host)
    await isOver
    expect(order).toEqual(['answered', 'work', 'more work'])
  })

  test('an endpoint does not wait for the background work of another request', async () => {
    const { send } = setUp(async ({ backgroundWork }, caller, received) => {
      if (backgroundWork.size === 0) backgroundWork.add(new Promise(() => {}))
      return ok({ caller, received })
    })
    void send()
    expect(await send({}, undefined, { waitUntil: () => {} })).toMatchObject({ status: 200 })
  })

  test('a service silent until the deadline leads to 503', async () => {
    const silent: typeof fetch = (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const { send, deadline } = setUp(async (_, caller, received) => {
      setImmediate(() => deadline.abort())
      await fetchUntilDeadline(silent)('http://localhost/')
      return ok({ caller, received })
    })
    expect(await send()).toMatchObject({ status: 503, answer: { code: 'unavailable' } })
  })

  test('an endpoint passes the caller and the body to its handler', async () => {
    const { send } = setUp()
    expect(await send()).toEqual({
      status: 200,
      cache: 'no-store',
      allow: null,
      time: String(NOW),
      region: 'eu-central-1',
      answer: { caller: { uid: 'ada' }, received: body },
    })
  })

  test('an endpoint forbids content sniffing, framing and plain HTTP by its headers', async () => {
    const security = {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    }
    const refused = await setUp().respond()
    for (const { headers } of [refused, createJsonResponse(200, {})])
      expect(Object.fromEntries(headers)).toMatchObject(security)
  })

  test('an endpoint answers 405 to any other method than its own', async () => {
    const { send } = setUp()
    expect(await send({ method: 'GET' })).toEqual({
      status: 405,
      cache: 'no-store',
      allow: 'POST',
      time: String(NOW),
      region: 'eu-central-1',
      answer: { code: 'methodNotAllowed', error: 'Method not allowed', message: 'Method not allowed' },
    })
  })

  test('an endpoint checks the caller before it reads the body', async () => {
    const { send } = setUp()
    expect(await send({ headers: {}, body: 'x' })).toMatchObject({
      status: 401,
      answer: { code: 'unauthenticated', error: 'Not authenticated' },
    })
  })

  test.each<[string, RequestInit, object]>([
    [
      'a content type other than JSON',
      { headers: { authorization: 'Bearer ada', 'content-type': 'text/plain' } },
      { message: 'The content type must be application/json.' },
    ],
    ['a body that is not JSON', { body: '{"amount":NaN}' }, { message: 'The body is not JSON.' }],
    [
      'a body over 16 kB',
      { body: JSON.stringify('é'.repeat(8 * 1024)) },
      { message: 'The body is too large.' },
    ],
    [
      'fields of a wrong type',
      { body: JSON.stringify({ amount: '1000', to: {} }) },
      {
        message: 'amount is not valid',
        details: { fields: [{ path: 'amount', message: 'is not valid' }] },
      },
    ],
    [
      'unknown fields',
      { body: JSON.stringify({ ...body, fee: 0 }) },
      {
        message: 'fee is not valid',
        details: { fields: [{ path: 'fee', message: 'is not valid' }] },
      },
    ],
  ])('an endpoint refuses %s', async (_, init, explanation) => {
    const { send } = setUp()
    expect(await send(init)).toEqual({
      status: 400,
      cache: 'no-store',
      allow: null,
      time: String(NOW),
      region: 'eu-central-1',
      answer: { code: 'invalidRequest', error: 'Invalid request', ...explanation },
    })
  })

  test('an unexpected error gets a general text and a logged place', async () => {
    const { send, logged } = setUp(async () => {
      throw Object.assign(new Error('users/ada is +224620000000'), { code: 14 })
    })
    const text = 'The service is not available right now. Please try again.'
    expect(await send()).toMatchObject({
      status: 503,
      cache: 'no-store',
      allow: null,
      time: String(NOW),
      region: 'eu-central-1',
      answer: { code: 'unavailable', error: text, message: text },
    })
    expect(logged).toEqual([
      {
        level: 'error',
        event: 'functionFailed',
        function: 'sign-out-everywhere',
        error: 'Error',
        errorCode: 14,
        at: expect.arrayContaining([expect.stringContaining('endpoint.test.ts')]),
      },
      {
        level: 'info',
        event: 'functionResponded',
        function: 'sign-out-everywhere',
        status: 503,
        code: 'unavailable',
        ms: expect.any(Number),
      },
    ])
    expect(JSON.stringify(logged)).not.toContain('+224')
    expect(JSON.stringify(logged)).not.toContain('ada')
  })

  test('unusable settings lead to 503 and are logged', async () => {
    const { send } = setUp()
    const lines: string[] = []
    const stdout = vi
      .spyOn(process.stdout, 'write')
      .mockImplementation((line) => lines.push(String(line)) > 0)
    const unusable = () => createContext(readSettings({ FIREBASE_PROJECT_ID: 'passerelle' }))
    const answered = await send({}, unusable)
    stdout.mockRestore()
    expect(answered).toMatchObject({ status: 503, answer: { code: 'unavailable' } })
    expect(Math.abs(Date.now() - Number(answered.time))).toBeLessThan(30_000)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'error',
        event: 'functionFailed',
        problems: [
          'FIREBASE_STORAGE_BUCKET is missing',
          'FIREBASE_SERVICE_ACCOUNT is missing',
          'STRIPE_SECRET_KEY is missing',
          'STRIPE_WEBHOOK_SECRET is missing',
        ],
      },
      { level: 'info', event: 'functionResponded', status: 503 },
    ])
  })
})
