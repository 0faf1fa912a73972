import { fromPromise } from 'xstate'
import {
  isAttemptOver,
  type RecordAnswer,
  type ReleaseAnswer,
  type Reservation,
  type ReserveProblem,
  transferMachine,
} from '../../machines/transfer.ts'
import type { UserDatabase } from '../cache/database.ts'
import type { Failure } from '../domain/failure.ts'
import { err, ok } from '../domain/result.ts'
import { transferDescription } from '../domain/transaction.ts'
import { failureOf } from '../services/failure.ts'

const withRows = async <T>(uid: string, work: (rows: UserDatabase) => Promise<T>) =>
  (await import('../cache/database.ts')).withRows(uid, work)

const call = async <T>(name: string, body: unknown): Promise<T> =>
  (await import('../services/functions.ts')).callFunction<T>(name, body)

/** The transfer machine with everything it needs in a browser. */
export const transfer = transferMachine.provide({
  actors: {
    findOpenAttempt: fromPromise(async ({ input: { uid } }) => {
      const newest = await withRows(uid, ({ attempts }) => attempts.orderBy('begunAt').last())
      return newest ?? null
    }),

    reserve: fromPromise(async ({ input: { uid, attempt } }) => {
      const { id, transfer, draft } = attempt
      // On a device that can't keep anything the payment goes ahead: the server and its webhook hold the attempt too.
      await withRows(uid, ({ attempts }) => attempts.put({ id, draft, transfer, begunAt: Date.now() })).catch(
        () => undefined,
      )
      const { gross, quote } = transfer
      try {
        return ok(
          await call<Reservation>('create-payment-intent', {
            attemptId: id,
            amount: gross.minor,
            currency: gross.currency.toLowerCase(),
            description: transferDescription(transfer.phone),
            senderId: uid,
            recipientPhone: transfer.phone,
            receivingMethod: transfer.receivingMethod,
            couponCode: transfer.coupon,
            expected: { fee: quote.fee.minor, converted: quote.converted.minor },
          }),
        )
      } catch (error) {
        const problem = reserveProblem(failureOf(error))
        if (!problem) throw error
        if (isAttemptOver(problem)) await forget(uid, id)
        return err(problem)
      }
    }),

    confirmCard: fromPromise(async ({ input: { clientSecret } }) =>
      (await import('../services/cardPayments.ts')).confirmCard(clientSecret),
    ),

    record: fromPromise(async ({ input: { uid, attemptId } }) => {
      const answer = await askAbout<RecordAnswer>('record-transfer', attemptId)
      await keep(uid, attemptId, answer).catch(() => undefined)
      return answer
    }),

    release: fromPromise(async ({ input: { uid, attemptId } }) => {
      const answer = await askAbout<ReleaseAnswer>('cancel-payment-intent', attemptId)
      await keep(uid, attemptId, answer).catch(() => undefined)
      return answer
    }),
  },
})

async function askAbout<Answer>(name: string, attemptId: string): Promise<Answer | NeverCharged> {
  try {
    return await call<Answer>(name, { attemptId })
  } catch (error) {
    const failure = failureOf(error)
    // The server never heard of this attempt, so nothing was reserved and nobody can have paid.
    if (failure.kind === 'function' && failure.code === 'paymentNotFound')
      return { outcome: 'unpaid', status: 'canceled' }
    throw error
  }
}

type NeverCharged = { readonly outcome: 'unpaid'; readonly status: 'canceled' }

/** Brings the rows on this device to the server's answer. They are a copy: failing to write one changes no outcome. */
async function keep(uid: string, attemptId: string, answer: ReleaseAnswer) {
  if (answer.outcome === 'paid') {
    const { dropPaidDraft } = await import('../cache/drafts.ts')
    await withRows(uid, async (rows) => {
      await rows.transactions.put(answer.transaction)
      const attempt = await rows.attempts.get(attemptId)
      if (attempt) await dropPaidDraft(rows, attempt.draft)
    })
  }
  const isOver =
    answer.outcome === 'paid' ||
    answer.outcome === 'refunded' ||
    answer.outcome === 'released' ||
    (answer.outcome === 'unpaid' && answer.status === 'canceled')
  if (isOver) await forget(uid, attemptId)
}

const forget = (uid: string, attemptId: string) => withRows(uid, ({ attempts }) => attempts.delete(attemptId))

/** The refusals that the machine knows; null when there was no answer, or none that says anything. */
function reserveProblem(failure: Failure): ReserveProblem | null {
  if (failure.kind !== 'function') return null
  const { status, code, error, details } = failure
  switch (code) {
    case 'monthlyCapExceeded':
      return { kind: code, leftCents: Number(details.leftCents), resetsAt: Number(details.resetsAt) }
    case 'capUnavailable':
    case 'quoteChanged':
    case 'userNotFound':
    case 'emailUnverified':
    case 'attemptEnded':
    case 'attemptConflict':
      return { kind: code }
    case 'unauthenticated':
      return { kind: 'sessionExpired' }
    case 'paymentUnavailable':
    case 'unavailable':
      return { kind: 'initFailed' }
  }
  return status < 500 && error ? { kind: 'refused', message: error } : null
}
