import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ServedMtn, serveMtn, TRANSFER, to } from './testing.ts'

let mtn: ServedMtn
beforeEach(async () => {
  mtn = await serveMtn()
})
afterEach(async () => {
  await mtn.stop()
})

const refusal = (code: string) => ({ code, message: expect.any(String) })

describe('a transfer', () => {
  test('is taken with 202 and no word; its state is the proof', async () => {
    const { status, body, reference } = await mtn.transfer()
    expect([status, body]).toEqual([202, null])
    expect(await mtn.state(reference)).toEqual({
      status: 200,
      body: { ...TRANSFER, financialTransactionId: expect.stringMatching(/^\d{10}$/), status: 'SUCCESSFUL' },
    })
  })

  test('is paid once for its reference, whatever comes with it again', async () => {
    const { reference } = await mtn.transfer()
    const again = await mtn.transfer({ amount: '5' }, { 'x-reference-id': reference })
    expect([again.status, again.body]).toEqual([
      409,
      { message: 'Duplicated reference id. Creation of resource failed.', code: 'RESOURCE_ALREADY_EXIST' },
    ])
    expect(mtn.emulator.transfers()).toHaveLength(1)
    expect(mtn.emulator.balance()).toBe(3_971_800)
  })

  test('that was never taken has no state', async () => {
    expect(await mtn.state(randomUUID())).toEqual({
      status: 404,
      body: { message: 'Requested resource was not found.', code: 'RESOURCE_NOT_FOUND' },
    })
    expect((await mtn.state('anything')).status).toBe(400)
  })

  test.each<[string, Record<string, unknown>]>([
    ['a number with a plus sign', to('+224660000000')],
    ['a number without its country', to('0660000000')],
    ['a party of no kind', { payee: { partyIdType: 'PHONE', partyId: '224660000000' } }],
    ['no payee', { payee: undefined }],
    ['an amount that is a number', { amount: 1_028_200 }],
    ['an amount of nothing', { amount: '0.00' }],
    ['an amount below zero', { amount: '-5' }],
    ['an amount with three decimals', { amount: '1.005' }],
    ['no currency', { currency: undefined }],
    ['an external id with a space', { externalId: 'pi 1' }],
    ['an apostrophe in the message', { payerMessage: "l'argent" }],
    ['a note that is too long', { payeeNote: 'x'.repeat(161) }],
  ])('with %s is a bad request', async (_, changes) => {
    const { status, body } = await mtn.transfer(changes)
    expect([status, body]).toEqual([400, null])
    expect([mtn.emulator.transfers(), mtn.unknown]).toEqual([[], []])
  })

  test.each(['', 'pi_1', '11111111-1111-1111-8111-111111111111'])(
    "with the reference '%s' is a bad request",
    async (reference) => {
      const { status } = await mtn.transfer({}, { 'x-reference-id': reference })
      expect([status, mtn.emulator.transfers()]).toEqual([400, []])
    },
  )

  test('in another currency is refused with 500', async () => {
    const { status, body } = await mtn.transfer({ currency: 'EUR', amount: '10.50' })
    expect([status, body]).toEqual([500, { message: 'Currency not supported.', code: 'INVALID_CURRENCY' }])
  })

  test('in a currency with cents tells the amount without a zero at its end', async () => {
    const other = await serveMtn({ currency: 'EUR' })
    const { reference } = await other.transfer({ currency: 'EUR', amount: '12.50' })
    expect((await other.state(reference)).body).toMatchObject({ amount: '12.5', currency: 'EUR' })
    expect(other.emulator.balance()).toBe(4_999_987.5)
    await other.stop()
  })
})

describe('the test numbers, MTN’s own and those that can be typed for Guinea', () => {
  const each = (ends: string) => [`467331234${ends}`, `2246600004${ends}`]

  test.each([
    ['50', 'INTERNAL_PROCESSING_ERROR'],
    ['51', 'APPROVAL_REJECTED'],
    ['52', 'EXPIRED'],
    ['55', 'NOT_ENOUGH_FUNDS'],
    ['56', 'PAYER_LIMIT_REACHED'],
    ['57', 'PAYEE_NOT_FOUND'],
    ['70', 'PAYEE_NOT_ALLOWED_TO_RECEIVE'],
  ])('ending in %s are taken and fail: %s', async (ends, reason) => {
    for (const number of each(ends)) {
      const { status, reference } = await mtn.transfer(to(number))
      expect(status).toBe(202)
      const { body } = await mtn.state(reference)
      expect(body).toEqual({ ...TRANSFER, ...to(number), status: 'FAILED', reason })
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
  ])('ending in %s are refused with %i %s, and not taken', async (ends, wanted, code) => {
    for (const number of each(ends)) {
      const { status, body, reference } = await mtn.transfer(to(number))
      expect([status, body]).toEqual([wanted, refusal(code)])
      expect((await mtn.state(reference)).status).toBe(404)
    }
  })

  test('ending in 53 are pending for ever', async () => {
    const { reference } = await mtn.transfer(to('224660000453'))
    mtn.now += 365 * 86_400_000
    expect((await mtn.state(reference)).body).toEqual({
      ...TRANSFER,
      ...to('224660000453'),
      status: 'PENDING',
    })
  })

  test('ending in 54 arrive after half a minute', async () => {
    const { reference } = await mtn.transfer(to('224660000454'))
    mtn.now += 29_999
    expect((await mtn.state(reference)).body).toMatchObject({ status: 'CREATED' })
    mtn.now += 1
    expect((await mtn.state(reference)).body).toMatchObject({ status: 'SUCCESSFUL' })
    expect(mtn.emulator.balance()).toBe(3_971_800)
  })

  test('that are pending can be decided, once', async () => {
    const { reference } = await mtn.transfer(to('224660000453'))
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

  test('has the shape of the state, comes once, and by POST or by PUT', async () => {
    const reference = await calledBack()
    const { body } = await mtn.state(reference)
    expect(mtn.received).toEqual([{ method: 'POST', path: '/callback', body }])
    await calledBack(to('224660000457'))
    expect(mtn.received[1]).toMatchObject({ method: 'PUT', body: { status: 'FAILED' } })
  })

  test('is not sent again, whatever is answered', async () => {
    mtn.answers.push(500)
    await calledBack()
    expect(mtn.received).toHaveLength(1)
  })

  test('of nobody who listens harms nothing', async () => {
    const { reference } = await mtn.transfer({}, { 'x-callback-url': 'http://127.0.0.1:1/' })
    await mtn.emulator.settled()
    expect((await mtn.state(reference)).body).toMatchObject({ status: 'SUCCESSFUL' })
  })

  test('comes when a transfer that is pending is decided, by time or by MTN', async () => {
    const delayed = await calledBack(to('224660000454'))
    const ongoing = await calledBack(to('224660000453'))
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

  test('comes in time when nobody asks, after a restart too', async () => {
    const delayed = await serveMtn({ clock: { now: () => Date.now() } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      await delayed.transfer(to('224660000454'), { 'x-callback-url': mtn.callbackUrl })
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

  test('can be lost, and doubled', async () => {
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

  test('can come before the answer', async () => {
    mtn.emulator.callbacksFirst(true)
    await mtn.transfer({}, { 'x-callback-url': mtn.callbackUrl })
    expect(mtn.received).toHaveLength(1)
  })

  test.each(['https://example.com/callback', 'ftp://127.0.0.1/', 'callback'])(
    'to %s is not to the host that was registered: nothing is paid',
    async (url) => {
      const { status, body } = await mtn.transfer({}, { 'x-callback-url': url })
      expect([status, body]).toEqual([500, refusal('INVALID_CALLBACK_URL_HOST')])
      expect(mtn.emulator.transfers()).toEqual([])
    },
  )

  test('that was still to come is sent after a restart, and one that came is not', async () => {
    await calledBack()
    // A crash between what was decided and the callback.
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
