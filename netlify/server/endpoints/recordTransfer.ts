import type { FunctionRequest, Settlement } from '../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { handleDeclines } from '../events/handleDeclines.ts'
import { settleAndPayOut } from '../payments/settlement.ts'
import type { Caller } from '../platform/caller.ts'
import { isAttemptIntent } from '../platform/metadata.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { findAttempt } from '../platform/records.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'
import { returnNullIfMissing } from '../platform/returnNullIfMissing.ts'

/** The payer may call this at any time and any number of times. Specification, section 4. */
export async function recordTransfer(
  context: PaymentContext,
  caller: Caller,
  body: FunctionRequest<'record-transfer'>,
): Promise<Result<Settlement, FunctionRefusal<'record-transfer'>>> {
  if ('paymentIntentId' in body) return recordByIntent(context, caller, body.paymentIntentId)
  const keyed = await findAttempt(context.db, caller.uid, body.attemptId)
  if (!keyed) return err(buildRefusal('paymentNotFound'))
  const { status, paymentIntentId } = keyed.attempt
  // The client secret has never left the server, so nothing can have been paid.
  if (paymentIntentId === null)
    return ok({ outcome: 'unpaid', status: status === 'released' ? 'canceled' : 'requires_payment_method' })
  return recordByIntent(context, caller, paymentIntentId)
}

async function recordByIntent(
  context: PaymentContext,
  { uid }: Caller,
  paymentIntentId: string,
): Promise<Result<Settlement, FunctionRefusal<'record-transfer'>>> {
  const intent = await returnNullIfMissing(context.stripe.paymentIntents.retrieve(paymentIntentId))
  if (!intent || !isAttemptIntent(context, intent)) return err(buildRefusal('paymentNotFound'))
  if (intent.metadata.uid !== uid) return err(buildRefusal('forbidden'))
  const settlement = await settleAndPayOut(context, intent)
  if (settlement.outcome === 'unpaid' && intent.last_payment_error?.charge)
    await handleDeclines(context, intent)
  return ok(settlement)
}
