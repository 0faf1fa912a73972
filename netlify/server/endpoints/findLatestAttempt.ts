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

/** @throws ValidationError for an unreadable attempt: leaving it out would report it as unpaid. */
export async function findLatestAttempt(
  { db, now }: Context,
  { uid }: Caller,
  { kind }: FunctionRequest<'latest-attempt'>,
): Promise<Result<{ readonly attempt: LatestAttempt }, FunctionRefusal<'latest-attempt'>>> {
  const newest = attempts(db).where('uid', '==', uid).orderBy('createdAt', 'desc').limit(MAX_SEARCHED)
  const found = (await newest.get()).docs.flatMap((document) => parseAttempt(document) ?? [])
  const wanted = (one: Attempt) =>
    one.kind === kind &&
    (one.status === 'reserved' || (one.status !== 'released' && now() - one.createdAt < RECENT))
  const attempt = found.find(wanted)
  return ok({
    attempt: attempt
      ? {
          attemptId: attempt.attemptId,
          transfer: attempt.kind === 'transfer' ? attempt.transfer : null,
          invoice: attempt.kind === 'invoice' ? attempt.invoice : null,
        }
      : null,
  })
}
