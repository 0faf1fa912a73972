import { z } from 'zod'
import { err, ok, type Result } from '../../src/domain/result.ts'
import type { Caller } from './caller.ts'
import type { Context } from './context.ts'
import { followDeclines } from './declines.ts'
import { found } from './found.ts'
import { isAttemptIntent } from './metadata.ts'
import { type Problem, problem } from './problems.ts'
import { type Attempt, attemptKey, attempts, type Reservation } from './records.ts'
import { type Release, release } from './release.ts'
import { type Settlement, settle } from './settlement.ts'

const byAttempt = z.strictObject({ attemptId: z.uuid().toLowerCase() })
const byIntent = z.strictObject({ paymentIntentId: z.string().regex(/^pi_\w{1,250}$/) })

export const recordRequest = z.union([byAttempt, byIntent])
export const cancelRequest = byAttempt

/**
 * Records what a succeeded card payment paid for, a transfer or an invoice, by asking the provider. Only the user who
 * started the payment can ask, at any time and any number of times. Specification, section 4.
 */
export async function recordTransfer(
  context: Context,
  caller: Caller,
  body: z.infer<typeof recordRequest>,
): Promise<Result<Settlement, Problem>> {
  if ('paymentIntentId' in body) return recordByIntent(context, caller, body.paymentIntentId)
  const found = await reservationOf(context, caller, body.attemptId)
  if (!found) return err(problem('paymentNotFound'))
  const { status, paymentIntentId } = found.attempt
  // Nobody has its client secret, so nobody can have paid.
  if (paymentIntentId === null)
    return ok({ outcome: 'unpaid', status: status === 'released' ? 'canceled' : 'requires_payment_method' })
  return recordByIntent(context, caller, paymentIntentId)
}

/** Ends an attempt that the user gave up, unless it is paid already. */
export async function cancelPaymentIntent(
  context: Context,
  caller: Caller,
  { attemptId }: z.infer<typeof cancelRequest>,
): Promise<Result<Release, Problem>> {
  const found = await reservationOf(context, caller, attemptId)
  return found ? ok(await release(context, found)) : err(problem('paymentNotFound'))
}

async function recordByIntent(
  context: Context,
  { uid }: Caller,
  paymentIntentId: string,
): Promise<Result<Settlement, Problem>> {
  const intent = await found(context.stripe.paymentIntents.retrieve(paymentIntentId))
  if (!intent || !isAttemptIntent(context, intent)) return err(problem('paymentNotFound'))
  if (intent.metadata.uid !== uid) return err(problem('forbidden'))
  const settlement = await settle(context, intent)
  if (settlement.outcome === 'unpaid' && intent.last_payment_error?.charge)
    await followDeclines(context, intent)
  return ok(settlement)
}

async function reservationOf(
  { db }: Context,
  { uid }: Caller,
  attemptId: string,
): Promise<Reservation | null> {
  const key = attemptKey(uid, attemptId)
  const attempt = (await attempts(db).doc(key).get()).data() as Attempt | undefined
  return attempt ? { key, attempt } : null
}
