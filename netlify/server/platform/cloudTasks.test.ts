import { generateKeyPair, SignJWT } from 'jose'
import { serveInMemory } from 'service-emulators/memory'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { buildTransferRequest, createWorld, type World } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'
import { waitForBackgroundWork } from './context.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ cloudTasksLocation: 'europe-west1' })
})
beforeEach(() => {
  world.reset()
  world.payOutBy(world.payouts.provider)
})
afterEach(() => world.checkInvariants())
afterAll(() => world.close())

const CREATE = 'POST /v2/projects/demo-passerelle/locations/europe-west1/queues'

async function record({ isRefunded = false } = {}) {
  const uid = await world.person()
  const request = buildTransferRequest(uid)
  const started = await createPaymentIntent(world.context, { uid }, request)
  if (!started.ok) throw new Error(started.error.code)
  const { paymentIntentId: id } = started.value
  await world.pay(id)
  if (isRefunded) await world.context.db.doc(`users/${uid}`).delete()
  await recordTransfer(world.context, { uid }, { attemptId: request.attemptId })
  await waitForBackgroundWork(world.context)
  return { id, uid }
}

const state = async (id: string) => (await world.context.db.doc(`deliveries/${id}`).get()).get('state')
const countSentTasks = () =>
  world.requests.filter((request) => request.startsWith(`${CREATE}/mtn/tasks`)).length
const countTaskRuns = () =>
  world.logged.filter((entry) => entry.event === 'functionResponded' && entry.function === 'run-task').length

async function run(task: unknown, token?: string) {
  const { status, body } = await world.call('run-task', task, token)
  return { status, body }
}

const settings = () => {
  const { CLOUD_TASKS_HANDLER: handler, FIREBASE_SERVICE_ACCOUNT: account } = world.sandbox.functionSettings()
  return { handler: handler ?? '', email: JSON.parse(account ?? '').client_email as string }
}

describe('a recorded transfer', () => {
  test('a task hands a transfer over, and enqueues its check', async () => {
    world.payouts.will('pending')
    const { id } = await record()
    await world.sandbox.tasks.dispatch()
    expect(await state(id)).toBe('handedOver')
    const [next, ...others] = world.sandbox.tasks.tasks()
    expect(others).toEqual([])
    expect(JSON.parse(next?.body ?? '')).toEqual({ work: 'delivery', id })
    const { checkAt } = (await world.context.db.doc(`deliveries/${id}`).get()).data() ?? {}
    expect(next?.scheduleTime).toBe(checkAt + 1_000)
    world.payouts.decide('delivered')
    world.pass(2 * MINUTE)
    await world.sandbox.tasks.dispatch()
    expect(await state(id)).toBe('delivered')
    expect(world.sandbox.tasks.tasks()).toEqual([])
  })

  test('a task delivered twice pays out once', async () => {
    world.sandbox.faults.add({ on: 'webhook tasks.dispatch', times: 1, what: { kind: 'doubled' } })
    const { id } = await record()
    await world.sandbox.tasks.dispatch()
    expect(countTaskRuns()).toBeGreaterThan(1)
    expect(await state(id)).toBe('handedOver')
    expect(world.payouts.taken()).toHaveLength(1)
  })

  test('creates one task for a transfer, however often it is settled', async () => {
    world.sandbox.faults.add({ on: 'webhook tasks.dispatch', times: 9, what: { kind: 'lost' } })
    const { id } = await record()
    const intent = await world.context.stripe.paymentIntents.retrieve(id)
    const uid = String(intent.metadata.uid)
    await recordTransfer(world.context, { uid }, { paymentIntentId: id })
    await waitForBackgroundWork(world.context)
    expect(countSentTasks()).toBe(2)
    expect(world.logged.map(({ event }) => event)).not.toContain('taskPostponed')
    expect(world.sandbox.tasks.tasks()).toHaveLength(1)
  })

  test('the due-work job hands a transfer over when the queue is down', async () => {
    world.sandbox.faults.add({ on: CREATE, times: 99, what: { kind: 'status', status: 503 } })
    const { id } = await record()
    expect(world.logged).toContainEqual(expect.objectContaining({ event: 'taskPostponed', work: 'delivery' }))
    expect(await state(id)).toBe('due')
    await runDueWork(world.context)
    expect(await state(id)).toBe('handedOver')
  })

  test('the job hands over what a lost task left', async () => {
    world.sandbox.faults.add({
      on: CREATE,
      times: 1,
      what: { kind: 'answer', status: 200, body: '{}', done: false },
    })
    const { id } = await record()
    expect(await state(id)).toBe('due')
    await runDueWork(world.context)
    expect(await state(id)).toBe('handedOver')
  })

  test('the queue repeats a failed task until the handover', async () => {
    world.sandbox.faults.add({
      on: 'POST /.netlify/functions/run-task',
      times: 1,
      what: { kind: 'status', status: 503 },
    })
    const { id } = await record()
    await world.sandbox.tasks.dispatch()
    world.pass(MINUTE)
    await world.sandbox.tasks.dispatch()
    expect(await state(id)).toBe('handedOver')
  })
})

test('a task requests a refund again after Stripe failed', async () => {
  world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } })
  const { id } = await record({ isRefunded: true })
  const [task] = world.sandbox.tasks.tasks()
  expect(task?.name).toMatch(/\/queues\/stripe\/tasks\/[\da-f]{64}$/)
  expect(JSON.parse(task?.body ?? '')).toEqual({ work: 'refund', id })
  world.pass(2 * MINUTE)
  await world.sandbox.tasks.dispatch()
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, status: 'succeeded' }])
})

test('a task contains no personal data', async () => {
  world.sandbox.faults.add({ on: 'webhook tasks.dispatch', times: 9, what: { kind: 'lost' } })
  const { id, uid } = await record()
  const [task] = world.sandbox.tasks.tasks()
  expect(task?.body).toBe(JSON.stringify({ work: 'delivery', id }))
  expect(JSON.stringify(task)).not.toContain(uid)
})

describe('run-task', () => {
  async function forge(changes: object = {}) {
    const { handler, email } = settings()
    const { privateKey } = await generateKeyPair('RS256')
    const response = await fetch(`${world.origin}/oauth2/v3/certs`)
    const { keys } = (await response.json()) as { keys: { kid: string }[] }
    const seconds = Math.floor(world.now() / 1000)
    const claims = { iss: 'https://accounts.google.com', aud: handler, email, email_verified: true }
    return new SignJWT({ ...claims, iat: seconds, exp: seconds + 60, ...changes })
      .setProtectedHeader({ alg: 'RS256', kid: keys[0]?.kid ?? '' })
      .sign(privateKey)
  }

  async function signToken(oidcToken: object) {
    let token = ''
    const receiver = serveInMemory((request) => {
      token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
      return new Response()
    })
    const { CLOUD_TASKS_LOCATION: location } = world.sandbox.functionSettings()
    const queue = `projects/demo-passerelle/locations/${location}/queues/stripe`
    const response = await fetch(`${world.origin}/v2/${queue}/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer owner' },
      body: JSON.stringify({ task: { httpRequest: { url: `${receiver.origin}/`, oidcToken } } }),
    })
    expect(response.status).toBe(200)
    await world.sandbox.tasks.dispatch()
    await receiver.close()
    return token
  }

  test('run-task accepts the queue’s token, and returns the outcome', async () => {
    const { handler: audience, email: serviceAccountEmail } = settings()
    const token = await signToken({ serviceAccountEmail, audience })
    expect(await run({ work: 'refund', id: 'pi_1' }, token)).toEqual({
      status: 200,
      body: { outcome: 'paidBack' },
    })
    expect(await run({ work: 'delivery', id: 'pi_1' }, token)).toEqual({
      status: 200,
      body: { outcome: 'gone' },
    })
  })

  test('run-task accepts an unknown task without effect, and logs it', async () => {
    const { handler: audience, email: serviceAccountEmail } = settings()
    const token = await signToken({ serviceAccountEmail, audience })
    for (const task of [{ work: 'other', id: 'pi_1' }, { work: 'refund', id: 'a/b' }, 'nonsense'])
      expect(await run(task, token)).toEqual({ status: 200, body: { outcome: 'unknown' } })
    expect(world.logged.filter(({ event }) => event === 'taskUnknown')).toHaveLength(3)
  })

  test.each<[string, () => Promise<string> | string]>([
    ['a call without a token', () => ''],
    ['a malformed token', () => 'nonsense'],
    ['a token signed with another key', () => forge()],
    ['a token of a user', () => world.token('person-1')],
    [
      'a token for another address',
      () => signToken({ serviceAccountEmail: settings().email, audience: 'https://site.example' }),
    ],
    [
      'a token of another service account',
      () =>
        signToken({ serviceAccountEmail: 'eve@other.iam.gserviceaccount.com', audience: settings().handler }),
    ],
    [
      'an expired token',
      async () => {
        const { handler: audience, email: serviceAccountEmail } = settings()
        const token = await signToken({ serviceAccountEmail, audience })
        world.pass(61 * MINUTE)
        return token
      },
    ],
  ])('run-task refuses %s, and leaves the order due', async (_, makeToken) => {
    world.sandbox.faults.add({ on: CREATE, times: 1, what: { kind: 'status', status: 503 } })
    const { id } = await record()
    expect((await run({ work: 'delivery', id }, await makeToken())).status).toBe(401)
    expect(await state(id)).toBe('due')
  })

  test('run-task refuses every caller if no queue is configured', async () => {
    const other = await createWorld()
    expect((await other.call('run-task', { work: 'refund', id: 'pi_1' }, 'nonsense')).status).toBe(401)
    await other.close()
  })
})
