import type { Firestore } from 'firebase-admin/firestore'
import { describe, expect, test, vi } from 'vitest'
import { ok } from '../../../domain/result.ts'
import { integer, object, strictObject, string } from '../../../domain/schema.ts'
import type { Caller } from './caller.ts'
import { type Context, createContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import type { LogEntry } from './log.ts'
import { refusal } from './refusals.ts'
import { readSettings } from './settings.ts'

const schema = strictObject({ amount: integer, to: object({ phone: string }) })
const NOW = Date.UTC(2026, 10, 20, 12)
const body = { amount: 1000, to: { phone: '+224620000000' } }

function setUp(handle = async (_: Context, caller: Caller, received: object) => ok({ caller, received })) {
  const logged: LogEntry[] = []
  const context = {
    log: (entry) => {
      logged.push(entry)
    },
    now: () => NOW,
    region: 'eu-central-1',
    patience: 1000,
    beside: new Set<Promise<void>>(),
    pseudonym: (text) => text,
    // Nobody has called before.
    db: {
      collection: () => ({ doc: () => ({}) }),
      runTransaction: (work: (tx: object) => unknown) => work({ getAll: async () => [], set: () => {} }),
    } as unknown as Firestore,
    verifyCaller: async (authorization) =>
      authorization === 'Bearer ada' ? ok({ uid: 'ada' }) : { ok: false, error: refusal('unauthenticated') },
  } as Partial<Context> as Context
  // The contract has no such function: any schema fits it.
  const respond = endpoint(
    { name: 'sign-out-everywhere', method: 'POST', request: schema as never },
    handle as never,
  )
  const send = async (init: RequestInit = {}, provide = () => context) => {
    const response = await respond(
      new Request('http://localhost/.netlify/functions/test', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer ada' },
        ...(init.method !== 'GET' && { body: JSON.stringify(body) }),
        ...init,
      }),
      provide,
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
  return { send, logged }
}

describe('an endpoint', () => {
  test('is over when what it has begun beside its work is over', async () => {
    const order: string[] = []
    const { send } = setUp(async ({ beside }, caller, received) => {
      const work = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        order.push('beside')
        beside.delete(work)
      })
      beside.add(work)
      return ok({ caller, received })
    })
    await send()
    order.push('answered')
    expect(order).toEqual(['beside', 'answered'])
  })

  test('hands the caller and the body on', async () => {
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

  test('takes POST only', async () => {
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

  test('asks who calls before it reads anything', async () => {
    const { send } = setUp()
    expect(await send({ headers: {}, body: 'x' })).toMatchObject({
      status: 401,
      answer: { code: 'unauthenticated', error: 'Not authenticated' },
    })
  })

  test.each<[string, RequestInit, object]>([
    [
      'another content type',
      { headers: { authorization: 'Bearer ada', 'content-type': 'text/plain' } },
      { message: 'The content type must be application/json.' },
    ],
    ['what is not JSON', { body: '{"amount":NaN}' }, { message: 'The body is not JSON.' }],
    ['a large body', { body: JSON.stringify('é'.repeat(8 * 1024)) }, { message: 'The body is too large.' }],
    [
      'wrong fields',
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
        message: 'The request has an unknown field "fee"',
        details: { fields: [{ path: '', message: 'has an unknown field "fee"' }] },
      },
    ],
  ])('refuses %s', async (_, init, explanation) => {
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

  test('answers what it did not expect with a plain text, and logs where it was', async () => {
    const { send, logged } = setUp(async () => {
      throw Object.assign(new Error('users/ada is +224620000000'), { code: 14 })
    })
    const text = 'The service is not available right now. Please try again.'
    expect(await send()).toEqual({
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
        event: 'failed',
        function: 'sign-out-everywhere',
        error: 'Error',
        errorCode: 14,
        at: expect.arrayContaining([expect.stringContaining('endpoint.test.ts')]),
      },
      {
        level: 'info',
        event: 'answered',
        function: 'sign-out-everywhere',
        status: 503,
        code: 'unavailable',
        ms: expect.any(Number),
      },
    ])
    expect(JSON.stringify(logged)).not.toContain('+224')
    expect(JSON.stringify(logged)).not.toContain('ada')
  })

  test('answers while its settings are unusable, and says on the log what is wrong with them', async () => {
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
        event: 'failed',
        problems: [
          'FIREBASE_STORAGE_BUCKET is missing',
          'FIREBASE_SERVICE_ACCOUNT is missing',
          'STRIPE_SECRET_KEY is missing',
          'STRIPE_WEBHOOK_SECRET is missing',
        ],
      },
      { level: 'info', event: 'answered', status: 503 },
    ])
  })
})
