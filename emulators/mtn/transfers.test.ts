import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildPayee, type MtnTestServer, serveMtn, TRANSFER_BODY } from '../testing/mtn.ts'

let mtn: MtnTestServer
beforeEach(async () => {
  mtn = await serveMtn()
})
afterEach(async () => {
  await mtn.stop()
})

const refusal = (code: string) => ({ code, message: expect.any(String) })

describe('a transfer', () => {
  test('MTN accepts a transfer with 202, and then returns its status', async () => {
    const { status, body, reference } = await mtn.transfer()
    expect([status, body]).toEqual([202, null])
    expect(await mtn.state(reference)).toEqual({
      status: 200,
      body: {
        ...TRANSFER_BODY,
        financialTransactionId: expect.stringMatching(/^\d{10}$/),
        status: 'SUCCESSFUL',
      },
    })
  })

  test('MTN pays once per reference, even with other values', async () => {
    const { reference } = await mtn.transfer()
    const again = await mtn.transfer({ amount: '5' }, { 'x-reference-id': reference })
    expect([again.status, again.body]).toEqual([
      409,
      { message: 'Duplicated reference id. Creation of resource failed.', code: 'RESOURCE_ALREADY_EXIST' },
    ])
    expect(mtn.emulator.transfers()).toHaveLength(1)
    expect(mtn.emulator.balance()).toBe(3_971_800)
  })

  test('MTN returns 404 for the status of an unknown transfer', async () => {
    expect(await mtn.state(randomUUID())).toEqual({
      status: 404,
      body: { message: 'Requested resource was not found.', code: 'RESOURCE_NOT_FOUND' },
    })
    expect((await mtn.state('anything')).status).toBe(400)
  })

  test.each<[string, Record<string, unknown>]>([
    ['a number with a plus sign', buildPayee('+224660000000')],
    ['a number without its country code', buildPayee('0660000000')],
    ['an unknown party type', { payee: { partyIdType: 'PHONE', partyId: '224660000000' } }],
    ['no payee', { payee: undefined }],
    ['an amount that is a number', { amount: 1_028_200 }],
    ['a zero amount', { amount: '0.00' }],
    ['a negative amount', { amount: '-5' }],
    ['an amount with three decimals', { amount: '1.005' }],
    ['no currency', { currency: undefined }],
    ['an external id with a space', { externalId: 'pi 1' }],
    ['an apostrophe in the message', { payerMessage: "l'argent" }],
    ['a note that is too long', { payeeNote: 'x'.repeat(161) }],
  ])('MTN refuses a transfer with %s as a bad request', async (_, changes) => {
    const { status, body } = await mtn.transfer(changes)
    expect([status, body]).toEqual([400, null])
    expect([mtn.emulator.transfers(), mtn.unknown]).toEqual([[], []])
  })

  test.each(['', 'pi_1', '11111111-1111-1111-8111-111111111111'])(
    "MTN refuses a transfer with the reference '%s' as a bad request",
    async (reference) => {
      const { status } = await mtn.transfer({}, { 'x-reference-id': reference })
      expect([status, mtn.emulator.transfers()]).toEqual([400, []])
    },
  )

  test('a transfer in another currency is refused with 500', async () => {
    const { status, body } = await mtn.transfer({ currency: 'EUR', amount: '10.50' })
    expect([status, body]).toEqual([500, { message: 'Currency not supported.', code: 'INVALID_CURRENCY' }])
  })

  test('the status of a transfer of 12.50 shows the amount as 12.5', async () => {
    const other = await serveMtn({ currency: 'EUR' })
    const { reference } = await other.transfer({ currency: 'EUR', amount: '12.50' })
    expect((await other.state(reference)).body).toMatchObject({ amount: '12.5', currency: 'EUR' })
    expect(other.emulator.balance()).toBe(4_999_987.5)
    await other.stop()
  })
})

describe('transfers to test numbers', () => {
  const each = (ends: string) => [`467331234${ends}`, `2246600004${ends}`]

  test.each([
    ['50', 'INTERNAL_PROCESSING_ERROR'],
    ['51', 'APPROVAL_REJECTED'],
    ['52', 'EXPIRED'],
    ['55', 'NOT_ENOUGH_FUNDS'],
    ['56', 'PAYER_LIMIT_REACHED'],
    ['57', 'PAYEE_NOT_FOUND'],
    ['70', 'PAYEE_NOT_ALLOWED_TO_RECEIVE'],
  ])('a number ending in %s accepts a transfer that fails: %s', async (ends, reason) => {
    for (const number of each(ends)) {
      const { status, reference } = await mtn.transfer(buildPayee(number))
      expect(status).toBe(202)
      const { body } = await mtn.state(reference)
      expect(body).toEqual({ ...TRANSFER_BODY, ...buildPayee(number), status: 'FAILED', reason })
    }
    expect(mtn.emulator.balance()).toBe(5_000_000)
  })

  test.each([
    ['58', 500, 'NOT_ALLOWED'],
    ['59', 500, 'NOT_ALLOWED_TARGET_ENVIRONMENT'],
    ['60', 500, 'INVALID_CALLBACK_URL_HOST'],
    ['61', 500, 'INVALID_CURRENCY'],
    ['62', 500, 'INTERNAL_PROCESSING_ERROR'],
    ['63', 503, 'SERVICE_UNAVAILABLE'],
  ])('a number ending in %s refuses a transfer with %i %s', async (ends, wanted, code) => {
    for (const number of each(ends)) {
      const { status, body, reference } = await mtn.transfer(buildPayee(number))
      expect([status, body]).toEqual([wanted, refusal(code)])
      expect((await mtn.state(reference)).status).toBe(404)
    }
  })

  test('a transfer to a test number that ends in 53 stays pending', async () => {
    const { reference } = await mtn.transfer(buildPayee('224660000453'))
    mtn.now += 365 * 86_400_000
    expect((await mtn.state(reference)).body).toEqual({
      ...TRANSFER_BODY,
      ...buildPayee('224660000453'),
      status: 'PENDING',
    })
  })

  test('a number ending in 54 succeeds after half a minute', async () => {
    const { reference } = await mtn.transfer(buildPayee('224660000454'))
    mtn.now += 29_999
    expect((await mtn.state(reference)).body).toMatchObject({ status: 'CREATED' })
    mtn.now += 1
    expect((await mtn.state(reference)).body).toMatchObject({ status: 'SUCCESSFUL' })
    expect(mtn.emulator.balance()).toBe(3_971_800)
  })

  test('a pending transfer can be decided only once', async () => {
    const { reference } = await mtn.transfer(buildPayee('224660000453'))
    mtn.emulator.decide(reference, 'PAYEE_NOT_FOUND')
    mtn.emulator.decide(reference, null)
    mtn.emulator.decide(randomUUID(), null)
    expect((await mtn.state(reference)).body).toMatchObject({ status: 'FAILED', reason: 'PAYEE_NOT_FOUND' })
    expect(mtn.emulator.balance()).toBe(5_000_000)
  })
})

describe('a callback', () => {
  const calledBack = async (changes = {}) => {
    const { reference } = await mtn.transfer(changes, { 'x-callback-url': mtn.callbackUrl })
    await mtn.emulator.settled()
    return reference
  }

  test('a callback is sent once, alternately by POST and PUT', async () => {
    const reference = await calledBack()
    const { body } = await mtn.state(reference)
    expect(mtn.received).toEqual([{ method: 'POST', path: '/callback', body }])
    await calledBack(buildPayee('224660000457'))
    expect(mtn.received[1]).toMatchObject({ method: 'PUT', body: { status: 'FAILED' } })
  })

  test('a callback is not retried after an error response', async () => {
    mtn.answers.push(500)
    await calledBack()
    expect(mtn.received).toHaveLength(1)
  })

  test('a transfer succeeds although its callback reaches no server', async () => {
    const { reference } = await mtn.transfer({}, { 'x-callback-url': 'http://127.0.0.1:1/' })
    await mtn.emulator.settled()
    expect((await mtn.state(reference)).body).toMatchObject({ status: 'SUCCESSFUL' })
  })

  test('a decision by time or test sends a callback', async () => {
    const delayed = await calledBack(buildPayee('224660000454'))
    const ongoing = await calledBack(buildPayee('224660000453'))
    expect(mtn.received).toEqual([])
    mtn.now += 30_000
    await mtn.state(delayed)
    await mtn.emulator.settled()
    mtn.emulator.decide(ongoing, 'EXPIRED')
    await mtn.emulator.settled()
    expect(mtn.received.map(({ body }) => (body as { status: string }).status)).toEqual([
      'SUCCESSFUL',
      'FAILED',
    ])
  })

  test('a delayed transfer is decided on time, even after loading', async () => {
    const delayed = await serveMtn({ clock: { now: () => Date.now() } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      await delayed.transfer(buildPayee('224660000454'), { 'x-callback-url': mtn.callbackUrl })
      const dump = delayed.emulator.dump()
      await vi.advanceTimersByTimeAsync(29_999)
      expect(delayed.emulator.transfers()).toMatchObject([{ status: 'CREATED' }])
      await vi.advanceTimersByTimeAsync(1)
      expect(delayed.emulator.transfers()).toMatchObject([{ status: 'SUCCESSFUL' }])
      delayed.emulator.load(dump)
      await vi.advanceTimersByTimeAsync(0)
      expect(delayed.emulator.transfers()).toMatchObject([{ status: 'SUCCESSFUL' }])
    } finally {
      vi.useRealTimers()
      await delayed.stop()
    }
  })

  test('a delivery policy can lose or duplicate callbacks', async () => {
    mtn.deliver = async () => undefined
    await calledBack()
    expect(mtn.received).toEqual([])
    mtn.deliver = async ({ type }, send) => {
      expect(type).toBe('mtn.transfer')
      await Promise.all([send(), send()])
    }
    await calledBack()
    expect(mtn.received).toHaveLength(2)
  })

  test.each(['https://example.com/callback', 'ftp://127.0.0.1/', 'callback'])(
    'MTN refuses a callback URL %s off the registered host',
    async (url) => {
      const { status, body } = await mtn.transfer({}, { 'x-callback-url': url })
      expect([status, body]).toEqual([500, refusal('INVALID_CALLBACK_URL_HOST')])
      expect(mtn.emulator.transfers()).toEqual([])
    },
  )

  test('loading a dump sends only the callbacks that were not delivered before', async () => {
    await calledBack()
    // Simulates a crash between decision and callback.
    const held = Promise.withResolvers<void>()
    mtn.deliver = () => held.promise
    await mtn.transfer({ externalId: 'pi_2' }, { 'x-callback-url': mtn.callbackUrl })
    const dump = JSON.parse(JSON.stringify(mtn.emulator.dump()))
    mtn.deliver = undefined
    mtn.emulator.load(dump)
    await mtn.emulator.settled()
    held.resolve()
    expect(mtn.received.map(({ body }) => body)).toMatchObject([
      { externalId: 'pi_1' },
      { externalId: 'pi_2' },
    ])
  })
})
