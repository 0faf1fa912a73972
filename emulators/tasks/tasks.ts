import { type Context, Hono } from 'hono'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import * as v from 'valibot'
import { send as sendRequest } from '../deliveries.ts'
import type { Clock, IdentifyCaller, ReportUnknown } from '../emulator.ts'
import { createSecret } from '../emulator.ts'
import { listUnknownKeys } from '../unknownKeys.ts'
import { respondWithTasksError } from './errors.ts'

/** As created by `gcloud tasks queues create`. Times are milliseconds. */
export interface QueueSettings {
  /** Such as 'projects/p/locations/l/queues/q'. */
  readonly name: string
  readonly maxDispatchesPerSecond: number
  readonly maxAttempts?: number
  readonly minBackoff?: number
  readonly maxBackoff?: number
}

export interface TasksOptions {
  readonly clock: Clock
  readonly reportUnknown: ReportUnknown
  readonly identify: IdentifyCaller
  readonly queues: readonly QueueSettings[]
  /** A fault may skip or repeat the call of `send`. */
  readonly deliver?: (event: { readonly type: string }, send: () => Promise<void>) => Promise<void>
}

type Queue = Required<QueueSettings> & { nextDispatchAt: number }

interface Task {
  readonly name: string
  readonly queue: Queue
  readonly request: v.InferOutput<typeof httpRequest>
  readonly deadline: number
  readonly createdAt: number
  /** Null during an attempt. */
  dueAt: number | null
  readonly scheduleTime: number
  dispatchCount: number
  responseCount: number
}

const MAX_SCHEDULE_AHEAD = 30 * 24 * 3_600_000
/** A task's name stays reserved for 24 hours after the task has ended. */
const NAME_KEPT = 24 * 3_600_000

const duration = v.pipe(
  v.string(),
  v.regex(/^\d+(\.\d{1,9})?s$/),
  v.transform((text) => Number.parseFloat(text) * 1000),
)
const httpRequest = v.strictObject({
  url: v.pipe(v.string(), v.url(), v.regex(/^https?:/)),
  httpMethod: v.optional(v.literal('POST'), 'POST'),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.optional(v.pipe(v.string(), v.base64()), ''),
  oidcToken: v.optional(
    v.strictObject({
      serviceAccountEmail: v.pipe(v.string(), v.email()),
      audience: v.optional(v.string()),
    }),
  ),
})
const createBody = v.strictObject({
  task: v.strictObject({
    name: v.optional(v.string()),
    scheduleTime: v.optional(v.pipe(v.string(), v.isoTimestamp(), v.transform(Date.parse))),
    dispatchDeadline: v.optional(v.pipe(duration, v.minValue(15_000), v.maxValue(1_800_000)), '600s'),
    httpRequest,
  }),
})

/** Emulates Google Cloud Tasks, REST v2, for HTTP tasks by POST, and the keys of Google's ID tokens. */
export function createTasksEmulator(deps: TasksOptions) {
  const { clock, reportUnknown, identify } = deps
  const deliver = deps.deliver ?? ((_, send) => send())
  let queues = createQueues(deps)
  let tasks = new Map<string, Task>()
  let taken = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let signer: Promise<Signer> | undefined
  const getSigner = () => (signer ??= createSigner())

  async function send({ request, queue, name, deadline, ...task }: Task): Promise<number> {
    const { url, headers, body, oidcToken } = request
    const token = oidcToken && (await (await getSigner()).sign(oidcToken, url, clock.now()))
    const sent = new Headers({ 'content-type': 'application/octet-stream' })
    for (const [key, value] of Object.entries(headers)) sent.set(key, value)
    const own = {
      'user-agent': 'Google-Cloud-Tasks',
      'x-cloudtasks-queuename': lastPart(queue.name),
      'x-cloudtasks-taskname': lastPart(name),
      'x-cloudtasks-taskretrycount': String(Math.max(0, task.dispatchCount - 1)),
      'x-cloudtasks-taskexecutioncount': String(task.responseCount),
      'x-cloudtasks-tasketa': String(task.scheduleTime / 1000),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    for (const [key, value] of Object.entries(own)) sent.set(key, value)
    const content = Buffer.from(body, 'base64')
    return sendRequest(url, { method: 'POST', headers: sent, body: content }, { within: deadline })
  }

  async function attempt(task: Task) {
    task.dueAt = null
    task.dispatchCount += 1
    task.queue.nextDispatchAt =
      Math.max(clock.now(), task.queue.nextDispatchAt) + 1000 / task.queue.maxDispatchesPerSecond
    let status = 0
    await deliver({ type: 'tasks.dispatch' }, async () => {
      status = await send(task)
    })
    if (tasks.get(task.name) !== task) return
    const isDone = status >= 200 && status < 300
    // As in the real service, responses with a 5xx status are not counted.
    if (status > 0 && status < 500) task.responseCount += 1
    const { maxAttempts, minBackoff, maxBackoff } = task.queue
    if (isDone || task.dispatchCount >= maxAttempts) {
      tasks.delete(task.name)
      taken.set(task.name, clock.now())
    } else task.dueAt = clock.now() + Math.min(maxBackoff, minBackoff * 2 ** (task.dispatchCount - 1))
    plan()
  }

  const readyAt = ({ dueAt, queue }: Task) =>
    dueAt === null ? Number.POSITIVE_INFINITY : Math.max(dueAt, queue.nextDispatchAt)
  const findNext = () => [...tasks.values()].sort((one, other) => readyAt(one) - readyAt(other))[0]

  /** Attempts of the same queue may overlap. */
  function begin() {
    for (let next = findNext(); next && readyAt(next) <= clock.now(); next = findNext()) {
      const work = attempt(next).finally(() => underWay.delete(work))
      underWay.add(work)
    }
  }

  function plan() {
    clearTimeout(timer)
    const next = findNext()
    if (!next || readyAt(next) === Number.POSITIVE_INFINITY) return
    timer = setTimeout(
      () => {
        begin()
        plan()
      },
      Math.min(Math.max(0, readyAt(next) - clock.now()), 2 ** 31 - 1),
    ).unref()
  }

  const app = new Hono()
  app.get('/oauth2/v3/certs', async (c) => c.json({ keys: [(await getSigner()).publicJwk] }))
  for (const path of ['/v2/projects/*', '/projects/*'])
    app.use(path, async (c, next) => {
      const { kind } = await identify(c.req.header('authorization'))
      if (kind !== 'admin')
        return respondWithTasksError(c, kind === 'user' ? 'PERMISSION_DENIED' : 'UNAUTHENTICATED')
      return next()
    })

  const findQueue = (c: Context) => queues.get(c.req.path.replace(/^\/(v2\/)?/, '').replace(/\/tasks$/, ''))
  app.get('/v2/projects/:project/locations/:location/queues', (c) => {
    const parent = `${c.req.path.replace(/^\/v2\//, '')}/`
    const found = [...queues.values()].filter(({ name }) => name.startsWith(parent))
    return c.json(found.length > 0 ? { queues: found.map(showQueue) } : {})
  })
  app.get('/v2/projects/:project/locations/:location/queues/:queue', (c) => {
    const queue = findQueue(c)
    return queue ? c.json(showQueue(queue)) : respondWithTasksError(c, 'NOT_FOUND')
  })
  const create = async (c: Context) => {
    const queue = findQueue(c)
    if (!queue) return respondWithTasksError(c, 'NOT_FOUND')
    const { success, output, issues } = v.safeParse(createBody, await c.req.json().catch(() => undefined))
    if (!success) {
      const unknown = listUnknownKeys(issues)
      if (unknown.length > 0) reportUnknown('tasks', `${c.req.method} ${c.req.path} ${unknown.join(', ')}`)
      return respondWithTasksError(c, 'INVALID_ARGUMENT')
    }
    const { name = `${queue.name}/tasks/${createSecret()}`, scheduleTime, dispatchDeadline } = output.task
    const now = clock.now()
    const isOfQueue = name.startsWith(`${queue.name}/tasks/`) && /^[\w-]{1,500}$/.test(lastPart(name))
    if (!isOfQueue || (scheduleTime ?? 0) > now + MAX_SCHEDULE_AHEAD)
      return respondWithTasksError(c, 'INVALID_ARGUMENT')
    if (tasks.has(name) || now < (taken.get(name) ?? -NAME_KEPT) + NAME_KEPT)
      return respondWithTasksError(c, 'ALREADY_EXISTS')
    const task: Task = {
      name,
      queue,
      request: output.task.httpRequest,
      deadline: dispatchDeadline,
      createdAt: now,
      scheduleTime: Math.max(now, scheduleTime ?? 0),
      dueAt: Math.max(now, scheduleTime ?? 0),
      dispatchCount: 0,
      responseCount: 0,
    }
    tasks.set(name, task)
    plan()
    return c.json(showTask(task))
  }
  const TASKS = '/projects/:project/locations/:location/queues/:queue/tasks'
  app.post(`/v2${TASKS}`, create)
  // The admin SDK leaves out the version if CLOUD_TASKS_EMULATOR_HOST is set.
  app.post(TASKS, create)
  app.all('/v2/projects/*', (c) => {
    reportUnknown('tasks', `${c.req.method} ${c.req.path}`)
    return respondWithTasksError(c, 'UNIMPLEMENTED')
  })

  return {
    app,
    reset() {
      clearTimeout(timer)
      queues = createQueues(deps)
      tasks = new Map()
      taken = new Map()
    },
    /** Oldest first. Times are UTC milliseconds. */
    tasks: () =>
      [...tasks.values()].map(({ name, request: { url, body }, scheduleTime, dispatchCount }) => ({
        ...{ name, url, scheduleTime, dispatchCount },
        body: Buffer.from(body, 'base64').toString(),
      })),
    /** Dispatches what the clock and the rates allow now, and waits for the responses. */
    async dispatch() {
      for (begin(); underWay.size > 0; begin()) await Promise.all(underWay)
    },
  }
}

const createQueues = ({ queues }: TasksOptions): Map<string, Queue> =>
  new Map(
    queues.map((queue) => [
      queue.name,
      // Cloud Tasks' defaults.
      { maxAttempts: 100, minBackoff: 100, maxBackoff: 3_600_000, ...queue, nextDispatchAt: 0 },
    ]),
  )

const lastPart = (name: string) => name.slice(name.lastIndexOf('/') + 1)
const seconds = (ms: number) => `${ms / 1000}s`

const showQueue = ({ name, maxDispatchesPerSecond, maxAttempts, minBackoff, maxBackoff }: Queue) => ({
  name,
  rateLimits: { maxDispatchesPerSecond, maxBurstSize: 10, maxConcurrentDispatches: 1000 },
  retryConfig: {
    maxAttempts,
    minBackoff: seconds(minBackoff),
    maxBackoff: seconds(maxBackoff),
    maxDoublings: 16,
  },
  state: 'RUNNING',
})

/** The BASIC view leaves out the body. */
const showTask = ({ name, request, scheduleTime, createdAt, deadline }: Task) => ({
  name,
  httpRequest: {
    url: request.url,
    httpMethod: request.httpMethod,
    headers: request.headers,
    ...(request.oidcToken && {
      oidcToken: { ...request.oidcToken, audience: request.oidcToken.audience ?? request.url },
    }),
  },
  scheduleTime: new Date(scheduleTime).toISOString(),
  createTime: new Date(createdAt).toISOString(),
  dispatchDeadline: seconds(deadline),
  view: 'BASIC',
})

interface Signer {
  readonly publicJwk: JWK
  sign(
    of: { readonly serviceAccountEmail: string; readonly audience?: string | undefined },
    url: string,
    now: number,
  ): Promise<string>
}

async function createSigner(): Promise<Signer> {
  const { privateKey, publicKey }: { privateKey: CryptoKey; publicKey: CryptoKey } =
    await generateKeyPair('RS256')
  const kid = createSecret().slice(0, 20)
  return {
    publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
    sign: ({ serviceAccountEmail: email, audience = '' }, url, now) =>
      new SignJWT({ email, email_verified: true, azp: '100000000000000000001' })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
        .setIssuer('https://accounts.google.com')
        .setAudience(audience || url)
        .setSubject('100000000000000000001')
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor(now / 1000) + 3600)
        .sign(privateKey),
  }
}
