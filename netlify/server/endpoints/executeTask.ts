import { refundCharge } from '../payments/refunds.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import type { Task } from '../platform/tasks.ts'

/**
 * Does the due work of one item, as the due-work job does it, and returns its outcome. May be called any
 * number of times, also concurrently.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function executeTask(
  context: PaymentContext,
  { work, id }: Pick<Task, 'work' | 'id'>,
): Promise<string> {
  if (work === 'refund') return refundCharge(context, id)
  return (await context.payouts?.payOut(context, id)) ?? 'gone'
}

/**
 * Replaces the queue in a deployment without one: does the work immediately, and leaves later work to the
 * due-work job.
 */
export async function executeTaskIfDue(context: PaymentContext, task: Task): Promise<void> {
  if (task.at <= context.now()) await executeTask(context, task)
}
