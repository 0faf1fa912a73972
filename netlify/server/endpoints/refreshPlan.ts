import { ok, type Result } from '../../../domain/common/result.ts'
import { syncPlan } from '../plans/plans.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import type { FunctionRefusal } from '../platform/refusals.ts'

/** Asks Stripe, because a renewal's event may be late. @throws a service's error; calling again is safe. */
export async function refreshPlan(
  context: Context,
  { uid }: Caller,
): Promise<Result<object, FunctionRefusal<'refresh-plan'>>> {
  await syncPlan(context, uid)
  return ok({})
}
