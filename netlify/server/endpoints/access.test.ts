import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR } from '../../../domain/common/duration.ts'
import {
  functionFileNames,
  functionNames,
  getFunctionModule,
  guardedFunctionNames,
} from '../../testing/functions.ts'
import { buildTransferRequest, createWorld, type World } from '../../testing/world.ts'
import { createCallerVerifier } from '../accounts/callerVerifier.ts'
import { rateLimitRef } from '../platform/rateLimits.ts'
import { getCallLimit } from './admission.ts'
import { FUNCTIONS, type GuardedFunctionName } from './registry.ts'

interface StartedPayment {
  readonly uid: string
  readonly attemptId: string
  readonly paymentIntentId: string
}

/** The status with which another user is refused; null if the function answers every signed-in user. */
const REQUESTS: Readonly<
  Record<
    GuardedFunctionName,
    {
      readonly ask: (of: StartedPayment) => Record<string, unknown>
      readonly refusesOthersWith: number | null
    }
  >
> = {
  'create-payment-intent': { ask: ({ uid }) => buildTransferRequest(uid), refusesOthersWith: 403 },
  'record-transfer': { ask: ({ paymentIntentId }) => ({ paymentIntentId }), refusesOthersWith: 403 },
  // The owner is part of the attempt's key, so another user's attempt does not exist.
  'cancel-payment-intent': { ask: ({ attemptId }) => ({ attemptId }), refusesOthersWith: 404 },
  // These only concern the caller and take no user ID.
  'latest-attempt': { ask: () => ({ kind: 'transfer' }), refusesOthersWith: null },
  'delete-account': { ask: () => ({}), refusesOthersWith: null },
  // Refusals: netlify/server/endpoints/confirmAddress.test.ts. These callers' accounts are already open.
  'confirm-address': { ask: () => ({}), refusesOthersWith: null },
  // It mails to the caller's own address; these callers have none.
  'send-address-link': { ask: () => ({ language: 'fr' }), refusesOthersWith: null },
  'sign-out-everywhere': { ask: () => ({}), refusesOthersWith: null },
  'refresh-plan': { ask: () => ({}), refusesOthersWith: null },
  // Another user's device stays registered: netlify/server/payouts/push/push.test.ts.
  'push-subscription': {
    ask: () => ({ endpoint: 'https://fcm.googleapis.com/fcm/send/1', device: null }),
    refusesOthersWith: null,
  },
  // Any number may be looked up: netlify/server/payouts/walletHolder.test.ts.
  'wallet-holder': {
    ask: () => ({ phone: '+224660000000', receivingMethod: 'mtn_money' }),
    refusesOthersWith: null,
  },
  // Without payouts no transfer can be canceled; others are refused in netlify/server/payouts/cancelTransfer.test.ts.
  'cancel-transfer': { ask: ({ paymentIntentId: id }) => ({ id }), refusesOthersWith: null },
  // An unrecorded payment has no receipt; others are refused in netlify/server/endpoints/mailReceipt.test.ts.
  'mail-receipt': {
    ask: ({ paymentIntentId: id }) => ({ id, press: crypto.randomUUID(), language: 'fr', timeZone: 'UTC' }),
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
  // Only Stripe knows the owner of a checkout or plan: netlify/server/plans/plans.test.ts.
  'verify-subscription': { ask: () => ({ session_id: 'cs_test_1' }), refusesOthersWith: null },
  'change-card': { ask: () => ({ subscriptionId: 'sub_1' }), refusesOthersWith: null },
  'cancel-subscription': { ask: () => ({ subscriptionId: 'sub_1' }), refusesOthersWith: null },
}

const BILL = { supplier: 'edf', reference: '6012-1001' }

let world: World
let owner: StartedPayment
let other: string
beforeAll(async () => {
  world = await createWorld({ sockets: true })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.reset()
  const uid = await world.person()
  other = await world.person()
  const request = buildTransferRequest(uid)
  const { body } = await world.invoke('create-payment-intent', request, { token: await world.token(uid) })
  owner = { uid, attemptId: request.attemptId, paymentIntentId: String(body.paymentIntentId) }
  await world.pay(owner.paymentIntentId)
})

const buildClaims = () => {
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

const INVALID_CALLERS: Readonly<
  Record<string, readonly [status: number, token: () => Promise<string> | string]>
> = {
  'a call without a token': [401, () => ''],
  'a malformed token': [401, () => 'nonsense'],
  'an expired token': [401, () => world.token(owner.uid, { issuedAt: world.now() - 2 * HOUR })],
  'a token from the future': [401, () => world.token(owner.uid, { issuedAt: world.now() + HOUR })],
  'a token for another project': [401, () => world.token(owner.uid, { claims: { aud: 'another-project' } })],
  'a token of another issuer': [
    401,
    () => world.token(owner.uid, { claims: { iss: 'https://example.com' } }),
  ],
  'a token without a user': [401, () => world.token('')],
  'an unsigned token': [401, () => new UnsecuredJWT(buildClaims()).encode()],
  'a token signed with the public key as a shared secret': [
    401,
    () =>
      new SignJWT(buildClaims())
        .setProtectedHeader({ alg: 'HS256', kid: world.sandbox.auth.dump().key.kid })
        .sign(new TextEncoder().encode(world.sandbox.auth.dump().key.privateJwk.n)),
  ],
  'a token signed with another key': [
    401,
    async () =>
      new SignJWT(buildClaims())
        .setProtectedHeader({ alg: 'RS256', kid: world.sandbox.auth.dump().key.kid })
        .sign((await generateKeyPair('RS256')).privateKey),
  ],
  'a token with an unverified address': [
    403,
    () => world.token(owner.uid, { provider: 'password', claims: { email_verified: false } }),
  ],
}

async function ask(name: GuardedFunctionName, body: Record<string, unknown>, token: string) {
  const address = `${world.origin}/.netlify/functions/x`
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const request =
    FUNCTIONS[name].method === 'GET'
      ? new Request(`${address}?${new URLSearchParams(body as Record<string, string>)}`, { headers })
      : new Request(address, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await getFunctionModule(name).respond(request, () => world.context, { ip: '' })).status
}

const dumpStoredData = () => {
  const documents = Object.entries(world.sandbox.firestore.documents())
  const others = documents.filter(([path]) => !path.startsWith('limits/'))
  return JSON.stringify([others, world.sandbox.stripe.dump()])
}

const guarded = guardedFunctionNames.map((name) => ({ name }))

test.each(guarded.flatMap((one) => Object.keys(INVALID_CALLERS).map((stranger) => ({ ...one, stranger }))))(
  '$name refuses $stranger, and changes nothing @spec-unauthenticated @spec-unverified',
  async ({ name, stranger }) => {
    const [status, token] = INVALID_CALLERS[stranger] ?? [0, () => '']
    const before = dumpStoredData()
    expect(await ask(name, REQUESTS[name].ask(owner), await token())).toBe(status)
    const code = status === 401 ? 'unauthenticated' : 'emailUnverified'
    expect(world.logged.at(-1)).toMatchObject({ event: 'functionResponded', code })
    expect(dumpStoredData()).toBe(before)
  },
)

const owned = guarded.filter(({ name }) => REQUESTS[name].refusesOthersWith !== null)

test.each(owned)(
  '$name refuses to act for another user, and changes nothing @spec-foreign-payment',
  async ({ name }) => {
    const question = REQUESTS[name]
    const token = await world.token(other)
    // The first call of a user stores their keys.
    await createCallerVerifier(world.context)(`Bearer ${token}`)
    const before = dumpStoredData()
    expect(await ask(name, question.ask(owner), token)).toBe(question.refusesOthersWith)
    expect(dumpStoredData()).toBe(before)
    // The owner may make the same call, so the refusal was about the caller.
    expect(await ask(name, question.ask(owner), await world.token(owner.uid))).toBe(200)
  },
)

const LOOK_UP = 'POST /identitytoolkit.googleapis.com/v1/projects/demo-passerelle/accounts:lookup'

const ACCESS_LOSSES: Readonly<
  Record<string, readonly [status: number, code: string, end: (uid: string) => unknown]>
> = {
  'is disabled': [403, 'paymentsPaused', (uid) => world.sandbox.auth.setDisabled(uid, true)],
  'was deleted': [404, 'userNotFound', (uid) => world.context.accounts.remove(uid)],
  'was signed out everywhere': [
    401,
    'unauthenticated',
    (uid) => world.context.accounts.endSessions(uid, world.now() + 1000),
  ],
  'cannot be looked up': [
    503,
    'unavailable',
    () => world.sandbox.faults.add({ on: LOOK_UP, times: 9, what: { kind: 'status', status: 503 } }),
  ],
}

// Repeated here, so that a function can't lose `beginsPayment` in the registry unnoticed.
const PAYMENT_FUNCTIONS = [
  'create-payment-intent',
  'pay-invoice',
  'create-subscription',
  'change-card',
] as const

test.each(PAYMENT_FUNCTIONS.flatMap((name) => Object.keys(ACCESS_LOSSES).map((end) => ({ name, end }))))(
  '$name refuses an account that $end, and changes nothing',
  async ({ name, end }) => {
    const token = await world.token(owner.uid)
    const [status, code, happens] = ACCESS_LOSSES[end] ?? [0, '', () => {}]
    await happens(owner.uid)
    const before = dumpStoredData()
    expect(await ask(name, REQUESTS[name].ask(owner), token)).toBe(status)
    expect(world.logged.at(-1)).toMatchObject({ event: 'functionResponded', code })
    expect(dumpStoredData()).toBe(before)
  },
)

test.each(guarded)('$name limits the calls of each user separately', async ({ name }) => {
  const limit = getCallLimit(name)
  const at = Array<number>(limit.most).fill(world.now())
  const endsAt = world.now() + limit.windowMs
  await rateLimitRef(world.context, { limit, of: owner.uid }).set({ at, endsAt })
  const before = dumpStoredData()
  const question = REQUESTS[name].ask(owner)
  expect(await ask(name, question, await world.token(owner.uid))).toBe(429)
  expect(dumpStoredData()).toBe(before)
  expect(await ask(name, question, await world.token(other))).not.toBe(429)
})

test('a user causes under two Stripe requests a second', async () => {
  const asked: Record<string, number> = {}
  for (const { name } of guarded) {
    const before = providerRequests()
    await ask(name, REQUESTS[name].ask(owner), await world.token(owner.uid))
    asked[name] = (providerRequests() - before) * getCallLimit(name).most
  }
  const inTenMinutes = Object.values(asked).reduce((sum, requests) => sum + requests, 0)
  expect(inTenMinutes).toBeGreaterThan(200)
  expect(inTenMinutes, JSON.stringify(asked)).toBeLessThan(1200)
})

const providerRequests = () => world.requests.filter((request) => / \/v1\/(?!projects)/.test(request)).length

test('exactly seven functions accept calls without the token of a user @spec-public-functions', () => {
  expect(functionNames.filter((name) => 'guardedBy' in FUNCTIONS[name])).toEqual([
    'check-phone-user',
    'report-error',
    'stripe-webhook',
    'delivery-callback',
    'recipient-page',
    'run-task',
    'due-work',
  ])
})

test('each registered function has a file, and each function file is registered', () => {
  expect(functionFileNames.toSorted()).toEqual(functionNames.toSorted())
})
