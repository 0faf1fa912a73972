import type { Release, RequestOf } from '../../../domain/api.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { release } from '../payments/release.ts'
import type { Caller } from '../platform/caller.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { findAttempt } from '../platform/records.ts'
import { type RefusalBy, refusal } from '../platform/refusals.ts'

/** Ends an attempt that the user gave up, unless it is paid already. */
export async function cancelPaymentIntent(
  context: PaymentContext,
  caller: Caller,
  { attemptId }: RequestOf<'cancel-payment-intent'>,
): Promise<Result<Release, RefusalBy<'cancel-payment-intent'>>> {
  const known = await findAttempt(context.db, caller.uid, attemptId)
  return known ? ok(await release(context, known)) : err(refusal('paymentNotFound'))
}
