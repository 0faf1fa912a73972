import { refundCharge } from '../payments/refunds.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import type { Task } from '../platform/tasks.ts'

/** @throws Stripe's or Firestore's error; calling again is safe, also concurrently. */
export async function executeTask(
  context: PaymentContext,
  { work, id }: Pick<Task, 'work' | 'id'>,
): Promise<string> {
  if (work === 'refund') return refundCharge(context, id)
  return (await context.payouts?.payOut(context, id)) ?? 'gone'
}

/** Replaces the queue in a deployment without one; the due-work job does later work. */
export async function executeTaskIfDue(context: PaymentContext, task: Task): Promise<void> {
  if (task.at <= context.now()) await executeTask(context, task)
}
