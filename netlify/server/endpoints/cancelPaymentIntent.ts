import { z } from 'zod'
import type { Release } from '../../../domain/api.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { release } from '../payments/release.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type Problem, problem } from '../platform/problems.ts'
import { keyedAttemptOf } from '../platform/records.ts'

export const cancelRequest = z.strictObject({ attemptId: z.uuid().toLowerCase() })

/** Ends an attempt that the user gave up, unless it is paid already. */
export async function cancelPaymentIntent(
  context: Context,
  caller: Caller,
  { attemptId }: z.infer<typeof cancelRequest>,
): Promise<Result<Release, Problem>> {
  const known = await keyedAttemptOf(context.db, caller.uid, attemptId)
  return known ? ok(await release(context, known)) : err(problem('paymentNotFound'))
}
