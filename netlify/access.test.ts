import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR } from '../domain/duration.ts'
import { limitOf } from './server/platform/admission.ts'
import { limitRef } from './server/platform/rateLimits.ts'
import { FUNCTIONS, type GuardedName } from './server/platform/registry.ts'
import { functionFiles, functionModule, functionNames, guardedNames } from './testing/functions.ts'
import { createWorld, requestOf, type World } from './testing/world.ts'

/** A payment that somebody has started. */
interface Started {
  readonly uid: string
  readonly attemptId: string
  readonly paymentIntentId: string
}

/**
 * How each function is asked about a payment of its owner, and how it refuses somebody else. Null: it is about nobody, and the same for everybody who signed in.
 */
const QUESTIONS: Readonly<
  Record<
    GuardedName,
    {
      readonly ask: (of: Started) => Record<string, unknown>
      readonly refusesOthersWith: number | null
    }
  >
> = {
  'create-payment-intent': { ask: ({ uid }) => requestOf(uid), refusesOthersWith: 403 },
  'record-transfer': { ask: ({ paymentIntentId }) => ({ paymentIntentId }), refusesOthersWith: 403 },
  // An attempt has its owner in its name: for somebody else there is none.
  'cancel-payment-intent': { ask: ({ attemptId }) => ({ attemptId }), refusesOthersWith: 404 },
  // These are about whoever asks, and take nobody's name.
  'delete-account': { ask: () => ({}), refusesOthersWith: null },
  // Whom it refuses is in netlify/confirmAddress.test.ts; the account of these callers is open to them already.
  'confirm-address': { ask: () => ({}), refusesOthersWith: null },
  'sign-out-everywhere': { ask: () => ({}), refusesOthersWith: null },
  // A device of somebody else stays as it is: netlify/push.test.ts.
  'push-subscription': {
    ask: () => ({ endpoint: 'https://fcm.googleapis.com/fcm/send/1', device: null }),
    refusesOthersWith: null,
  },
  // About anybody who has a wallet: netlify/walletHolder.test.ts.
  'wallet-holder': {
    ask: () => ({ phone: '+224660000000', receivingMethod: 'mtn_money' }),
    refusesOthersWith: null,
  },
  'lookup-invoice': { ask: () => BILL, refusesOthersWith: null },
  'pay-invoice': {
    ask: () => ({
      ...BILL,
      attemptId: crypto.randomUUID(),
      expected: { amount: 8450, currency: 'EUR', dueDate: '2026-11-30' },
    }),
    refusesOthersWith: null,
  },
  'create-subscription': { ask: ({ uid }) => ({ tier: 'basic', userId: uid }), refusesOthersWith: 403 },
  // Whose checkout or plan it is, only the provider can tell: netlify/plans.test.ts.
  'verify-subscription': { ask: () => ({ session_id: 'cs_test_1' }), refusesOthersWith: null },
  'change-card': { ask: () => ({ subscriptionId: 'sub_1' }), refusesOthersWith: null },
  'cancel-subscription': { ask: () => ({ subscriptionId: 'sub_1' }), refusesOthersWith: null },
}

const BILL = { supplier: 'edf', reference: '6012-1001' }

let world: World
let owner: Started
let other: string
beforeAll(async () => {
  world = await createWorld({ sockets: true })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.reset()
  const uid = await world.person()
  other = await world.person()
  const request = requestOf(uid)
  const { body } = await world.invoke('create-payment-intent', request, { token: await world.token(uid) })
  owner = { uid, attemptId: request.attemptId, paymentIntentId: String(body.paymentIntentId) }
  await world.pay(owner.paymentIntentId)
})

const claims = () => {
  const seconds = Math.floor(world.now() / 1000)
  return {
    iss: 'https://securetoken.google.com/demo-passerelle',
    aud: 'demo-passerelle',
    sub: owner.uid,
    auth_time: seconds,
    iat: seconds,
    exp: seconds + 3600,
    firebase: { identities: {}, sign_in_provider: 'phone' },
  }
}

/** Who asks about the owner's payment without being the owner, and how they are refused. */
const STRANGERS: Readonly<Record<string, readonly [status: number, token: () => Promise<string> | string]>> =
  {
    'no token': [401, () => ''],
    'something that is no token': [401, () => 'nonsense'],
    'a token that has ended': [401, () => world.token(owner.uid, { issuedAt: world.now() - 2 * HOUR })],
    'a token from the future': [401, () => world.token(owner.uid, { issuedAt: world.now() + HOUR })],
    'a token for another project': [
      401,
      () => world.token(owner.uid, { claims: { aud: 'another-project' } }),
    ],
    'a token of another issuer': [
      401,
      () => world.token(owner.uid, { claims: { iss: 'https://example.com' } }),
    ],
    'a token for nobody': [401, () => world.token('')],
    'an unsigned token': [401, () => new UnsecuredJWT(claims()).encode()],
    'a token with a secret for its signature': [
      401,
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: world.sandbox.auth.dump().key.kid })
          .sign(new TextEncoder().encode(world.sandbox.auth.dump().key.privateJwk.n)),
    ],
    'a token signed with another key': [
      401,
      async () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'RS256', kid: world.sandbox.auth.dump().key.kid })
          .sign((await generateKeyPair('RS256')).privateKey),
    ],
    'an unverified address': [
      403,
      () => world.token(owner.uid, { provider: 'password', claims: { email_verified: false } }),
    ],
  }

async function ask(name: GuardedName, body: Record<string, unknown>, token: string) {
  const address = `${world.origin}/.netlify/functions/x`
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const request =
    FUNCTIONS[name].method === 'GET'
      ? new Request(`${address}?${new URLSearchParams(body as Record<string, string>)}`, { headers })
      : new Request(address, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await functionModule(name).respond(request, () => world.context, { ip: '' })).status
}

/** All that is stored, but how often somebody has called. */
const held = () => {
  const documents = Object.entries(world.sandbox.firestore.documents())
  const others = documents.filter(([path]) => !path.startsWith('limits/'))
  return JSON.stringify([others, world.sandbox.stripe.dump()])
}

const guarded = guardedNames.map((name) => ({ name }))

test.each(guarded.flatMap((one) => Object.keys(STRANGERS).map((stranger) => ({ ...one, stranger }))))(
  '$name refuses $stranger and changes nothing',
  async ({ name, stranger }) => {
    const [status, token] = STRANGERS[stranger] ?? [0, () => '']
    const before = held()
    expect(await ask(name, QUESTIONS[name].ask(owner), await token())).toBe(status)
    expect(held()).toBe(before)
  },
)

const owned = guarded.filter(({ name }) => QUESTIONS[name].refusesOthersWith !== null)

test.each(owned)(
  "$name refuses another user's payment and changes nothing @spec-foreign-payment",
  async ({ name }) => {
    const question = QUESTIONS[name]
    const before = held()
    expect(await ask(name, question.ask(owner), await world.token(other))).toBe(question.refusesOthersWith)
    expect(held()).toBe(before)
    // The same question from the owner is answered: what was refused is who asked.
    expect(await ask(name, question.ask(owner), await world.token(owner.uid))).toBe(200)
  },
)

const LOOK_UP = 'POST /identitytoolkit.googleapis.com/v1/projects/demo-passerelle/accounts:lookup'

/** What becomes of an account while its token is good still, and how its owner is refused then. */
const ENDS: Readonly<Record<string, readonly [status: number, code: string, end: (uid: string) => unknown]>> =
  {
    'is disabled': [403, 'paymentsPaused', (uid) => world.sandbox.auth.setDisabled(uid, true)],
    'is gone': [404, 'userNotFound', (uid) => world.context.accounts.remove(uid)],
    'was signed out everywhere': [
      401,
      'unauthenticated',
      (uid) => world.context.accounts.endSessions(uid, world.now() + 1000),
    ],
    'can not be looked up': [
      503,
      'unavailable',
      () => world.sandbox.faults.add({ on: LOOK_UP, times: 9, what: { kind: 'status', status: 503 } }),
    ],
  }

// Written down once more: of a function that lost its mark in the registry nobody would ask.
const BEGIN_PAYMENTS = ['create-payment-intent', 'pay-invoice', 'create-subscription', 'change-card'] as const

test.each(BEGIN_PAYMENTS.flatMap((name) => Object.keys(ENDS).map((end) => ({ name, end }))))(
  '$name begins nothing for an account that $end',
  async ({ name, end }) => {
    const token = await world.token(owner.uid)
    const [status, code, happens] = ENDS[end] ?? [0, '', () => {}]
    await happens(owner.uid)
    const before = held()
    expect(await ask(name, QUESTIONS[name].ask(owner), token)).toBe(status)
    expect(world.logged.at(-1)).toMatchObject({ event: 'answered', code })
    expect(held()).toBe(before)
  },
)

test.each(guarded)('$name has a limit for each person', async ({ name }) => {
  const limit = limitOf(name)
  const at = Array<number>(limit.most).fill(world.now())
  const endsAt = world.now() + limit.windowMs
  await limitRef(world.context, { limit, of: owner.uid }).set({ at, endsAt })
  const before = held()
  const question = QUESTIONS[name].ask(owner)
  expect(await ask(name, question, await world.token(owner.uid))).toBe(429)
  expect(held()).toBe(before)
  expect(await ask(name, question, await world.token(other))).not.toBe(429)
})

test('nobody can have the provider asked more than twice a second, whatever they call', async () => {
  const asked: Record<string, number> = {}
  for (const { name } of guarded) {
    const before = providerRequests()
    await ask(name, QUESTIONS[name].ask(owner), await world.token(owner.uid))
    asked[name] = (providerRequests() - before) * limitOf(name).most
  }
  const inTenMinutes = Object.values(asked).reduce((sum, requests) => sum + requests, 0)
  expect(inTenMinutes).toBeGreaterThan(200)
  expect(inTenMinutes, JSON.stringify(asked)).toBeLessThan(1200)
})

const providerRequests = () => world.requests.filter((request) => / \/v1\/(?!projects)/.test(request)).length

test('only the functions that are named here are public @spec-public-functions', () => {
  expect(functionNames.filter((name) => 'guardedBy' in FUNCTIONS[name])).toEqual([
    'check-phone-user',
    'stripe-webhook',
    'delivery-callback',
    'recipient-page',
    'sweep',
  ])
})

test('each function has a file, and each file is a function', () => {
  expect(functionFiles.toSorted()).toEqual(functionNames.toSorted())
})
