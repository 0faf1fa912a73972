import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { createFaults, type Fault } from 'service-emulators/faults'
import { serveInMemory } from 'service-emulators/memory'
import { createMtnEmulator } from 'service-emulators/mtn'
import { serve } from 'service-emulators/serve'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../../../../domain/common/duration.ts'
import { money } from '../../../../domain/money/money.ts'
import { SAMPLE_PAYOUT } from '../../../testing/payouts.ts'
import { createMtnProvider } from './mtn.ts'
import type { MtnSettings } from './mtnSettings.ts'
import type { Payout, PayoutState, SendResult } from './provider.ts'

const START = Date.UTC(2026, 10, 20, 12)
const ACCOUNT = {
  subscriptionKey: 'disbursements-key',
  targetEnvironment: 'mtnguineaconakry',
  apiUser: '11111111-1111-4111-8111-111111111111',
  apiKey: 'api-key',
}

let time = START
let requests: { readonly line: string; readonly headers: Headers; readonly body: string }[] = []
const unknown: string[] = []
const faults = createFaults()
const service = createMtnEmulator({
  ...ACCOUNT,
  currency: 'GNF',
  callbackHost: () => 'passerelle.example',
  openingBalance: 5_000_000,
  clock: { now: () => time },
  reportUnknown: (_, what) => unknown.push(what),
  deliver: async () => undefined,
})
const app = new Hono()
app.use(async (c, next) => {
  const body = await c.req.text()
  requests.push({ line: `${c.req.method} ${c.req.path}`, headers: c.req.raw.headers, body })
  return next()
})
app.use(faults.middleware)
app.route('/', service.app)
const server = serveInMemory(app.fetch)
afterAll(() => server.close())

const connect = (changes: Partial<MtnSettings> = {}, timeout?: number) => {
  const settings = { ...ACCOUNT, base: new URL(server.origin), callback: null, ...changes }
  const reach = { fetch: (...call: Parameters<typeof fetch>) => globalThis.fetch(...call), now: () => time }
  const provider = createMtnProvider(settings, { ...reach, ...(timeout !== undefined && { timeout }) })
  if (!provider.api) throw new Error('MTN is called by programs')
  return { ...provider, ...provider.api }
}

let provider = connect()
beforeEach(() => {
  service.reset()
  faults.reset()
  time = START
  requests = []
  provider = connect()
})

const buildPayout = (changes: Partial<Payout> = {}): Payout => ({
  ...SAMPLE_PAYOUT,
  reference: randomUUID(),
  ...changes,
})
const to = (ends: string) => buildPayout({ phone: `+2246600004${ends}` })

const TOKEN = 'POST /disbursement/token/'
const TRANSFER = 'POST /disbursement/v1_0/transfer'
const STATE = 'GET /disbursement/v1_0/transfer/'
const BALANCE = 'GET /disbursement/v1_0/account/balance'

const meets = (on: string, what: Fault['what'], times = 1) => faults.add({ on, times, what } as Fault)
/** `done`: MTN does the work before it answers. */
const answered = (on: string, status: number, body: string | object, { done = false, times = 1 } = {}) =>
  meets(
    on,
    { kind: 'answer', status, body: typeof body === 'string' ? body : JSON.stringify(body), done },
    times,
  )
const inMtnsWords = (code: string) => ({ message: 'Any words.', code })
const calls = (line: string) => requests.filter((request) => request.line === line).length

const silent = { kind: 'silent' } as const
const refusedFor = (failure: string) => ({ kind: 'refused', failure })

describe('a payout by MTN', () => {
  test('MTN delivers a payout and returns the wallet’s transaction ID', async () => {
    const payout = buildPayout()
    expect(await provider.send(payout)).toEqual({ kind: 'taken' })
    const [taken] = service.transfers()
    expect(taken).toMatchObject({
      reference: payout.reference,
      amount: 102_820_000,
      currency: 'GNF',
      externalId: 'pi_1',
      msisdn: '224660000000',
      callbackUrl: null,
    })
    const proof = taken?.financialTransactionId
    expect(proof).toMatch(/^\d+$/)
    expect(await provider.state(payout)).toEqual({ kind: 'delivered', proof })
    expect(await provider.balance('GNF')).toEqual(money(3_971_800, 'GNF'))
  })

  test('a payout that is sent to MTN several times is paid once', async () => {
    const payout = buildPayout()
    await provider.send(payout)
    expect([await provider.send(payout), await provider.send(payout)]).toEqual([
      { kind: 'known' },
      { kind: 'known' },
    ])
    expect([service.transfers().length, service.balance()]).toEqual([1, 3_971_800])
  })

  test('reports a payout that was never sent to MTN as unknown', async () => {
    expect(await provider.state(buildPayout())).toEqual({ kind: 'unknown' })
  })

  test('sends MTN the callback URL if there is one', async () => {
    const callback = new URL('https://passerelle.example/callback')
    await connect({ callback }).send(buildPayout())
    expect(service.transfers()).toMatchObject([{ callbackUrl: callback.href }])
  })

  test('amounts are sent as decimals, and accepted without trailing zeros', async () => {
    const euros = money(1250, 'EUR')
    answered(TRANSFER, 202, '')
    const payout = buildPayout({ amount: euros })
    await provider.send(payout)
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toMatchObject({ amount: '12.50', currency: 'EUR' })
    answered(STATE, 200, { ...buildStatusBody(payout), amount: '12.5', currency: 'EUR' })
    expect(await provider.state(payout)).toMatchObject({ kind: 'delivered' })
  })

  test('the MTN provider supports only MTN’s wallet', () => {
    expect([provider.name, provider.pays('mtn_money'), provider.pays('orange_money')]).toEqual([
      'mtn',
      true,
      false,
    ])
  })
})

const buildStatusBody = ({ amount, phone, transferId }: Payout) => ({
  amount: String(amount.minor),
  currency: amount.currency as string,
  financialTransactionId: '363440463',
  externalId: transferId,
  payee: { partyIdType: 'MSISDN', partyId: phone.slice(1) },
  status: 'SUCCESSFUL',
})

describe('MTN’s decisions', () => {
  test.each([
    ['50', 'unclear'],
    ['51', 'rejected'],
    ['52', 'expired'],
    ['55', 'limit'],
    ['56', 'limit'],
    ['57', 'recipientUnknown'],
    ['70', 'recipientNotAllowed'],
  ])('a payout to the number ending in %s fails: %s', async (ends, failure) => {
    const payout = to(ends)
    expect(await provider.send(payout)).toEqual({ kind: 'taken' })
    expect(await provider.state(payout)).toEqual({ kind: 'failed', failure })
  })

  test.each(['58', '59', '60', '61'])(
    'MTN’s 500 for the number ending in %s is our setup’s',
    async (ends) => {
      const payout = to(ends)
      expect(await provider.send(payout)).toEqual(refusedFor('notSetUp'))
      expect(await provider.state(payout)).toEqual({ kind: 'unknown' })
    },
  )

  test.each(['62', '63'])('reports `silent` for MTN’s test number ending in %s', async (ends) => {
    expect(await provider.send(to(ends))).toEqual(silent)
  })

  test('reports a payout as pending until MTN decides, however long that takes', async () => {
    const [delayed, ongoing] = [to('54'), to('53')]
    await provider.send(delayed)
    await provider.send(ongoing)
    expect([await provider.state(delayed), await provider.state(ongoing)]).toEqual([
      { kind: 'pending' },
      { kind: 'pending' },
    ])
    time += 30_000
    expect(await provider.state(delayed)).toMatchObject({ kind: 'delivered' })
    time += 365 * 86_400_000
    expect(await provider.state(ongoing)).toEqual({ kind: 'pending' })
  })

  test('an empty account at MTN is reported as lack of balance', async () => {
    service.addBalance(-5_000_000)
    const payout = buildPayout()
    await provider.send(payout)
    expect(await provider.state(payout)).toEqual({ kind: 'failed', failure: 'noBalance' })
    expect(await provider.balance('GNF')).toEqual(money(0, 'GNF'))
  })

  test('an unclear failure with too little balance lacks balance', async () => {
    const payout = to('50')
    await provider.send(payout)
    service.addBalance(1_028_199 - 5_000_000)
    expect(await provider.state(payout)).toEqual({ kind: 'failed', failure: 'noBalance' })
    // Without a known balance the payout must not be refunded.
    meets(BALANCE, { kind: 'cutBefore' })
    expect(await provider.state(payout)).toEqual({ kind: 'silent' })
    service.addBalance(1)
    expect(await provider.state(payout)).toEqual({ kind: 'failed', failure: 'unclear' })
    const rejected = to('51')
    await provider.send(rejected)
    service.addBalance(-1)
    expect(await provider.state(rejected)).toEqual({ kind: 'failed', failure: 'rejected' })
  })

  test.each<[string, unknown, PayoutState]>([
    ['a word', 'EXPIRED', { kind: 'failed', failure: 'expired' }],
    ['a word that names no party', 'TRANSACTION_CANCELED', { kind: 'failed', failure: 'unclear' }],
    ['a limit', 'LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED', { kind: 'failed', failure: 'limit' }],
    ['an object', { code: 'PAYEE_NOT_FOUND', message: '…' }, { kind: 'failed', failure: 'recipientUnknown' }],
    ['an unknown word', 'constructor', { kind: 'failed', failure: 'unclear' }],
    ['missing', undefined, { kind: 'failed', failure: 'unclear' }],
    ['null', null, { kind: 'failed', failure: 'unclear' }],
  ])('parses MTN’s failure reason if it is %s', async (_, reason, expected) => {
    const payout = buildPayout()
    answered(STATE, 200, { ...buildStatusBody(payout), status: 'FAILED', reason })
    expect(await provider.state(payout)).toEqual(expected)
  })

  test.each<[string, unknown, string | null]>([
    ['a number', 363_440_463, '363440463'],
    ['missing', undefined, null],
    ['empty', '', null],
    ['null', null, null],
  ])('parses MTN’s transaction ID if it is %s', async (_, financialTransactionId, proof) => {
    const payout = buildPayout()
    const numbers = { amount: payout.amount.minor, payee: { partyId: 224_660_000_000 } }
    answered(STATE, 200, { ...buildStatusBody(payout), ...numbers, financialTransactionId })
    expect(await provider.state(payout)).toEqual({ kind: 'delivered', proof })
  })
})

describe('an answer of MTN that contradicts the payout', () => {
  test.each<[string, object, readonly string[]]>([
    ['another amount', { amount: '1028201' }, ['amount']],
    ['a fraction of a franc more', { amount: '1028200.4' }, ['amount']],
    ['another currency', { currency: 'EUR' }, ['currency']],
    ['another recipient', { payee: { partyIdType: 'MSISDN', partyId: '224660000001' } }, ['phone']],
    [
      'another amount, currency and recipient',
      { amount: '5', currency: 'EUR', payee: { partyId: '1' } },
      ['amount', 'currency', 'phone'],
    ],
  ])('reports %s in MTN’s answer as a contradiction, whatever the state', async (_, changes, fields) => {
    const payout = buildPayout()
    await provider.send(payout)
    for (const status of ['SUCCESSFUL', 'FAILED', 'PENDING']) {
      answered(STATE, 200, { ...buildStatusBody(payout), status, ...changes }, { done: true })
      expect(await provider.state(payout)).toEqual({ kind: 'contradicted', fields })
    }
    expect(await provider.state(payout)).toMatchObject({ kind: 'delivered' })
  })

  test('reports a contradiction if the reference was used for another payout', async () => {
    const payout = buildPayout()
    await provider.send(payout)
    const other = buildPayout({ reference: payout.reference, amount: money(5, 'GNF') })
    expect(await provider.send(other)).toEqual({ kind: 'known' })
    expect(await provider.state(other)).toEqual({ kind: 'contradicted', fields: ['amount'] })
  })
})

describe('a fault while sending a payout to MTN', () => {
  const sendMeeting = async (): Promise<readonly [SendResult, boolean]> => {
    const payout = buildPayout()
    const sent = await provider.send(payout)
    return [sent, service.transfers().some(({ reference }) => reference === payout.reference)]
  }

  test.each([
    ['before the payout is accepted', 'cutBefore', false],
    ['after the payout is accepted', 'cutAfter', true],
  ] as const)('reports `silent` when the connection to MTN breaks %s', async (_, kind, taken) => {
    meets(TRANSFER, { kind })
    expect(await sendMeeting()).toEqual([silent, taken])
  })

  test('a slow answer to a payout is reported as `silent`', async () => {
    provider = connect({}, 20)
    // Fetch the token first, so that the timeout hits the transfer.
    await provider.balance('GNF')
    meets(TRANSFER, { kind: 'delay', ms: 200 })
    expect(await provider.send(buildPayout())).toEqual(silent)
    meets(TOKEN, { kind: 'delay', ms: 200 })
    expect(await connect({}, 20).send(buildPayout())).toEqual(silent)
  })

  test('reports an accepted payout as unknown when MTN has lost it', async () => {
    answered(TRANSFER, 202, '')
    const payout = buildPayout()
    expect(await provider.send(payout)).toEqual({ kind: 'taken' })
    expect(await provider.state(payout)).toEqual({ kind: 'unknown' })
  })

  test.each<[string, number, string | object]>([
    ['500 in MTN’s words', 500, inMtnsWords('INTERNAL_PROCESSING_ERROR')],
    ['500 with an unknown code', 500, inMtnsWords('constructor')],
    ['500 without a body', 500, ''],
    ['502 of a gateway', 502, '<html>Bad gateway</html>'],
    ['503', 503, inMtnsWords('SERVICE_UNAVAILABLE')],
    ['429', 429, { statusCode: 429, message: 'Rate limit is exceeded.' }],
    ['404 of a gateway', 404, { statusCode: 404, message: 'Resource not found' }],
    ['200', 200, '{}'],
    ['a redirect', 307, ''],
  ])('an answer with %s to a payout is reported as `silent`', async (_, status, body) => {
    for (const done of [true, false]) {
      answered(TRANSFER, status, body, { done })
      expect(await sendMeeting()).toEqual([silent, done])
    }
  })

  test('a payout with a lost answer is found, never paid twice', async () => {
    meets(TRANSFER, { kind: 'cutAfter' })
    const payout = buildPayout()
    expect(await provider.send(payout)).toEqual(silent)
    expect(await provider.state(payout)).toMatchObject({ kind: 'delivered' })
    expect(await provider.send(payout)).toEqual({ kind: 'known' })
    expect(service.balance()).toBe(3_971_800)
  })

  test.each([
    ['400', 400, '', 'notSetUp'],
    ['500 for the environment', 500, inMtnsWords('NOT_ALLOWED_TARGET_ENVIRONMENT'), 'notSetUp'],
    ['403 of the gateway', 403, { statusCode: 403, message: 'Forbidden' }, 'notSetUp'],
    ['500 for the recipient', 500, inMtnsWords('PAYEE_NOT_FOUND'), 'recipientUnknown'],
    ['500 for a limit', 500, inMtnsWords('NOT_ENOUGH_FUNDS'), 'limit'],
  ])('treats MTN’s answer with %s as a refusal', async (_, status, body, failure) => {
    answered(TRANSFER, status, body)
    expect(await sendMeeting()).toEqual([refusedFor(failure), false])
  })
})

describe('a fault while asking MTN about a payout', () => {
  test.each<[string, Fault['what'] | readonly [number, string | object]]>([
    ['a failed connection', { kind: 'cutBefore' }],
    ['a lost answer', { kind: 'cutAfter' }],
    ['an answer that is not JSON', [200, '{"amount":']],
    ['JSON of another form', [200, '[]']],
    ['an answer without an amount', [200, { ...buildStatusBody(buildPayout()), amount: undefined }]],
    ['an invalid amount', [200, { ...buildStatusBody(buildPayout()), amount: 'much' }]],
    ['an answer without a recipient', [200, { ...buildStatusBody(buildPayout()), payee: undefined }]],
    ['an unknown status', [200, { ...buildStatusBody(buildPayout()), status: 'REJECTED' }]],
    ['an answer without a status', [200, { ...buildStatusBody(buildPayout()), status: undefined }]],
    ['404 of a gateway', [404, { statusCode: 404, message: 'Resource not found' }]],
    ['404 without a body', [404, '']],
    ['RESOURCE_NOT_FOUND with another status', [500, inMtnsWords('RESOURCE_NOT_FOUND')]],
    ['500 in the words of a failure', [500, inMtnsWords('PAYEE_NOT_FOUND')]],
    ['503', [503, inMtnsWords('SERVICE_UNAVAILABLE')]],
    ['403', [403, { statusCode: 403, message: 'Forbidden' }]],
    ['a failed state with status 202', [202, { ...buildStatusBody(buildPayout()), status: 'FAILED' }]],
  ])('asking MTN about a payout returns `silent`, not `failed`, after %s', async (_, what) => {
    const payout = buildPayout()
    await provider.send(payout)
    if ('kind' in what) meets(STATE, what)
    else answered(STATE, what[0], what[1], { times: 2 })
    expect(await provider.state(payout)).toEqual(silent)
  })

  test('returns no balance when MTN’s answer is missing or unreadable', async () => {
    expect(await provider.balance('EUR')).toBeNull()
    for (const body of ['', '{}', { availableBalance: 'much', currency: 'GNF' }]) {
      answered(BALANCE, 200, body)
      expect(await provider.balance('GNF')).toBeNull()
    }
    answered(BALANCE, 200, { availableBalance: '9'.repeat(400), currency: 'GNF' })
    expect(await provider.balance('GNF')).toBeNull()
    answered(BALANCE, 500, { availableBalance: '5', currency: 'GNF' })
    expect(await provider.balance('GNF')).toBeNull()
    meets(BALANCE, { kind: 'cutBefore' })
    expect(await provider.balance('GNF')).toBeNull()
  })
})

describe('MTN’s token', () => {
  test('fetches MTN’s token once, and again a minute before it expires', async () => {
    await provider.send(buildPayout())
    time += 59 * MINUTE - 1
    await provider.send(buildPayout())
    expect(calls(TOKEN)).toBe(1)
    time += 1
    await provider.send(buildPayout())
    expect([calls(TOKEN), service.transfers().length]).toEqual([2, 3])
  })

  test('replaces a token that MTN revoked early, and pays each payout once', async () => {
    await provider.send(buildPayout())
    service.endTokens()
    expect(await provider.send(buildPayout())).toEqual({ kind: 'taken' })
    service.endTokens()
    expect(await provider.balance('GNF')).toEqual(money(2_943_600, 'GNF'))
    expect([calls(TOKEN), calls(TRANSFER), service.transfers().length]).toEqual([3, 3, 2])
  })

  test('treats the payout as refused after MTN rejects a second token', async () => {
    await provider.balance('GNF')
    answered(TRANSFER, 401, { error: 'invalid_token' }, { times: 9 })
    expect(await provider.send(buildPayout())).toEqual(refusedFor('notSetUp'))
    expect([calls(TOKEN), calls(TRANSFER)]).toEqual([2, 2])
  })

  test.each<[string, Fault['what'] | readonly [number, string | object]]>([
    ['a failed connection', { kind: 'cutBefore' }],
    ['503', [503, '']],
    ['an unreadable answer', [200, '{"access_token":']],
    ['an answer without a token', [200, { expires_in: 3600 }]],
    ['409 with the code of a transfer', [409, inMtnsWords('RESOURCE_ALREADY_EXIST')]],
    ['404 with the code of a state', [404, inMtnsWords('RESOURCE_NOT_FOUND')]],
    ['500 with the code of a failure', [500, inMtnsWords('PAYEE_NOT_FOUND')]],
    ['202', [202, '']],
  ])('a token request ending with %s is `silent`, without payout', async (_, what) => {
    if ('kind' in what) meets(TOKEN, what, 3)
    else answered(TOKEN, what[0], what[1], { times: 3 })
    const payout = buildPayout()
    expect([
      await provider.send(payout),
      await provider.state(payout),
      await provider.balance('GNF'),
    ]).toEqual([silent, silent, null])
    expect(calls(TRANSFER)).toBe(0)
  })

  test.each([
    ['401', 401],
    ['500, as MTN’s sandbox once did', 500],
  ])('the answer %s to our keys is a refusal of setup', async (_, status) => {
    answered(TOKEN, status, { error: 'login_failed' })
    expect(await provider.send(buildPayout())).toEqual(refusedFor('notSetUp'))
    expect(calls(TOKEN)).toBe(1)
  })
})

describe('MTN’s settings', () => {
  test.each<[string, Partial<MtnSettings>]>([
    ['another subscription key', { subscriptionKey: 'collections-key' }],
    ['another API user', { apiUser: randomUUID() }],
    ['another API key', { apiKey: 'other' }],
    ['another environment', { targetEnvironment: 'sandbox' }],
    ['another host for callbacks', { callback: new URL('https://elsewhere.example/') }],
  ])('MTN refuses a call with %s because of our setup', async (_, changes) => {
    const wrong = connect(changes)
    expect(await wrong.send(buildPayout())).toEqual(refusedFor('notSetUp'))
    expect(service.transfers()).toEqual([])
    if (!changes.callback) expect(await wrong.state(buildPayout())).toEqual(silent)
  })

  test('the MTN provider reports `silent` when MTN’s server does not answer', async () => {
    const elsewhere = connect({ base: new URL('http://127.0.0.1:1') })
    expect([await elsewhere.send(buildPayout()), await elsewhere.balance('GNF')]).toEqual([silent, null])
  })

  test('sends nothing to the target of a redirect from MTN’s URL', async () => {
    const paths: string[] = []
    const door = await serve(({ url }) => {
      paths.push(new URL(url).pathname)
      return new Response(null, { status: 307, headers: { location: '/elsewhere' } })
    })
    expect(await connect({ base: new URL(door.origin) }).send(buildPayout())).toEqual(silent)
    expect(paths).toEqual(['/disbursement/token/'])
    await door.close()
  })

  test('each call has the subscription key and the environment', async () => {
    await connect({ base: new URL('/anything/', server.origin) }).send(buildPayout())
    expect(requests.map(({ line }) => line)).toEqual([TOKEN, TRANSFER])
    for (const { headers } of requests)
      expect([headers.get('ocp-apim-subscription-key'), headers.get('x-target-environment')]).toEqual([
        'disbursements-key',
        'mtnguineaconakry',
      ])
    expect(unknown).toEqual([])
  })
})

describe('the holder of a wallet', () => {
  const NOBODY = { kind: 'none' } as const
  const account = (ends: string) => `GET /disbursement/v1_0/accountholder/msisdn/2246600004${ends}`
  const ask = async (ends = '80') => provider.holder?.(`+2246600004${ends}`)
  const NAMED = { kind: 'held', holder: { given: 'Mariama', family: 'Bah' } }
  const named = { given_name: 'Mariama', family_name: 'Bah', birthdate: '1976-08-13' }

  test('the holder lookup asks once for status, once for holder', async () => {
    expect(await ask()).toEqual({
      kind: 'held',
      holder: { given: expect.stringMatching(/^\p{Lu}/u), family: expect.stringMatching(/^\p{Lu}/u) },
    })
    expect([calls(`${account('80')}/active`), calls(`${account('80')}/basicuserinfo`)]).toEqual([1, 1])
  })

  test.each([
    ['50', 'no account', NOBODY],
    ['51', 'an inactive account', NOBODY],
    ['52', 'a lookup that MTN does not allow', silent],
    ['53', 'an environment that MTN does not allow', silent],
    ['54', 'an internal error of MTN', silent],
    ['55', 'an outage of MTN', silent],
  ])('the lookup of the number ending in %s (%s) returns %o', async (ends, _, expected) => {
    expect(await ask(ends)).toEqual(expected)
  })

  test.each<[string, number, string | object]>([
    ['404 of a gateway', 404, { statusCode: 404, message: 'Resource not found' }],
    ['500 in MTN’s words', 500, inMtnsWords('RESOURCE_NOT_FOUND')],
    ['503', 503, inMtnsWords('SERVICE_UNAVAILABLE')],
    ['400', 400, ''],
    ['an answer without the result', 200, { result: null }],
    ['an answer that can’t be read', 200, '<html>'],
  ])('does not treat MTN’s answer with %s as a missing wallet', async (_, status, body) => {
    answered(`${account('80')}/active`, status, body)
    answered(`${account('80')}/basicuserinfo`, 200, named)
    expect(await ask()).toEqual(NAMED)
    answered(`${account('80')}/active`, status, body)
    answered(`${account('80')}/basicuserinfo`, 404, inMtnsWords('RESOURCE_NOT_FOUND'))
    expect(await ask()).toEqual(silent)
  })

  test.each(['false', false])('treats MTN’s account status %o as an inactive account', async (result) => {
    answered(`${account('80')}/active`, 200, { result })
    expect(await ask()).toEqual(NOBODY)
  })

  test.each<[string, unknown, object]>([
    ['no names', {}, { given: '', family: '' }],
    ['null', { given_name: null, family_name: null }, { given: '', family: '' }],
    ['one word', { given_name: 'Mariama' }, { given: 'Mariama', family: '' }],
  ])('parses the holder of a wallet if MTN returns %s', async (_, body, holder) => {
    answered(`${account('80')}/basicuserinfo`, 200, body as object)
    expect(await ask()).toEqual({ kind: 'held', holder })
  })

  test.each<[string, unknown]>([
    ['invalid names', { given_name: 7, family_name: [] }],
    ['a string instead of an object', 'Mariama'],
    ['a body that is not JSON', '<html>'],
  ])('the holder lookup returns `silent` if MTN returns %s', async (_, body) => {
    answered(`${account('80')}/basicuserinfo`, 200, body as object)
    expect(await ask()).toEqual(silent)
  })

  test('the holder lookup uses whichever of MTN’s two answers arrives', async () => {
    meets(`${account('80')}/active`, { kind: 'cutBefore' })
    expect(await ask()).toMatchObject({ kind: 'held' })
    meets(`${account('51')}/basicuserinfo`, { kind: 'cutAfter' })
    expect(await ask('51')).toEqual(NOBODY)
    meets(account('80'), { kind: 'cutBefore' }, 2)
    expect(await ask()).toEqual(silent)
  })

  test('the holder lookup returns `silent` after its timeout', async () => {
    provider = connect({}, 20)
    await provider.balance('GNF')
    meets(account('80'), { kind: 'delay', ms: 200 }, 2)
    expect(await ask()).toEqual(silent)
  })

  test('the holder lookup replaces a revoked token', async () => {
    await ask()
    service.endTokens()
    expect(await ask()).toMatchObject({ kind: 'held' })
  })

  test('the holder lookup returns `silent` if the API keys are wrong', async () => {
    provider = connect({ apiKey: 'another' })
    expect(await ask('51')).toEqual(silent)
  })
})
