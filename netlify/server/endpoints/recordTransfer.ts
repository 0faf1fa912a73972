import type { RequestOf, Settlement } from '../../../domain/api.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { followDeclines } from '../payments/declines.ts'
import { settleAndPayOut } from '../payments/settlement.ts'
import type { Caller } from '../platform/caller.ts'
import { isAttemptIntent } from '../platform/metadata.ts'
import { nullIfMissing } from '../platform/nullIfMissing.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { findAttempt } from '../platform/records.ts'
import { type RefusalBy, refusal } from '../platform/refusals.ts'

/**
 * Records what a succeeded card payment paid for, a transfer or an invoice, by asking the provider. Only the user who
 * started the payment can ask, at any time and any number of times. Specification, section 4.
 */
export async function recordTransfer(
  context: PaymentContext,
  caller: Caller,
  body: RequestOf<'record-transfer'>,
): Promise<Result<Settlement, RefusalBy<'record-transfer'>>> {
  if ('paymentIntentId' in body) return recordByIntent(context, caller, body.paymentIntentId)
  const known = await findAttempt(context.db, caller.uid, body.attemptId)
  if (!known) return err(refusal('paymentNotFound'))
  const { status, paymentIntentId } = known.attempt
  // Nobody has its client secret, so nobody can have paid.
  if (paymentIntentId === null)
    return ok({ outcome: 'unpaid', status: status === 'released' ? 'canceled' : 'requires_payment_method' })
  return recordByIntent(context, caller, paymentIntentId)
}

async function recordByIntent(
  context: PaymentContext,
  { uid }: Caller,
  paymentIntentId: string,
): Promise<Result<Settlement, RefusalBy<'record-transfer'>>> {
  const intent = await nullIfMissing(context.stripe.paymentIntents.retrieve(paymentIntentId))
  if (!intent || !isAttemptIntent(context, intent)) return err(refusal('paymentNotFound'))
  if (intent.metadata.uid !== uid) return err(refusal('forbidden'))
  const settlement = await settleAndPayOut(context, intent)
  if (settlement.outcome === 'unpaid' && intent.last_payment_error?.charge)
    await followDeclines(context, intent)
  return ok(settlement)
}
