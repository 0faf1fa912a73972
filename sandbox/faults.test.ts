import { Hono } from 'hono'
import { createFaults, type Fault } from 'service-emulators/faults'
import { type RunningServer, serve } from 'service-emulators/serve'
import type { SignatureOverride, StripeEvent } from 'service-emulators/stripe'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSandbox } from './sandbox.ts'

describe('a call with a fault', () => {
  let faults: ReturnType<typeof createFaults>
  let server: RunningServer
  let worked = 0

  beforeEach(async () => {
    faults = createFaults()
    worked = 0
    const app = new Hono()
    app.use(faults.middleware)
    app.post('/work', (c) => {
      worked += 1
      return c.text('done')
    })
    server = await serve(app.fetch)
  })
  afterEach(() => server.close())

  const call = async (path = '/work') => {
    const response = await fetch(`${server.origin}${path}`, { method: 'POST' })
    return [response.status, await response.text()] as const
  }
  const add = (what: Fault['what'], times = 1) => faults.add({ on: 'POST /work', times, what } as Fault)

  test('a fault applies as often as requested, and only to its call', async () => {
    add({ kind: 'status', status: 503 }, 2)
    expect((await call('/else'))[0]).toBe(404)
    expect((await call())[0]).toBe(503)
    expect(faults.pending()).toEqual([{ on: 'POST /work', times: 1, what: { kind: 'status', status: 503 } }])
    expect((await call())[0]).toBe(503)
    expect(await call()).toEqual([200, 'done'])
    expect([worked, faults.pending()]).toEqual([1, []])
  })

  test('a fault delays an answer', async () => {
    add({ kind: 'delay', ms: 20 })
    const before = performance.now()
    expect(await call()).toEqual([200, 'done'])
    expect(performance.now() - before).toBeGreaterThanOrEqual(19)
  })

  test.each([
    ['after doing', true, 1],
    ['without doing', false, 0],
  ])('a fault replaces an answer %s the work', async (_, done, times) => {
    add({ kind: 'answer', status: 500, body: '{"code":"x"}', done })
    expect(await call()).toEqual([500, '{"code":"x"}'])
    expect(worked).toBe(times)
    add({ kind: 'answer', status: 202, body: '', done })
    expect(await call()).toEqual([202, ''])
  })

  test.each([
    ['before', 'cutBefore', 0],
    ['after', 'cutAfter', 1],
  ] as const)('a fault cuts the connection %s the work is done', async (_, kind, times) => {
    add({ kind })
    await expect(call()).rejects.toThrow('fetch failed')
    expect(worked).toBe(times)
  })

  test('a fault aborts or reports a missing index in database words', async () => {
    add({ kind: 'abort' })
    add({ kind: 'noIndex' })
    const [aborted, refused] = [await call(), await call()]
    expect([aborted[0], JSON.parse(aborted[1]).error.status]).toEqual([409, 'ABORTED'])
    expect([refused[0], JSON.parse(refused[1])[0].error.status]).toEqual([400, 'FAILED_PRECONDITION'])
    expect(worked).toBe(0)
  })
})

describe('a webhook with a fault', () => {
  const createEvent = (id: string, type = 'payment_intent.succeeded') => ({ id, type }) as StripeEvent

  async function sentFor(what: Fault['what'], ids: readonly string[], times = 1) {
    vi.useFakeTimers()
    const faults = createFaults()
    faults.add({ on: 'webhook payment_intent', times, what } as Fault)
    const sent: (string | [string, SignatureOverride])[] = []
    const deliveries = ids.map((id) =>
      faults.deliver(createEvent(id), async (signing) => {
        sent.push(signing ? [id, signing] : id)
      }),
    )
    await vi.runAllTimersAsync()
    await Promise.all(deliveries)
    vi.useRealTimers()
    return sent
  }

  test.each<[string, Fault['what'], readonly unknown[]]>([
    ['is lost', { kind: 'lost' }, ['two']],
    ['comes three times', { kind: 'doubled' }, ['one', 'one', 'one', 'two']],
    ['comes late', { kind: 'late', ms: 500 }, ['two', 'one']],
    ['comes after the next one', { kind: 'reordered' }, ['two', 'one']],
    [
      'has an invalid signature',
      { kind: 'badSignature' },
      [['one', { secret: 'whsec_somebody_else' }], 'two'],
    ],
    [
      'is dated in the future',
      { kind: 'signedAt', offsetSeconds: 3600 },
      [['one', { offsetSeconds: 3600 }], 'two'],
    ],
  ])('with a fault, a webhook %s', async (_, what, expected) => {
    expect(await sentFor(what, ['one', 'two'])).toEqual(expected)
  })

  test('a reordered webhook is delivered even if no other one follows', async () => {
    expect(await sentFor({ kind: 'reordered' }, ['one'])).toEqual(['one'])
    expect(await sentFor({ kind: 'reordered' }, ['one', 'two'], 2)).toEqual(['one', 'two'])
  })

  test('a fault of one kind of webhook does not affect other kinds', async () => {
    const faults = createFaults()
    faults.add({ on: 'webhook payment_intent', times: 1, what: { kind: 'lost' } })
    const send = vi.fn(async () => undefined)
    await faults.deliver(createEvent('one', 'charge.succeeded'), send)
    expect(send).toHaveBeenCalledExactlyOnceWith()
    expect(faults.pending()).toHaveLength(1)
  })
})

describe('the section of the faults', () => {
  const sandbox = createSandbox({ origin: () => 'http://localhost:5173' })
  const turn = (fields: Record<string, string>) =>
    sandbox.app.request('/sandbox/faults/switches', { method: 'POST', body: new URLSearchParams(fields) })
  const page = async () => (await sandbox.app.request('/sandbox')).text()

  test('the sandbox page switches each fault on, and all off', async () => {
    const text = await page()
    const names = [...text.matchAll(/<option>(.*?)<\/option>/g)].map(([, name]) => name ?? '')
    expect(names.length).toBeGreaterThan(15)
    for (const name of names) {
      const response = await turn({ name, times: '2' })
      expect([response.status, response.headers.get('location')]).toEqual([303, '/sandbox#faults'])
    }
    expect(sandbox.faults.pending().map(({ times }) => times)).toEqual(names.map(() => 2))
    expect(await page()).toContain('2 left')
    await turn({})
    expect(sandbox.faults.pending()).toEqual([])
    expect(await page()).toContain('No fault is on.')
  })

  test('the sandbox refuses and reports a program’s invalid fault', async () => {
    const send = (fault: object) =>
      sandbox.app.request('/sandbox/faults', { method: 'POST', body: JSON.stringify(fault) })
    for (const wrong of [
      { on: 'webhook', times: 1, what: { kind: 'abort' } },
      { on: 'POST /v1', times: 1, what: { kind: 'lost' } },
      { on: 'POST /v1', times: 0, what: { kind: 'abort' } },
      { on: 'POST /v1', times: 1, what: { kind: 'status', status: 200 } },
    ]) {
      const response = await send(wrong)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ problem: expect.any(String) })
    }
    expect((await send({ on: 'POST /v1', times: 1, what: { kind: 'abort' } })).status).toBe(204)
  })
})
