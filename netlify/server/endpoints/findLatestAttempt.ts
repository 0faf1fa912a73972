import type { FunctionRequest, LatestAttempt } from '../../../domain/api/api.ts'
import { HOUR } from '../../../domain/common/duration.ts'
import { ok, type Result } from '../../../domain/common/result.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type Attempt, parseAttempt } from '../platform/documents.ts'
import { attempts } from '../platform/records.ts'
import type { FunctionRefusal } from '../platform/refusals.ts'

/** How long an ended attempt is returned: its device may not know yet. */
const RECENT = HOUR

const MAX_SEARCHED = 10

/**
 * Finds attempts that may have been charged: those of one form, or those that are open or recent.
 *
 * @throws ValidationError for an unreadable attempt: leaving it out would report it as unpaid.
 */
export async function findLatestAttempt(
  { db, now }: Context,
  { uid }: Caller,
  { kind, draftId }: FunctionRequest<'latest-attempt'>,
): Promise<Result<{ readonly attempts: readonly LatestAttempt[] }, FunctionRefusal<'latest-attempt'>>> {
  const own = attempts(db).where('uid', '==', uid)
  const newest =
    draftId === null
      ? own.orderBy('createdAt', 'desc').limit(MAX_SEARCHED)
      : own.where('draftId', '==', draftId)
  const found = (await newest.get()).docs.flatMap((document) => parseAttempt(document) ?? [])
  const mayBeCharged = (one: Attempt) =>
    one.kind === kind &&
    one.status !== 'released' &&
    (draftId !== null || one.status === 'reserved' || now() - one.createdAt < RECENT)
  return ok({
    attempts: found
      .filter(mayBeCharged)
      .sort((one, other) => other.createdAt - one.createdAt)
      .map((attempt) => ({
        attemptId: attempt.attemptId,
        transfer: attempt.kind === 'transfer' ? attempt.transfer : null,
        invoice: attempt.kind === 'invoice' ? attempt.invoice : null,
      })),
  })
}
