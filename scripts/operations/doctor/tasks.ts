import { buildQueueName } from '../../../netlify/server/platform/cloudTasks.ts'
import { buildBadFinding, buildGoodFinding, type DoctorCheck, type DoctorSubject } from './findings.ts'
import { findResource } from './firebaseApi.ts'

export const taskChecks: readonly DoctorCheck[] = [['The task queues', checkQueues]]

interface Queue {
  readonly state: string
  readonly rateLimits: { readonly maxDispatchesPerSecond: number }
}

/** Returns nothing for a deployment without queues. */
export async function* checkQueues({ settings, context, site }: Omit<DoctorSubject, 'isSandbox'>) {
  const { tasks } = settings
  if (!tasks) return
  const providers = context.providers.filter(({ api }) => api !== null)
  const checked = ['stripe', ...providers.map(({ name }) => name)].map(async (service) => {
    const queue = await findResource<Queue>(settings, 'tasks', buildQueueName(settings, tasks, service))
    if (!queue)
      return buildBadFinding(
        `There is no queue '${service}' in ${tasks.location}.`,
        `Create it: gcloud tasks queues create ${service} --location=${tasks.location} … (docs/deploying.md, A task queue).`,
      )
    return queue.state === 'RUNNING'
      ? buildGoodFinding(
          `The queue '${service}' starts at most ${queue.rateLimits.maxDispatchesPerSecond} tasks a second.`,
        )
      : buildBadFinding(
          `The queue '${service}' is ${queue.state.toLowerCase()}.`,
          `Resume it: gcloud tasks queues resume ${service} --location=${tasks.location}`,
        )
  })
  const isElsewhere = site !== null && new URL(tasks.handler).origin !== new URL(site).origin
  yield* await Promise.all(checked)
  if (isElsewhere)
    yield buildBadFinding(
      `CLOUD_TASKS_HANDLER does not point to ${site}.`,
      `Set it to ${new URL('/.netlify/functions/run-task', site).href} and deploy again.`,
    )
}
