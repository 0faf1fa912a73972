import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { API_KEY, API_USER, type MtnTestServer, serveMtn, TRANSFER_BODY } from '../testing/mtn.ts'

let mtn: MtnTestServer
beforeEach(async () => {
  mtn = await serveMtn()
})
afterEach(async () => {
  await mtn.stop()
})

const BALANCE = '/disbursement/v1_0/account/balance'
const missing = { message: 'Requested resource was not found.', code: 'RESOURCE_NOT_FOUND' }

describe('access tokens', () => {
  const basic = (user: string, key: string) => ({ authorization: `Basic ${btoa(`${user}:${key}`)}` })

  test('the right user and key get a token for an hour', async () => {
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

  test('a revoked token is refused before it expires', async () => {
    const headers = await mtn.signedIn()
    mtn.emulator.endTokens()
    expect((await mtn.ask(BALANCE, { headers })).status).toBe(401)
  })

  test.each<[string, Record<string, string>]>([
    ['another API key', basic(API_USER, 'other')],
    ['another API user', basic(randomUUID(), API_KEY)],
    ['credentials without a scheme', { authorization: btoa(`${API_USER}:${API_KEY}`) }],
    ['no credentials', {}],
  ])('MTN refuses a token for %s', async (_, headers) => {
    expect(await mtn.ask('/disbursement/token/', { method: 'POST', headers })).toEqual({
      status: 401,
      body: { error: 'login_failed' },
    })
  })
})

describe('headers and unsupported calls', () => {
  test('a call to MTN requires the subscription key of the product', async () => {
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

  test.each(['sandbox', undefined])(
    'MTN forbids a call with the target environment %s',
    async (environment) => {
      const headers = { ...(await mtn.signedIn()), 'x-target-environment': environment }
      expect(await mtn.ask(BALANCE, { headers })).toEqual({
        status: 500,
        body: {
          message: 'Access to target environment is forbidden.',
          code: 'NOT_ALLOWED_TARGET_ENVIRONMENT',
        },
      })
    },
  )

  test.each([
    ['POST', '/disbursement/v1_0/deposit'],
    ['POST', '/disbursement/v1_0/refund'],
    ['GET', '/disbursement/v1_0/account/balance/EUR'],
    ['GET', '/disbursement/v1_0/accountholder/email/awa@example.com/active'],
    ['GET', '/disbursement/v1_0/accountholder/email/awa@example.com/basicuserinfo'],
  ] as const)('the unsupported call %s %s gets 501 and a report', async (method, path) => {
    expect((await mtn.ask(path, { method, headers: await mtn.signedIn() })).status).toBe(501)
    expect(mtn.unknown).toEqual([`mtn: ${method} ${path}`])
  })

  test.each([
    [{ payee: { partyIdType: 'EMAIL', partyId: 'awa@example.com' } }, 'EMAIL'],
    [{ payee: { partyIdType: 'ALIAS', partyId: 'awa' } }, 'ALIAS'],
    [{ extra: 'x' }, 'extra'],
  ])('the MTN emulator reports a transfer with the unsupported part %j', async (changes, what) => {
    const { status, body } = await mtn.transfer(changes)
    expect([status, body]).toEqual([501, { message: expect.stringContaining(what), code: '' }])
    expect(mtn.unknown).toEqual([`mtn: POST /disbursement/v1_0/transfer ${what}`])
    expect(mtn.emulator.transfers()).toEqual([])
  })
})

describe('account holders', () => {
  const about = async (number: string, what: 'active' | 'basicuserinfo') =>
    mtn.ask(`/disbursement/v1_0/accountholder/msisdn/${number}/${what}`, { headers: await mtn.signedIn() })

  test('every number has an account holder, who always has the same name', async () => {
    expect(await about('224660000000', 'active')).toEqual({ status: 200, body: { result: true } })
    const info = await about('224660123456', 'basicuserinfo')
    expect(info.body).toMatchObject({
      given_name: expect.stringMatching(/^\p{Lu}\p{Ll}+$/u),
      family_name: expect.stringMatching(/^\p{Lu}\p{Ll}+$/u),
    })
    expect(await about('224660123456', 'basicuserinfo')).toEqual(info)
    expect((await about('224660123457', 'basicuserinfo')).body).not.toEqual(info.body)
  })

  test.each([
    ['50', 404, missing],
    ['51', 200, { result: false }],
    ['52', 500, { code: 'NOT_ALLOWED', message: expect.any(String) }],
    ['53', 500, { code: 'NOT_ALLOWED_TARGET_ENVIRONMENT', message: expect.any(String) }],
    ['54', 500, { code: 'INTERNAL_PROCESSING_ERROR', message: expect.any(String) }],
    ['55', 503, { code: 'SERVICE_UNAVAILABLE', message: expect.any(String) }],
    ['57', 200, { result: true }],
  ])('the holder of a number ending in %s has status %i', async (ends, status, body) => {
    for (const number of [`467331234${ends}`, `2246600004${ends}`])
      expect(await about(number, 'active')).toEqual({ status, body })
  })

  test('the holder of an inactive or missing wallet has no name', async () => {
    for (const ends of ['50', '51'])
      expect(await about(`2246600004${ends}`, 'basicuserinfo')).toEqual({ status: 404, body: missing })
    expect((await about('224660000455', 'basicuserinfo')).status).toBe(503)
  })

  test.each(['+224660000000', '0660000000', 'awa'])(
    'MTN refuses a request for the holder of the malformed number %s',
    async (number) => {
      for (const what of ['active', 'basicuserinfo'] as const)
        expect((await about(number, what)).status).toBe(400)
    },
  )
})

describe('the balance', () => {
  const readBalance = async () => (await mtn.ask(BALANCE, { headers: await mtn.signedIn() })).body

  test('the balance decreases with each payout, and can be refilled', async () => {
    expect(await readBalance()).toEqual({ availableBalance: '5000000', currency: 'GNF' })
    await mtn.transfer()
    expect(await readBalance()).toEqual({ availableBalance: '3971800', currency: 'GNF' })
    mtn.emulator.addBalance(28_200)
    expect([await readBalance(), mtn.emulator.balance()]).toEqual([
      { availableBalance: '4000000', currency: 'GNF' },
      4_000_000,
    ])
  })

  test('a transfer above the balance fails and leaves the balance unchanged', async () => {
    mtn.emulator.addBalance(1_028_199 - 5_000_000)
    const { status, reference } = await mtn.transfer()
    expect(status).toBe(202)
    expect((await mtn.state(reference)).body).toMatchObject({ status: 'FAILED', reason: 'NOT_ENOUGH_FUNDS' })
    expect(mtn.emulator.balance()).toBe(1_028_199)
    mtn.emulator.addBalance(1)
    const exactly = await mtn.transfer()
    expect((await mtn.state(exactly.reference)).body).toMatchObject({ status: 'SUCCESSFUL' })
    expect(mtn.emulator.balance()).toBe(0)
  })
})

test('the MTN emulator restores a dump, and is empty after a reset', async () => {
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
  expect((await mtn.state(reference)).body).toMatchObject({ ...TRANSFER_BODY, status: 'SUCCESSFUL' })
})
