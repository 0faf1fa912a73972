import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { createFaults, type Fault } from 'service-emulators/faults'
import { serveInMemory } from 'service-emulators/memory'
import { createMtn } from 'service-emulators/mtn'
import { serve } from 'service-emulators/serve'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../../../../domain/duration.ts'
import { money } from '../../../../domain/money.ts'
import type { MtnSettings } from '../../platform/payoutSettings.ts'
import { mtn } from './mtn.ts'
import type { Payout, PayoutState, Sent } from './provider.ts'

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
const service = createMtn({
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

const connect = (changes: Partial<MtnSettings> = {}, patience?: number) => {
  const settings = { ...ACCOUNT, base: new URL(server.origin), callback: null, ...changes }
  const reach = { fetch: (...call: Parameters<typeof fetch>) => globalThis.fetch(...call), now: () => time }
  const provider = mtn(settings, { ...reach, ...(patience !== undefined && { patience }) })
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

const payoutOf = (changes: Partial<Payout> = {}): Payout => ({
  reference: randomUUID(),
  transferId: 'pi_1',
  amount: money(1_028_200, 'GNF'),
  wallet: 'mtn_money',
  phone: '+224660000000',
  ...changes,
})
const to = (ends: string) => payoutOf({ phone: `+2246600004${ends}` })

const TOKEN = 'POST /disbursement/token/'
const TRANSFER = 'POST /disbursement/v1_0/transfer'
const STATE = 'GET /disbursement/v1_0/transfer/'
const BALANCE = 'GET /disbursement/v1_0/account/balance'

const meets = (on: string, what: Fault['what'], times = 1) => faults.add({ on, times, what } as Fault)
/** Answered otherwise: after the work when `done`. */
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

describe('a payout', () => {
  test('is taken, delivered, and proved by what the wallet shows', async () => {
    const payout = payoutOf()
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

  test('goes out once, however often it is sent', async () => {
    const payout = payoutOf()
    await provider.send(payout)
    expect([await provider.send(payout), await provider.send(payout)]).toEqual([
      { kind: 'known' },
      { kind: 'known' },
    ])
    expect([service.transfers().length, service.balance()]).toEqual([1, 3_971_800])
  })

  test('that was never sent is unknown', async () => {
    expect(await provider.state(payoutOf())).toEqual({ kind: 'unknown' })
  })

  test('names where MTN may call, if there is such a place', async () => {
    const callback = new URL('https://passerelle.example/callback')
    await connect({ callback }).send(payoutOf())
    expect(service.transfers()).toMatchObject([{ callbackUrl: callback.href }])
  })

  test('in a currency with cents goes out as a decimal, and is known when its zeros are left out', async () => {
    const euros = money(1250, 'EUR')
    answered(TRANSFER, 202, '')
    const payout = payoutOf({ amount: euros })
    await provider.send(payout)
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toMatchObject({ amount: '12.50', currency: 'EUR' })
    answered(STATE, 200, { ...told(payout), amount: '12.5', currency: 'EUR' })
    expect(await provider.state(payout)).toMatchObject({ kind: 'delivered' })
  })

  test('is for MTN’s wallet only', () => {
    expect([provider.name, provider.pays('mtn_money'), provider.pays('orange_money')]).toEqual([
      'mtn',
      true,
      false,
    ])
  })
})

/** A state as MTN tells it of this payout. */
const told = ({ amount, phone, transferId }: Payout) => ({
  amount: String(amount.minor),
  currency: amount.currency as string,
  financialTransactionId: '363440463',
  externalId: transferId,
  payee: { partyIdType: 'MSISDN', partyId: phone.slice(1) },
  status: 'SUCCESSFUL',
})

describe('what MTN decides', () => {
  test.each([
    ['50', 'rejected'],
    ['51', 'rejected'],
    ['52', 'expired'],
    ['55', 'noBalance'],
    ['56', 'ourLimit'],
    ['57', 'recipientUnknown'],
    ['70', 'recipientNotAllowed'],
  ])('of the test number that ends in %s is taken, and failed: %s', async (ends, failure) => {
    const payout = to(ends)
    expect(await provider.send(payout)).toEqual({ kind: 'taken' })
    expect(await provider.state(payout)).toEqual({ kind: 'failed', failure })
  })

  test.each(['58', '59', '60', '61'])(
    'of the test number that ends in %s is a refusal about us, though a 500',
    async (ends) => {
      const payout = to(ends)
      expect(await provider.send(payout)).toEqual(refusedFor('notSetUp'))
      expect(await provider.state(payout)).toEqual({ kind: 'unknown' })
    },
  )

  test.each(['62', '63'])('of the test number that ends in %s is a service in trouble', async (ends) => {
    expect(await provider.send(to(ends))).toEqual(silent)
  })

  test('can take its time, and as long as it likes', async () => {
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

  test('when the account is empty is told as such', async () => {
    service.fill(-5_000_000)
    const payout = payoutOf()
    await provider.send(payout)
    expect(await provider.state(payout)).toEqual({ kind: 'failed', failure: 'noBalance' })
    expect(await provider.balance('GNF')).toEqual(money(0, 'GNF'))
  })

  test('without a word of its own is laid to the balance, when that is too small', async () => {
    const payout = to('50')
    await provider.send(payout)
    service.fill(1_028_199 - 5_000_000)
    expect(await provider.state(payout)).toEqual({ kind: 'failed', failure: 'noBalance' })
    // Whoever can't look gives nobody's money back for it.
    meets(BALANCE, { kind: 'cutBefore' })
    expect(await provider.state(payout)).toEqual({ kind: 'silent' })
    service.fill(1)
    expect(await provider.state(payout)).toEqual({ kind: 'failed', failure: 'rejected' })
    // A reason that is clear needs no second look.
    const rejected = to('51')
    await provider.send(rejected)
    service.fill(-1)
    expect(await provider.state(rejected)).toEqual({ kind: 'failed', failure: 'rejected' })
  })

  test.each<[string, unknown, PayoutState]>([
    ['a word', 'TRANSACTION_CANCELED', { kind: 'failed', failure: 'canceled' }],
    ['an object', { code: 'PAYEE_NOT_FOUND', message: '…' }, { kind: 'failed', failure: 'recipientUnknown' }],
    ['a word that nobody knows', 'constructor', { kind: 'failed', failure: 'rejected' }],
    ['none', undefined, { kind: 'failed', failure: 'rejected' }],
    ['null', null, { kind: 'failed', failure: 'rejected' }],
  ])('can have as its reason %s', async (_, reason, expected) => {
    const payout = payoutOf()
    answered(STATE, 200, { ...told(payout), status: 'FAILED', reason })
    expect(await provider.state(payout)).toEqual(expected)
  })

  test.each<[string, unknown, string | null]>([
    ['a number', 363_440_463, '363440463'],
    ['nothing', undefined, null],
    ['empty', '', null],
    ['null', null, null],
  ])('is proved by an id that may be %s', async (_, financialTransactionId, proof) => {
    const payout = payoutOf()
    const numbers = { amount: payout.amount.minor, payee: { partyId: 224_660_000_000 } }
    answered(STATE, 200, { ...told(payout), ...numbers, financialTransactionId })
    expect(await provider.state(payout)).toEqual({ kind: 'delivered', proof })
  })
})

describe('a state that contradicts what was sent', () => {
  test.each<[string, object, readonly string[]]>([
    ['another amount', { amount: '1028201' }, ['amount']],
    ['a fraction of a franc more', { amount: '1028200.4' }, ['amount']],
    ['another currency', { currency: 'EUR' }, ['currency']],
    ['another recipient', { payee: { partyIdType: 'MSISDN', partyId: '224660000001' } }, ['phone']],
    [
      'all of them',
      { amount: '5', currency: 'EUR', payee: { partyId: '1' } },
      ['amount', 'currency', 'phone'],
    ],
  ])('by %s is told apart, whatever became of it', async (_, changes, fields) => {
    const payout = payoutOf()
    await provider.send(payout)
    for (const status of ['SUCCESSFUL', 'FAILED', 'PENDING']) {
      answered(STATE, 200, { ...told(payout), status, ...changes }, { done: true })
      expect(await provider.state(payout)).toEqual({ kind: 'contradicted', fields })
    }
    expect(await provider.state(payout)).toMatchObject({ kind: 'delivered' })
  })

  test('because the reference was used for something else, too', async () => {
    const payout = payoutOf()
    await provider.send(payout)
    const other = payoutOf({ reference: payout.reference, amount: money(5, 'GNF') })
    expect(await provider.send(other)).toEqual({ kind: 'known' })
    expect(await provider.state(other)).toEqual({ kind: 'contradicted', fields: ['amount'] })
  })
})

describe('a fault while sending', () => {
  /** What is told, and whether it was taken all the same. */
  const sendMeeting = async (): Promise<readonly [Sent, boolean]> => {
    const payout = payoutOf()
    const sent = await provider.send(payout)
    return [sent, service.transfers().some(({ reference }) => reference === payout.reference)]
  }

  test.each([
    ['before it was taken', 'cutBefore', false],
    ['after it was taken', 'cutAfter', true],
  ] as const)('silence %s', async (_, kind, taken) => {
    meets(TRANSFER, { kind })
    expect(await sendMeeting()).toEqual([silent, taken])
  })

  test('silence that lasts', async () => {
    provider = connect({}, 20)
    // Asked for before, so that the time is up while the transfer waits.
    await provider.balance('GNF')
    meets(TRANSFER, { kind: 'delay', ms: 200 })
    expect(await provider.send(payoutOf())).toEqual(silent)
    meets(TOKEN, { kind: 'delay', ms: 200 })
    expect(await connect({}, 20).send(payoutOf())).toEqual(silent)
  })

  test('202, and then nothing is there', async () => {
    answered(TRANSFER, 202, '')
    const payout = payoutOf()
    expect(await provider.send(payout)).toEqual({ kind: 'taken' })
    expect(await provider.state(payout)).toEqual({ kind: 'unknown' })
  })

  test.each<[string, number, string | object]>([
    ['500 in MTN’s words', 500, inMtnsWords('INTERNAL_PROCESSING_ERROR')],
    ['500 in words that nobody knows', 500, inMtnsWords('constructor')],
    ['500 without a word', 500, ''],
    ['502 of a gateway', 502, '<html>Bad gateway</html>'],
    ['503', 503, inMtnsWords('SERVICE_UNAVAILABLE')],
    ['429', 429, { statusCode: 429, message: 'Rate limit is exceeded.' }],
    ['404 of a gateway', 404, { statusCode: 404, message: 'Resource not found' }],
    ['200', 200, '{}'],
    ['an address to go on to', 307, ''],
  ])('%s, after taking it or not: nobody knows', async (_, status, body) => {
    for (const done of [true, false]) {
      answered(TRANSFER, status, body, { done })
      expect(await sendMeeting()).toEqual([silent, done])
    }
  })

  test('a lost answer is made good by asking, and by sending again', async () => {
    meets(TRANSFER, { kind: 'cutAfter' })
    const payout = payoutOf()
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
    ['500 for our balance', 500, inMtnsWords('NOT_ENOUGH_FUNDS'), 'noBalance'],
  ])('%s is a refusal', async (_, status, body, failure) => {
    answered(TRANSFER, status, body)
    expect(await sendMeeting()).toEqual([refusedFor(failure), false])
  })
})

describe('a fault while asking', () => {
  test.each<[string, Fault['what'] | readonly [number, string | object]]>([
    ['no connection', { kind: 'cutBefore' }],
    ['a lost answer', { kind: 'cutAfter' }],
    ['no JSON', [200, '{"amount":']],
    ['another JSON', [200, '[]']],
    ['no amount', [200, { ...told(payoutOf()), amount: undefined }]],
    ['an amount that is none', [200, { ...told(payoutOf()), amount: 'much' }]],
    ['no recipient', [200, { ...told(payoutOf()), payee: undefined }]],
    ['a status that nobody knows', [200, { ...told(payoutOf()), status: 'REJECTED' }]],
    ['no status', [200, { ...told(payoutOf()), status: undefined }]],
    ['404 of a gateway', [404, { statusCode: 404, message: 'Resource not found' }]],
    ['404 without a word', [404, '']],
    ['RESOURCE_NOT_FOUND with another status', [500, inMtnsWords('RESOURCE_NOT_FOUND')]],
    ['500 in the words of a failure', [500, inMtnsWords('PAYEE_NOT_FOUND')]],
    ['503', [503, inMtnsWords('SERVICE_UNAVAILABLE')]],
    ['403', [403, { statusCode: 403, message: 'Forbidden' }]],
    ['a failed state that is no 200', [202, { ...told(payoutOf()), status: 'FAILED' }]],
  ])('%s: nobody knows, and nothing has failed', async (_, what) => {
    const payout = payoutOf()
    await provider.send(payout)
    if ('kind' in what) meets(STATE, what)
    else answered(STATE, what[0], what[1], { times: 2 })
    expect(await provider.state(payout)).toEqual(silent)
  })

  test('for the balance: nobody says', async () => {
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

describe('a token', () => {
  test('is asked for once, and again a minute before it ends', async () => {
    await provider.send(payoutOf())
    time += 59 * MINUTE - 1
    await provider.send(payoutOf())
    expect(calls(TOKEN)).toBe(1)
    time += 1
    await provider.send(payoutOf())
    expect([calls(TOKEN), service.transfers().length]).toEqual([2, 3])
  })

  test('that ended before its time is replaced, and the payout goes out once', async () => {
    await provider.send(payoutOf())
    service.endTokens()
    expect(await provider.send(payoutOf())).toEqual({ kind: 'taken' })
    service.endTokens()
    expect(await provider.balance('GNF')).toEqual(money(2_943_600, 'GNF'))
    expect([calls(TOKEN), calls(TRANSFER), service.transfers().length]).toEqual([3, 3, 2])
  })

  test('that opens nothing is no reason to try for ever', async () => {
    await provider.balance('GNF')
    answered(TRANSFER, 401, { error: 'invalid_token' }, { times: 9 })
    expect(await provider.send(payoutOf())).toEqual(refusedFor('notSetUp'))
    expect([calls(TOKEN), calls(TRANSFER)]).toEqual([2, 2])
  })

  test.each<[string, Fault['what'] | readonly [number, string | object]]>([
    ['no connection', { kind: 'cutBefore' }],
    ['503', [503, '']],
    ['what can’t be read', [200, '{"access_token":']],
    ['no token in it', [200, { expires_in: 3600 }]],
    ['words that mean something to a transfer', [409, inMtnsWords('RESOURCE_ALREADY_EXIST')]],
    ['words that mean something to a state', [404, inMtnsWords('RESOURCE_NOT_FOUND')]],
    ['a failure’s words', [500, inMtnsWords('PAYEE_NOT_FOUND')]],
    ['202', [202, '']],
  ])('for which there is %s: nobody knows, and nothing is sent', async (_, what) => {
    if ('kind' in what) meets(TOKEN, what, 3)
    else answered(TOKEN, what[0], what[1], { times: 3 })
    const payout = payoutOf()
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
  ])('that is refused with %s for these keys is a matter of the settings', async (_, status) => {
    answered(TOKEN, status, { error: 'login_failed' })
    expect(await provider.send(payoutOf())).toEqual(refusedFor('notSetUp'))
    expect(calls(TOKEN)).toBe(1)
  })
})

describe('settings', () => {
  test.each<[string, Partial<MtnSettings>]>([
    ['another subscription key', { subscriptionKey: 'collections-key' }],
    ['another API user', { apiUser: randomUUID() }],
    ['another API key', { apiKey: 'other' }],
    ['another environment', { targetEnvironment: 'sandbox' }],
    ['another host for callbacks', { callback: new URL('https://elsewhere.example/') }],
  ])('with %s: nothing is taken, and it is about us', async (_, changes) => {
    const wrong = connect(changes)
    expect(await wrong.send(payoutOf())).toEqual(refusedFor('notSetUp'))
    expect(service.transfers()).toEqual([])
    // To the question what became of a payout that went out before, it is no answer.
    if (!changes.callback) expect(await wrong.state(payoutOf())).toEqual(silent)
  })

  test('of another address: nobody knows', async () => {
    const elsewhere = connect({ base: new URL('http://127.0.0.1:1') })
    expect([await elsewhere.send(payoutOf()), await elsewhere.balance('GNF')]).toEqual([silent, null])
  })

  test('of an address that leads elsewhere: keys and payouts don’t go there', async () => {
    const paths: string[] = []
    const door = await serve(({ url }) => {
      paths.push(new URL(url).pathname)
      return new Response(null, { status: 307, headers: { location: '/elsewhere' } })
    })
    expect(await connect({ base: new URL(door.origin) }).send(payoutOf())).toEqual(silent)
    expect(paths).toEqual(['/disbursement/token/'])
    await door.close()
  })

  test('are with each call, and the address may end with anything', async () => {
    await connect({ base: new URL('/anything/', server.origin) }).send(payoutOf())
    expect(requests.map(({ line }) => line)).toEqual([TOKEN, TRANSFER])
    for (const { headers } of requests)
      expect([headers.get('ocp-apim-subscription-key'), headers.get('x-target-environment')]).toEqual([
        'disbursements-key',
        'mtnguineaconakry',
      ])
    expect(unknown).toEqual([])
  })
})

describe('whose wallet a number is', () => {
  const NOBODY = { kind: 'none' } as const
  const account = (ends: string) => `GET /disbursement/v1_0/accountholder/msisdn/2246600004${ends}`
  const ask = async (ends = '80') => provider.holder?.(`+2246600004${ends}`)
  const NAMED = { kind: 'held', holder: { given: 'Mariama', family: 'Bah' } }
  const named = { given_name: 'Mariama', family_name: 'Bah', birthdate: '1976-08-13' }

  test('is asked about both at once', async () => {
    expect(await ask()).toEqual({
      kind: 'held',
      holder: { given: expect.stringMatching(/^\p{Lu}/u), family: expect.stringMatching(/^\p{Lu}/u) },
    })
    expect([calls(`${account('80')}/active`), calls(`${account('80')}/basicuserinfo`)]).toEqual([1, 1])
  })

  test.each([
    ['50', 'nobody has an account', NOBODY],
    ['51', 'the account is not active', NOBODY],
    ['52', 'MTN does not allow it', silent],
    ['53', 'MTN does not let us', silent],
    ['54', 'MTN is in trouble', silent],
    ['55', 'MTN is not there', silent],
  ])('of the test number that ends in %s, because %s', async (ends, _, expected) => {
    expect(await ask(ends)).toEqual(expected)
  })

  test.each<[string, number, string | object]>([
    ['404 of a gateway', 404, { statusCode: 404, message: 'Resource not found' }],
    ['500 in MTN’s words', 500, inMtnsWords('RESOURCE_NOT_FOUND')],
    ['503', 503, inMtnsWords('SERVICE_UNAVAILABLE')],
    ['400', 400, ''],
    ['no answer to the question', 200, { result: null }],
    ['an answer that can’t be read', 200, '<html>'],
  ])('%s is no word that nobody has it', async (_, status, body) => {
    answered(`${account('80')}/active`, status, body)
    answered(`${account('80')}/basicuserinfo`, 200, named)
    expect(await ask()).toEqual(NAMED)
    answered(`${account('80')}/active`, status, body)
    answered(`${account('80')}/basicuserinfo`, 404, inMtnsWords('RESOURCE_NOT_FOUND'))
    expect(await ask()).toEqual(silent)
  })

  test.each(['false', false])('that it is not active counts also as %o', async (result) => {
    answered(`${account('80')}/active`, 200, { result })
    expect(await ask()).toEqual(NOBODY)
  })

  test.each<[string, unknown, object]>([
    ['no names', {}, { given: '', family: '' }],
    ['null', { given_name: null, family_name: null }, { given: '', family: '' }],
    ['one word', { given_name: 'Mariama' }, { given: 'Mariama', family: '' }],
  ])('may be told with %s', async (_, body, holder) => {
    answered(`${account('80')}/basicuserinfo`, 200, body as object)
    expect(await ask()).toEqual({ kind: 'held', holder })
  })

  test.each<[string, unknown]>([
    ['something else than names', { given_name: 7, family_name: [] }],
    ['no object', 'Mariama'],
    ['no JSON', '<html>'],
  ])('%s is silence', async (_, body) => {
    answered(`${account('80')}/basicuserinfo`, 200, body as object)
    expect(await ask()).toEqual(silent)
  })

  test('silence of the one question leaves the answer of the other', async () => {
    meets(`${account('80')}/active`, { kind: 'cutBefore' })
    expect(await ask()).toMatchObject({ kind: 'held' })
    meets(`${account('51')}/basicuserinfo`, { kind: 'cutAfter' })
    expect(await ask('51')).toEqual(NOBODY)
    meets(account('80'), { kind: 'cutBefore' }, 2)
    expect(await ask()).toEqual(silent)
  })

  test('takes no longer than a call may', async () => {
    provider = connect({}, 20)
    await provider.balance('GNF')
    meets(account('80'), { kind: 'delay', ms: 200 }, 2)
    expect(await ask()).toEqual(silent)
  })

  test('a token that has ended is replaced', async () => {
    await ask()
    service.endTokens()
    expect(await ask()).toMatchObject({ kind: 'held' })
  })

  test('wrong keys are silence', async () => {
    provider = connect({ apiKey: 'another' })
    expect(await ask('51')).toEqual(silent)
  })
})
