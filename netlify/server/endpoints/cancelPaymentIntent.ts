import type { FunctionRequest, ReleaseResult } from '../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { releaseAttempt } from '../payments/release.ts'
import type { Caller } from '../platform/caller.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { findAttempt } from '../platform/records.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'

export async function cancelPaymentIntent(
  context: PaymentContext,
  caller: Caller,
  { attemptId }: FunctionRequest<'cancel-payment-intent'>,
): Promise<Result<ReleaseResult, FunctionRefusal<'cancel-payment-intent'>>> {
  const attempt = await findAttempt(context.db, caller.uid, attemptId)
  return attempt ? ok(await releaseAttempt(context, attempt)) : err(buildRefusal('paymentNotFound'))
}
