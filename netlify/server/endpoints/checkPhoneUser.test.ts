import { createHash } from 'node:crypto'
import { type RunningServer, serve } from 'service-emulators/serve'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { createFunctionsApp } from '../../../sandbox/functions.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { listNetworkKeys } from '../platform/networks.ts'
import { rateLimits } from '../platform/rateLimits.ts'
import { checkPhoneUser } from './checkPhoneUser.ts'

let world: World
const KNOWN = '+33612345678'
const UNKNOWN = '+33687654321'
const ADDRESS = '203.0.113.7'

beforeAll(async () => {
  world = await createWorld({ sockets: true })
})
beforeEach(async () => {
  world.reset()
  const uid = await signUp(KNOWN)
  await world.context.db.doc(`users/${uid}`).set({ name: 'Ada' })
  world.requests.length = 0
  world.comeFrom(ADDRESS)
})
afterEach(() => expect(world.sandbox.unknownCalls).toEqual([]))
afterAll(() => world.close())

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly retryAfter: string | null
}

async function post(origin: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${origin}/.netlify/functions/check-phone-user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  expect(response.headers.get('cache-control')).toBe('no-store')
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    retryAfter: response.headers.get('retry-after'),
  }
}

async function signUp(phoneNumber: string): Promise<string> {
  const ask = async (path: string, body: object = {}): Promise<Record<string, string>> =>
    (await fetch(`${world.origin}${path}`, { method: 'POST', body: JSON.stringify(body) })).json()
  const toolkit = '/identitytoolkit.googleapis.com/v1/accounts:'
  const { token: recaptchaToken } = await ask('/sandbox/recaptcha/token')
  const { sessionInfo } = await ask(`${toolkit}sendVerificationCode?key=any`, { phoneNumber, recaptchaToken })
  const { code } = world.sandbox.auth.dump().smsCodes[0] ?? {}
  const { localId = '' } = await ask(`${toolkit}signInWithPhoneNumber?key=any`, { sessionInfo, code })
  return localId
}

const check = (phone: string) => post(world.origin, { phone })
const strangers = (count: number) => Array.from({ length: count }, (_, i) => `+336${10_000_000 + i}`)
const stored = async () => (await rateLimits(world.context.db).get()).docs

const exists: Answer = { status: 200, body: {}, retryAfter: null }
const doesNot: Answer = { status: 404, body: {}, retryAfter: null }
const limited = (seconds: number): Answer => {
  const error = 'Too many attempts. Please try again later.'
  return {
    status: 429,
    body: { code: 'tooManyRequests', error, message: error, details: { retryAfterSeconds: seconds } },
    retryAfter: String(seconds),
  }
}

describe('the account check @spec-account-check', () => {
  test.each([
    ['with an account', KNOWN, exists],
    ['written with spaces and invisible marks', '\u2066+33 6 12\u00a034 56 78\u2069 ', exists],
    ['without an account', UNKNOWN, doesNot],
    ['that only begins like one with an account', `${KNOWN}9`, doesNot],
  ])('the account check looks up a number %s', async (_, phone, answer) => {
    expect(await check(phone)).toEqual(answer)
  })

  test('the account check treats an account without a profile as missing', async () => {
    await signUp(UNKNOWN)
    expect(await check(UNKNOWN)).toEqual(doesNot)
  })

  test('the account check ignores the number that a profile claims', async () => {
    await world.context.db.doc('users/eve').set({ phone: UNKNOWN })
    expect(await check(UNKNOWN)).toEqual(doesNot)
  })

  test.each<[unknown, string]>([
    [{ phone: '' }, 'phoneRequired'],
    [{ phone: ' \u200e' }, 'phoneRequired'],
    [{ phone: '0612345678' }, 'phoneInvalid'],
    [{ phone: '0033612345678' }, 'phoneInvalid'],
    [{ phone: '+0612345678' }, 'phoneInvalid'],
    [{ phone: '+3312345' }, 'phoneInvalid'],
    [{ phone: '+3361234567890123' }, 'phoneInvalid'],
    [{ phone: '+336123456x8' }, 'phoneInvalid'],
    [{ phone: `+${'1'.repeat(40)}` }, 'invalidRequest'],
    [{ phone: [KNOWN] }, 'invalidRequest'],
    [{ phone: 33612345678 }, 'invalidRequest'],
    [{ phone: KNOWN, uid: 'ada' }, 'invalidRequest'],
    [{}, 'invalidRequest'],
    [null, 'invalidRequest'],
  ])('the account check refuses %j before looking for an account', async (body, code) => {
    expect(await post(world.origin, body)).toMatchObject({ status: 400, body: { code } })
    expect(await stored()).toEqual([])
  })

  test('the check does the same work with or without an account', async () => {
    const worked = async (phone: string) => {
      world.requests.length = 0
      await check(phone)
      return [...world.requests]
    }
    await check(KNOWN)
    const whenItExists = await worked(KNOWN)
    expect(whenItExists).toEqual([
      'POST /.netlify/functions/check-phone-user',
      expect.stringMatching(/documents:batchGet$/),
      expect.stringMatching(/documents:commit$/),
      'POST /identitytoolkit.googleapis.com/v1/projects/demo-passerelle/accounts:lookup',
      expect.stringMatching(/documents:batchGet$/),
    ])
    expect(await worked(UNKNOWN)).toEqual(whenItExists)
    expect(world.logged.map(({ level, event, code }) => [level, event, code])).toEqual(
      Array(3).fill(['info', 'functionResponded', null]),
    )
  })

  test('the check stores nothing from which numbers could be guessed', async () => {
    await check(KNOWN)
    await check('+33')
    await Promise.all(strangers(22).map(check))
    const names = (await stored()).map(({ id }) => id)
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{64}$/)
    const plain = [KNOWN, ADDRESS, `checkPhoneUser/phone:${KNOWN}`, `checkPhoneUser/address:${ADDRESS}`]
    for (const text of plain) expect(names).not.toContain(createHash('sha256').update(text).digest('hex'))
    const all = JSON.stringify([world.logged, names, (await stored()).map((document) => document.data())])
    for (const secret of ['33612', '+336', ADDRESS]) expect(all).not.toContain(secret)
  })
})

describe('the limits of the account check', () => {
  test('the check allows 5 checks of a number in 10 minutes', async () => {
    for (let i = 0; i < 5; i++) {
      expect(await check(KNOWN)).toEqual(exists)
      world.pass(MINUTE)
    }
    expect(await check(KNOWN)).toEqual(limited(300))
    world.pass(5 * MINUTE - 1)
    expect(await check(KNOWN)).toEqual(limited(1))
    world.pass(1)
    expect(await check(KNOWN)).toEqual(exists)
    expect(await check(KNOWN)).toEqual(limited(60))
  })

  test('the check limits a number per network only', async () => {
    for (let i = 0; i < 6; i++) await check(KNOWN)
    expect(await check(KNOWN)).toEqual(limited(600))
    for (const elsewhere of ['198.51.100.9', '2001:db8:1:2::1', '2001:db8:1:3::1']) {
      world.comeFrom(elsewhere)
      expect(await check(KNOWN)).toEqual(exists)
    }
  })

  test('the check also limits a number without an account', async () => {
    for (let i = 0; i < 5; i++) expect(await check(UNKNOWN)).toEqual(doesNot)
    expect(await check(UNKNOWN)).toEqual(limited(600))
    expect(await check(KNOWN)).toEqual(exists)
  })

  test('an IPv6 /64 has 20 checks in 10 minutes', async () => {
    for (const [i, phone] of strangers(20).entries()) {
      world.comeFrom(`2001:db8:1:2::${i}`)
      expect(await check(phone)).toEqual(doesNot)
    }
    expect(await check(KNOWN)).toEqual(limited(600))
    world.comeFrom('2001:db8:1:3::1')
    expect(await check(KNOWN)).toEqual(exists)
  })

  test.each([
    ['an IPv4 address that many share', () => ADDRESS, '203.0.113.8'],
    ['a whole IPv6 /48', (i: number) => `2001:db8:1:${i.toString(16)}::1`, '2001:db8:2::1'],
  ])('the account check allows %s 200 checks in 10 minutes', async (_, buildAddress, elsewhere) => {
    for (const [i, phone] of strangers(200).entries()) {
      world.comeFrom(buildAddress(i))
      expect(await check(phone)).toEqual(doesNot)
    }
    world.comeFrom(buildAddress(200))
    expect(await check(KNOWN)).toEqual(limited(600))
    world.comeFrom(elsewhere)
    expect(await check(KNOWN)).toEqual(exists)
  })

  test('calls refused for a number don’t count against the network', async () => {
    world.comeFrom('2001:db8::1')
    for (let i = 0; i < 30; i++) await check(KNOWN)
    for (const phone of strangers(15)) expect(await check(phone)).toEqual(doesNot)
    expect(await check(UNKNOWN)).toEqual(limited(600))
  })

  test.each([
    ['a number', () => Array<string>(50).fill(KNOWN), 5, exists],
    ['an address', () => strangers(50), 20, doesNot],
  ])(
    'the account check limits %s under 50 concurrent calls @spec-account-check-limits',
    { timeout: 120_000 },
    async (_, phones, most, answer) => {
      world.comeFrom('2001:db8::1')
      const answers = await Promise.all(phones().map(check))
      const answered = answers.filter(({ status }) => status !== 429)
      expect(answered).toEqual(Array(most).fill(answer))
      expect(answers.filter(({ status }) => status === 429)).toEqual(Array(50 - most).fill(limited(600)))
    },
  )

  const reads = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:batchGet'
  const lookups = () => world.requests.filter((request) => request.endsWith('accounts:lookup'))

  test("the account check refuses to answer when the limits can't be read @spec-account-check-unreadable", async () => {
    world.sandbox.faults.add({ on: reads, times: 100, what: { kind: 'status', status: 403 } })
    expect(await check(KNOWN)).toMatchObject({ status: 503, body: { code: 'unavailable' }, retryAfter: null })
    expect(lookups()).toEqual([])
  })

  test('the check refuses to answer without timely limits', async () => {
    const { context } = world
    const db = Object.assign(Object.create(context.db), { runTransaction: () => new Promise(() => {}) })
    const request = new Request(world.origin, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone: KNOWN }),
    })
    await expect(checkPhoneUser({ ...context, db, serviceTimeout: 50 }, request, ADDRESS)).rejects.toThrow(
      'The hosted services took too long',
    )
    expect(lookups()).toEqual([])
  })

  test('a call counts even if the account could not be read', async () => {
    const lookup = 'POST /identitytoolkit.googleapis.com/'
    world.sandbox.faults.add({ on: lookup, times: 5, what: { kind: 'status', status: 503 } })
    for (let i = 0; i < 5; i++)
      expect(await check(KNOWN)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await check(KNOWN)).toEqual(limited(600))
  })
})

describe('the caller’s IP address', () => {
  let server: RunningServer

  beforeAll(async () => {
    for (const [name, value] of Object.entries(world.sandbox.functionSettings())) vi.stubEnv(name, value)
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    server = await serve(createFunctionsApp().fetch)
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
    await server.close()
  })

  test('the check limits by the connection’s address, whatever headers claim', async () => {
    const claims = (ip: string) => ({
      'x-forwarded-for': ip,
      'x-nf-client-connection-ip': ip,
      'x-real-ip': ip,
      'client-ip': ip,
      forwarded: `for=${ip}`,
    })
    const answers: number[] = []
    for (const [i, phone] of strangers(201).entries())
      answers.push((await post(server.origin, { phone }, claims(`198.51.100.${i}`))).status)
    expect(answers).toEqual([...Array(200).fill(404), 429])
  })

  test.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2', '2001:db8:1']],
    ['2001:0DB8:0001:0002:ffff::', ['2001:db8:1:2', '2001:db8:1']],
    ['2001:db8:1::6', ['2001:db8:1:0', '2001:db8:1']],
    ['2001:db8::1:2:3:4', ['2001:db8:0:0', '2001:db8:0']],
    ['2001:db8::', ['2001:db8:0:0', '2001:db8:0']],
    ['::1', ['0:0:0:0', '0:0:0']],
    ['::', ['0:0:0:0', '0:0:0']],
    ['fe80::1%eth0', ['fe80:0:0:0', 'fe80:0:0']],
    ['', ['']],
    ['unknown', ['unknown']],
  ])('calls from %j count under the networks %j', (ip, networks) => {
    const limit = { name: 'test', most: 1, windowMs: MINUTE }
    expect(listNetworkKeys(ip, { network: limit, subnet: limit }).map(({ of }) => of)).toEqual(networks)
  })
})

describe('the due-work job', () => {
  test('the due-work job deletes limits that ended over a day ago', async () => {
    await check(KNOWN)
    world.pass(5 * MINUTE)
    await check(UNKNOWN)
    world.pass(5 * MINUTE + 24 * HOUR - 1)
    expect(await world.call('due-work', {})).toEqual({ status: 200, body: {} })
    world.pass(1)
    expect(await world.call('due-work', {})).toEqual({ status: 200, body: { forgotten: 1 } })
    expect(await stored()).toHaveLength(2)
    world.pass(5 * MINUTE)
    expect(await world.call('due-work', {})).toEqual({ status: 200, body: { forgotten: 2 } })
    expect(await world.call('due-work', {})).toEqual({ status: 200, body: {} })
    expect(await stored()).toEqual([])
  })

  test('the due-work job deletes any number of ended limits', async () => {
    const { db } = world.context
    const batch = db.batch()
    for (let i = 0; i < 120; i++) batch.set(rateLimits(db).doc(`ended-${i}`), { at: [0], endsAt: i })
    await batch.commit()
    expect(await world.call('due-work', {})).toEqual({ status: 200, body: { forgotten: 120 } })
    expect(await stored()).toEqual([])
  })

  test('the job keeps and reports a limit used meanwhile', async () => {
    const { db } = world.context
    const ended = rateLimits(db).doc('ended')
    await ended.set({ at: [0], endsAt: 0 })
    const used = { at: [world.now()], endsAt: world.now() + HOUR }
    const begin = db.batch.bind(db)
    vi.spyOn(db, 'batch').mockImplementation(() => {
      const batch = begin()
      const [remove, commit] = [batch.delete.bind(batch), batch.commit.bind(batch)]
      return Object.assign(batch, {
        delete(...document: Parameters<typeof remove>) {
          const commitLate = () => ended.set(used).then(commit)
          return Object.assign(remove(...document), { commit: commitLate })
        },
      })
    })
    expect(await world.call('due-work', {})).toEqual({ status: 200, body: { failed: 1 } })
    expect((await ended.get()).data()).toEqual(used)
    expect(world.logged).toMatchObject([
      { event: 'dueWorkFailed', collection: 'limits' },
      { event: 'dueWorkDone', failed: 1 },
      { event: 'functionResponded' },
    ])
  })
})
