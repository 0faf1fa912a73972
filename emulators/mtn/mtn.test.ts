import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { API_KEY, API_USER, type ServedMtn, serveMtn, TRANSFER } from './testing.ts'

let mtn: ServedMtn
beforeEach(async () => {
  mtn = await serveMtn()
})
afterEach(async () => {
  await mtn.stop()
})

const BALANCE = '/disbursement/v1_0/account/balance'
const missing = { message: 'Requested resource was not found.', code: 'RESOURCE_NOT_FOUND' }

describe('a token', () => {
  const basic = (user: string, key: string) => ({ authorization: `Basic ${btoa(`${user}:${key}`)}` })

  test('is given for user and key, and is good for an hour', async () => {
    expect(
      await mtn.ask('/disbursement/token/', { method: 'POST', headers: basic(API_USER, API_KEY) }),
    ).toEqual({
      status: 200,
      body: { access_token: expect.any(String), token_type: 'access_token', expires_in: 3600 },
    })
    const headers = await mtn.signedIn()
    mtn.now += 3_599_999
    expect((await mtn.ask(BALANCE, { headers })).status).toBe(200)
    mtn.now += 1
    expect(await mtn.ask(BALANCE, { headers })).toEqual({ status: 401, body: { error: 'invalid_token' } })
  })

  test('can be ended before', async () => {
    const headers = await mtn.signedIn()
    mtn.emulator.endTokens()
    expect((await mtn.ask(BALANCE, { headers })).status).toBe(401)
  })

  test.each<[string, Record<string, string>]>([
    ['another key', basic(API_USER, 'other')],
    ['another user', basic(randomUUID(), API_KEY)],
    ['no scheme of its own', { authorization: btoa(`${API_USER}:${API_KEY}`) }],
    ['nothing', {}],
  ])('is not given for %s', async (_, headers) => {
    expect(await mtn.ask('/disbursement/token/', { method: 'POST', headers })).toEqual({
      status: 401,
      body: { error: 'login_failed' },
    })
  })
})

describe('a call', () => {
  test('needs the subscription key of the product', async () => {
    for (const path of [BALANCE]) {
      const ask = async (key: string | undefined) =>
        mtn.ask(path, { headers: { ...(await mtn.signedIn()), 'ocp-apim-subscription-key': key } })
      expect(await ask('collections-key')).toEqual({
        status: 401,
        body: {
          statusCode: 401,
          message: expect.stringContaining('Access denied due to invalid subscription key.'),
        },
      })
      expect((await ask(undefined)).body).toMatchObject({ message: expect.stringContaining('missing') })
      expect((await ask('disbursements-key')).status).toBe(200)
    }
  })

  test.each(['sandbox', undefined])('to the environment %s is forbidden', async (environment) => {
    const headers = { ...(await mtn.signedIn()), 'x-target-environment': environment }
    expect(await mtn.ask(BALANCE, { headers })).toEqual({
      status: 500,
      body: {
        message: 'Access to target environment is forbidden.',
        code: 'NOT_ALLOWED_TARGET_ENVIRONMENT',
      },
    })
  })

  test.each([
    ['POST', '/disbursement/v1_0/deposit'],
    ['POST', '/disbursement/v1_0/refund'],
    ['GET', '/disbursement/v1_0/account/balance/EUR'],
    ['GET', '/disbursement/v1_0/accountholder/email/awa@example.com/active'],
    ['GET', '/disbursement/v1_0/accountholder/email/awa@example.com/basicuserinfo'],
  ] as const)('%s %s is known to MTN and not stood in for: that is said loudly', async (method, path) => {
    expect((await mtn.ask(path, { method, headers: await mtn.signedIn() })).status).toBe(501)
    expect(mtn.unknown).toEqual([`mtn: ${method} ${path}`])
  })

  test.each([
    [{ payee: { partyIdType: 'EMAIL', partyId: 'awa@example.com' } }, 'EMAIL'],
    [{ payee: { partyIdType: 'ALIAS', partyId: 'awa' } }, 'ALIAS'],
    [{ extra: 'x', more: 'y' }, 'extra, more'],
  ])('with a part that is not stood in for is said loudly: %j', async (changes, what) => {
    const { status, body } = await mtn.transfer(changes)
    expect([status, body]).toEqual([501, { message: expect.stringContaining(what), code: '' }])
    expect(mtn.unknown).toEqual([`mtn: POST /disbursement/v1_0/transfer ${what}`])
    expect(mtn.emulator.transfers()).toEqual([])
  })
})

describe('a holder', () => {
  const about = async (number: string, what: 'active' | 'basicuserinfo') =>
    mtn.ask(`/disbursement/v1_0/accountholder/msisdn/${number}/${what}`, { headers: await mtn.signedIn() })

  test('is there, and has a name, the same each time', async () => {
    expect(await about('224660000000', 'active')).toEqual({ status: 200, body: { result: true } })
    const told = await about('224660123456', 'basicuserinfo')
    expect(told.body).toMatchObject({
      given_name: expect.stringMatching(/^\p{Lu}\p{Ll}+$/u),
      family_name: expect.stringMatching(/^\p{Lu}\p{Ll}+$/u),
    })
    expect(await about('224660123456', 'basicuserinfo')).toEqual(told)
    expect((await about('224660123457', 'basicuserinfo')).body).not.toEqual(told.body)
  })

  test.each([
    ['50', 404, missing],
    ['51', 200, { result: false }],
    ['52', 500, { code: 'NOT_ALLOWED', message: expect.any(String) }],
    ['53', 500, { code: 'NOT_ALLOWED_TARGET_ENVIRONMENT', message: expect.any(String) }],
    ['54', 500, { code: 'INTERNAL_PROCESSING_ERROR', message: expect.any(String) }],
    ['55', 503, { code: 'SERVICE_UNAVAILABLE', message: expect.any(String) }],
    ['57', 200, { result: true }],
  ])('of the test number that ends in %s is answered with %i', async (ends, status, body) => {
    for (const number of [`467331234${ends}`, `2246600004${ends}`])
      expect(await about(number, 'active')).toEqual({ status, body })
  })

  test('whose wallet is not active, or not there, has no name', async () => {
    for (const ends of ['50', '51'])
      expect(await about(`2246600004${ends}`, 'basicuserinfo')).toEqual({ status: 404, body: missing })
    expect((await about('224660000455', 'basicuserinfo')).status).toBe(503)
  })

  test.each(['+224660000000', '0660000000', 'awa'])('of %s is no number', async (number) => {
    for (const what of ['active', 'basicuserinfo'] as const)
      expect((await about(number, what)).status).toBe(400)
  })
})

describe('the balance', () => {
  const told = async () => (await mtn.ask(BALANCE, { headers: await mtn.signedIn() })).body

  test('goes down with what was paid out, and can be filled', async () => {
    expect(await told()).toEqual({ availableBalance: '5000000', currency: 'GNF' })
    await mtn.transfer()
    expect(await told()).toEqual({ availableBalance: '3971800', currency: 'GNF' })
    mtn.emulator.fill(28_200)
    expect([await told(), mtn.emulator.balance()]).toEqual([
      { availableBalance: '4000000', currency: 'GNF' },
      4_000_000,
    ])
  })

  test('of too little lets a transfer fail, and takes nothing', async () => {
    mtn.emulator.fill(1_028_199 - 5_000_000)
    const { status, reference } = await mtn.transfer()
    expect(status).toBe(202)
    expect((await mtn.state(reference)).body).toMatchObject({ status: 'FAILED', reason: 'NOT_ENOUGH_FUNDS' })
    expect(mtn.emulator.balance()).toBe(1_028_199)
    mtn.emulator.fill(1)
    const exactly = await mtn.transfer()
    expect((await mtn.state(exactly.reference)).body).toMatchObject({ status: 'SUCCESSFUL' })
    expect(mtn.emulator.balance()).toBe(0)
  })
})

test('goes on from a dump, and begins anew after a reset', async () => {
  const headers = await mtn.signedIn()
  const { reference } = await mtn.transfer()
  const dump = JSON.parse(JSON.stringify(mtn.emulator.dump()))
  mtn.emulator.reset()
  expect((await mtn.ask(BALANCE, { headers })).status).toBe(401)
  expect((await mtn.state(reference)).status).toBe(404)
  expect([mtn.emulator.balance(), mtn.emulator.transfers()]).toEqual([5_000_000, []])

  mtn.emulator.load(dump)
  expect(mtn.emulator.dump()).toEqual(dump)
  expect((await mtn.ask(BALANCE, { headers })).body).toMatchObject({ availableBalance: '3971800' })
  expect((await mtn.state(reference)).body).toMatchObject({ ...TRANSFER, status: 'SUCCESSFUL' })
})
