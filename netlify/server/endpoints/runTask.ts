import * as v from 'valibot'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { buildRefusal, type Refusal } from '../platform/refusals.ts'
import { readBody } from './endpoint.ts'
import { executeTask } from './executeTask.ts'

const taskSchema = v.object({
  work: v.picklist(['delivery', 'refund']),
  id: v.pipe(v.string(), v.regex(/^pi_\w{1,250}$/)),
})

/** May arrive late, twice, or after the work. @throws a service's error: the queue then sends it again. */
export async function runTask(
  context: PaymentContext,
  request: Request,
): Promise<Result<object, Refusal<'unauthenticated'>>> {
  if (!(await context.verifyTask(request.headers.get('authorization'))))
    return err(buildRefusal('unauthenticated'))
  const task = await readBody(request, taskSchema)
  if (!task.ok) {
    // A refusal would make the queue repeat the task. The due-work job does the work of a newer version's
    // task.
    context.log({ level: 'error', event: 'taskUnknown' })
    return ok({ outcome: 'unknown' })
  }
  return ok({ outcome: await executeTask(context, task.value) })
}
