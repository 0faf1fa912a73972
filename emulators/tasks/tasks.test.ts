import { initializeApp } from 'firebase-admin/app'
import { getFunctions } from 'firebase-admin/functions'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type RunningServer, serve } from '../serve.ts'
import { createTasksEmulator } from './tasks.ts'

const QUEUE = 'projects/demo/locations/europe-west1/queues/stripe'
const ACCOUNT = 'functions@demo.iam.gserviceaccount.com'
const START = Date.UTC(2026, 10, 20, 12)

let now: number
let emulator: ReturnType<typeof createTasksEmulator>
let server: RunningServer
let worker: RunningServer
let unknown: string[]
let received: { readonly at: number; readonly headers: Headers; readonly body: string }[]
/** 200 once the list is empty. */
let answers: number[]

beforeEach(async () => {
  now = START
  ;[unknown, received, answers] = [[], [], []]
  worker = await serve(async (request) => {
    received.push({ at: now, headers: request.headers, body: await request.text() })
    return new Response(null, { status: answers.shift() ?? 200 })
  })
  emulator = createTasksEmulator({
    clock: { now: () => now },
    reportUnknown: (service, what) => unknown.push(`${service}: ${what}`),
    identify: async (header) =>
      header === 'Bearer owner' ? { kind: 'admin' } : { kind: 'invalid', reason: '' },
    queues: [
      { name: QUEUE, maxDispatchesPerSecond: 2, maxAttempts: 3, minBackoff: 1_000, maxBackoff: 10_000 },
    ],
  })
  server = await serve(emulator.app.fetch)
})
afterEach(async () => {
  emulator.reset()
  vi.unstubAllEnvs()
  await Promise.all([server.close(), worker.close()])
})

async function ask(path: string, body?: object, token = 'owner') {
  const response = await fetch(`${server.origin}/v2/${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const create = (task: object = {}, token?: string) =>
  ask(
    `${QUEUE}/tasks`,
    {
      task: {
        httpRequest: {
          url: `${worker.origin}/run`,
          headers: { 'Content-Type': 'application/json' },
          body: btoa('{"id":"1"}'),
          oidcToken: { serviceAccountEmail: ACCOUNT, audience: 'https://site.example/run' },
        },
        ...task,
      },
    },
    token,
  )

/** In milliseconds after the start. */
const times = () => received.map(({ at }) => at - START)

const error = (code: number, status: string) => ({ status: code, body: { error: { code, status } } })

describe('a task', () => {
  test('a task is dispatched with body, headers and signed token', async () => {
    expect(await create({ name: `${QUEUE}/tasks/one` })).toMatchObject({
      status: 200,
      body: { name: `${QUEUE}/tasks/one`, view: 'BASIC', scheduleTime: '2026-11-20T12:00:00.000Z' },
    })
    await emulator.dispatch()
    const [{ headers, body } = { headers: new Headers(), body: '' }] = received
    expect(body).toBe('{"id":"1"}')
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Google-Cloud-Tasks',
      'x-cloudtasks-queuename': 'stripe',
      'x-cloudtasks-taskname': 'one',
      'x-cloudtasks-taskretrycount': '0',
    })
    const keys = createRemoteJWKSet(new URL(`${server.origin}/oauth2/v3/certs`))
    const token = headers.get('authorization')?.replace('Bearer ', '') ?? ''
    const { payload } = await jwtVerify(token, keys, {
      issuer: 'https://accounts.google.com',
      audience: 'https://site.example/run',
      currentDate: new Date(now),
    })
    expect(payload).toMatchObject({ email: ACCOUNT, email_verified: true })
    expect(emulator.tasks()).toEqual([])
  })

  test('the admin SDK creates a task, once for each name', async () => {
    vi.stubEnv('CLOUD_TASKS_EMULATOR_HOST', server.host)
    const app = initializeApp({ projectId: 'demo', serviceAccountId: ACCOUNT }, 'tasks')
    const queue = getFunctions(app).taskQueue('locations/europe-west1/functions/stripe')
    const options = { id: 'one', uri: 'https://site.example/run', scheduleTime: new Date(now + 60_000) }
    await queue.enqueue({ id: '1' }, options)
    expect(emulator.tasks()).toMatchObject([
      { name: `${QUEUE}/tasks/one`, body: '{"data":{"id":"1"}}', scheduleTime: now + 60_000 },
    ])
    await expect(queue.enqueue({ id: '1' }, options)).rejects.toMatchObject({
      code: 'functions/task-already-exists',
    })
  })

  test('a task waits for its schedule time', async () => {
    await create({ scheduleTime: new Date(now + 60_000).toISOString() })
    now += 59_999
    await emulator.dispatch()
    expect(received).toEqual([])
    now += 1
    await emulator.dispatch()
    expect(received).toHaveLength(1)
  })

  test('a task is retried with increasing delays up to its last attempt', async () => {
    answers = [503, 500, 503]
    await create()
    for (let second = 0; second < 10; second += 1) {
      await emulator.dispatch()
      now += 1_000
    }
    expect(times()).toEqual([0, 1_000, 3_000])
    expect(received.map(({ headers }) => headers.get('x-cloudtasks-taskretrycount'))).toEqual(['0', '1', '2'])
    expect(emulator.tasks()).toEqual([])
  })

  test('a done task’s name stays reserved for a day', async () => {
    const name = `${QUEUE}/tasks/one`
    await create({ name })
    expect(await create({ name })).toMatchObject(error(409, 'ALREADY_EXISTS'))
    await emulator.dispatch()
    expect(await create({ name })).toMatchObject(error(409, 'ALREADY_EXISTS'))
    now += 25 * 3_600_000
    expect((await create({ name })).status).toBe(200)
  })

  test.each([
    ['of another queue', { name: `${QUEUE}2/tasks/one` }],
    ['whose name has a forbidden character', { name: `${QUEUE}/tasks/a.b` }],
    ['scheduled more than 30 days ahead', { scheduleTime: '2027-01-01T00:00:00Z' }],
    ['with a deadline under 15 seconds', { dispatchDeadline: '14s' }],
    ['with a body that is not base64', { httpRequest: { url: 'https://site.example', body: '{' } }],
  ])('refuses a task %s', async (_, task) => {
    expect(await create(task)).toMatchObject(error(400, 'INVALID_ARGUMENT'))
    expect(unknown).toEqual([])
  })

  test('refuses a task from a caller other than an administrator', async () => {
    expect(await create({}, 'other')).toMatchObject(error(401, 'UNAUTHENTICATED'))
  })

  test('refuses and reports a task with an unsupported field', async () => {
    expect((await create({ appEngineHttpRequest: {} })).status).toBe(400)
    expect(unknown).toEqual([`tasks: POST /v2/${QUEUE}/tasks task.appEngineHttpRequest`])
  })
})

describe('a queue', () => {
  test('a queue dispatches no faster than its rate', async () => {
    for (let n = 0; n < 4; n += 1) await create()
    for (let step = 0; step < 20; step += 1) {
      await emulator.dispatch()
      now += 100
    }
    expect(times()).toEqual([0, 500, 1_000, 1_500])
  })

  test('returns a queue by name and in the list of its location', async () => {
    const { body } = await ask(QUEUE)
    expect(body).toMatchObject({
      name: QUEUE,
      rateLimits: { maxDispatchesPerSecond: 2 },
      retryConfig: { maxAttempts: 3, minBackoff: '1s' },
      state: 'RUNNING',
    })
    expect((await ask('projects/demo/locations/europe-west1/queues')).body).toEqual({ queues: [body] })
    expect((await ask('projects/demo/locations/europe-west9/queues')).body).toEqual({})
  })

  test('answers 404 for a queue that does not exist', async () => {
    expect(await ask(`${QUEUE}2`)).toMatchObject(error(404, 'NOT_FOUND'))
    expect(await ask(`${QUEUE}2/tasks`, {})).toMatchObject(error(404, 'NOT_FOUND'))
  })
})
