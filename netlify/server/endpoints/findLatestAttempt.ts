import type { FunctionRequest, FunctionResponse } from '../../../domain/api/api.ts'
import { HOUR } from '../../../domain/common/duration.ts'
import { ok, type Result } from '../../../domain/common/result.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type Attempt, parseAttempt } from '../platform/documents.ts'
import { attempts, unreleasedAttempts } from '../platform/records.ts'
import type { FunctionRefusal } from '../platform/refusals.ts'

/** How long an ended attempt is returned: its device may not know yet. */
const RECENT = HOUR

const MAX_SEARCHED = 10

/**
 * Finds an attempt that may have been charged: that of a form, or the newest that is open or recent.
 *
 * @throws ValidationError for an unreadable attempt: leaving it out would report it as unpaid.
 */
export async function findLatestAttempt(
  { db, now }: Context,
  { uid }: Caller,
  { kind, draftId }: FunctionRequest<'latest-attempt'>,
): Promise<Result<FunctionResponse<'latest-attempt'>, FunctionRefusal<'latest-attempt'>>> {
  const newest =
    draftId === null
      ? attempts(db)
          .where('uid', '==', uid)
          .where('kind', '==', kind)
          .orderBy('createdAt', 'desc')
          .limit(MAX_SEARCHED)
      : unreleasedAttempts(db, uid).where('draftId', '==', draftId).limit(1)
  const mayBeCharged = (one: Attempt) =>
    one.kind === kind &&
    one.status !== 'released' &&
    (draftId !== null || one.status === 'reserved' || now() - one.createdAt < RECENT)
  const found = (await newest.get()).docs
    .flatMap((document) => parseAttempt(document) ?? [])
    .find(mayBeCharged)
  return ok({
    attempt: found
      ? {
          attemptId: found.attemptId,
          transfer: found.kind === 'transfer' ? found.transfer : null,
          invoice: found.kind === 'invoice' ? found.invoice : null,
        }
      : null,
  })
}
