import { getTrace } from './log.ts'
import type { PaymentContext } from './payouts.ts'
import type { Task } from './tasks.ts'

/** Never throws. Nothing may depend on the task, because it may start late, twice or never. */
export function enqueue(context: PaymentContext, task: Task): void {
  const { backgroundWork, log, startTask } = context
  const started = startTask(context, task)
    .catch((error) => {
      const { work, id: paymentIntentId } = task
      log({ level: 'error', event: 'taskPostponed', work, paymentIntentId, ...getTrace(error) })
    })
    .then(() => {
      backgroundWork.delete(started)
    })
  backgroundWork.add(started)
}
