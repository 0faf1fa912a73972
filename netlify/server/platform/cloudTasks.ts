import { createHash } from 'node:crypto'
import { jwtVerify } from 'jose'
import { isTokenError } from './caller.ts'
import { createAdminFetch } from './google.ts'
import { createKeySet } from './keySet.ts'
import type { Settings, TaskSettings } from './settings.ts'
import type { Task } from './tasks.ts'

/** In milliseconds. Google's clock may be ahead of ours, and a task that arrives early does nothing. */
const CLOCK_SKEW = 1_000
/** The host ends a function by then. */
const DISPATCH_DEADLINE = '60s'

/** Each service has its own queue, because their rate limits differ. */
export const buildQueueName = (
  { projectId }: Pick<Settings, 'projectId'>,
  { location }: TaskSettings,
  service: string,
) => `projects/${projectId}/locations/${location}/queues/${service}`

/** The body contains only IDs. @throws when Cloud Tasks refuses or does not answer in time. */
export function createTaskCreator(
  settings: Settings,
  tasks: TaskSettings,
  now: () => number,
): (task: Task) => Promise<void> {
  const ask = createAdminFetch(settings, tasks.isEmulated)
  return async ({ work, id, service, at }) => {
    const queue = buildQueueName(settings, tasks, service)
    // Google recommends hashed names, because names with a common prefix are slow.
    const name = createHash('sha256').update(`${work} ${id} ${at}`).digest('hex')
    const { status, ok } = await ask('POST', `${tasks.api}/v2/${queue}/tasks`, {
      task: {
        name: `${queue}/tasks/${name}`,
        ...(at > now() && { scheduleTime: new Date(at + CLOCK_SKEW).toISOString() }),
        dispatchDeadline: DISPATCH_DEADLINE,
        httpRequest: {
          url: tasks.handler,
          httpMethod: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: Buffer.from(JSON.stringify({ work, id })).toString('base64'),
          oidcToken: { serviceAccountEmail: settings.serviceAccount.client_email, audience: tasks.handler },
        },
      },
    })
    const isThere = status === 409
    if (!ok && !isThere) throw new Error(`Cloud Tasks answered ${status}`)
  }
}

/** @throws when Google's keys can't be fetched. */
export function createTaskVerifier(
  { serviceAccount: { client_email: account } }: Pick<Settings, 'serviceAccount'>,
  { handler, keys }: TaskSettings,
  now: () => number,
): (authorization: string | null) => Promise<boolean> {
  const keySet = createKeySet(keys)
  return async (authorization) => {
    const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? []
    if (!token) return false
    try {
      const { payload } = await jwtVerify(token, keySet, {
        issuer: ['https://accounts.google.com', 'accounts.google.com'],
        audience: handler,
        algorithms: ['RS256'],
        requiredClaims: ['exp'],
        currentDate: new Date(now()),
      })
      return payload.email === account && payload.email_verified === true
    } catch (error) {
      if (isTokenError(error)) return false
      throw error
    }
  }
}
