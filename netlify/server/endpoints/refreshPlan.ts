import { ok, type Result } from '../../../domain/common/result.ts'
import { syncPlan } from '../plans/plans.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import type { FunctionRefusal } from '../platform/refusals.ts'

/**
 * Updates the caller's stored plan from Stripe, because the event of a confirmed renewal may be late.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function refreshPlan(
  context: Context,
  { uid }: Caller,
): Promise<Result<object, FunctionRefusal<'refresh-plan'>>> {
  await syncPlan(context, uid)
  return ok({})
}
