import type { Table } from 'dexie'
import * as v from 'valibot'
import { fromPromise } from 'xstate'
import type { LatestAttempt, PaymentRecord, ReleaseResult, StartedPayment } from '../../domain/api/api.ts'
import { err, ok } from '../../domain/common/result.ts'
import type { FunctionFailure } from '../../domain/errors/failure.ts'
import {
  type AttemptInput,
  type CardAnswer,
  type CheckoutAttempt,
  type CheckoutParts,
  COMMON_REFUSALS,
  type CommonRefusal,
  type PartsRefusal,
  type RecordAnswer,
  type ReleaseAnswer,
  type ReserveAnswer,
  type SearchInput,
} from '../../machines/checkoutTypes.ts'
import { toFailure } from '../browser/failure.ts'
import { waitForFirstScreen } from '../browser/firstScreen.ts'
import { serverNow } from '../browser/serverTime.ts'
import { deviceStore } from '../browser/storage.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import type { OpenAttempt, UserDatabase } from '../cache/database.ts'
import {
  deleteOpenPayment,
  findOpenPaymentCopy,
  saveOpenPayment,
  setPaymentIntentId,
} from '../cache/openPayments.ts'
import { forgetOpenAttempt, getOpenAttemptId, trackOpenWork } from '../cache/openWork.ts'
import { loadDatabase } from '../pwa/loadDatabase.ts'
import type { callFunction } from '../services/functions.ts'
import { pickRefusal } from './pickRefusal.ts'

export const withLoadedRows = async <T>(uid: string, work: (rows: UserDatabase) => Promise<T>) =>
  (await import('../cache/database.ts')).withRows(uid, work)

/** In milliseconds. */
const STORES_WITHIN = 3000

/** A failed write never fails or delays a payment. */
const tryToStore = (work: Promise<unknown>) => withTimeout(work, STORES_WITHIN).catch(() => undefined)

export interface CheckoutAdapter<Parts extends CheckoutParts> {
  readonly kind: 'transfer' | 'invoice'
  readonly loadSchema: () => Promise<v.GenericSchema<unknown, CheckoutAttempt<Parts>>>
  readonly getAttempts: (rows: UserDatabase) => Table<OpenAttempt<Parts>, string>
  /** Null if the attempt is of another kind. */
  readonly parseAttempt: (found: LatestAttempt) => CheckoutAttempt<Parts> | null
  readonly reserve: (
    call: typeof callFunction,
    uid: string,
    attempt: CheckoutAttempt<Parts>,
  ) => Promise<StartedPayment>
  /** Null for a refusal that other kinds share. */
  readonly toRefusal: (failure: FunctionFailure, order: Parts['order']) => Parts['refusal'] | null
  /** A refusal's plan and cap use are newer than the device's. */
  readonly keepNews?: (uid: string, refusal: PartsRefusal<Parts>) => Promise<unknown>
  readonly isAttemptOver: (refusal: PartsRefusal<Parts>) => boolean
  readonly getReceipt: (paid: PaymentRecord) => Parts['receipt'] | null
  readonly keepReceipt: (uid: string, receipt: Parts['receipt'], attemptId: string) => Promise<unknown>
}

/** The actors write to the device first and then call the server. */
export function createCheckoutActors<Parts extends CheckoutParts>(adapter: CheckoutAdapter<Parts>) {
  type Sent = CheckoutAttempt<Parts>

  const forget = (uid: string, attemptId: string) => {
    forgetOpenAttempt(uid, adapter.kind, attemptId)
    deleteOpenPayment(attemptId)
    deviceStore.set('endedAttempt', attemptId)
    return withLoadedRows(uid, (rows) => adapter.getAttempts(rows).delete(attemptId))
  }

  /** Notes the attempt in this page too, so that it can be restored if the session ends meanwhile. */
  const note = (uid: string, attempt: Sent, begunAt: number) => {
    const write = (rows: UserDatabase) => adapter.getAttempts(rows).put({ ...attempt, begunAt })
    trackOpenWork(uid, adapter.kind, { attemptId: attempt.id, write })
    saveOpenPayment({ uid, kind: adapter.kind, attempt })
    return write
  }

  let reserved = ''

  const keep = async (
    { uid, attemptId }: AttemptInput,
    answer: ReleaseAnswer<Parts>,
    { aborted: isLate }: AbortSignal,
  ) => {
    if (answer.outcome === 'unpaid') {
      // The user may be paying this attempt again by now.
      if (isLate) return
      deviceStore.set('unconfirmed', attemptId)
    }
    if (answer.outcome === 'paid') {
      // The paid form must not be restored.
      trackOpenWork(uid, 'draft', null)
      await adapter.keepReceipt(uid, answer.receipt, attemptId)
    }
    const isOver =
      answer.outcome === 'paid' ||
      answer.outcome === 'refunded' ||
      answer.outcome === 'disputed' ||
      answer.outcome === 'released' ||
      (answer.outcome === 'unpaid' && answer.status === 'canceled')
    if (isOver) await forget(uid, attemptId)
  }

  const ask = async (
    name: Asking,
    input: AttemptInput,
    signal: AbortSignal,
  ): Promise<ReleaseAnswer<Parts>> => {
    const said = await askAbout(name, input.attemptId)
    const answer: ReleaseAnswer<Parts> =
      said.outcome === 'paid' ? { outcome: 'paid', receipt: requireReceipt(said) } : said
    await tryToStore(keep(input, answer, signal))
    return answer
  }

  const requireReceipt = (paid: PaymentRecord): Parts['receipt'] => {
    const receipt = adapter.getReceipt(paid)
    if (!receipt) throw new Error('The server returned the receipt of another kind of payment')
    return receipt
  }

  const readCopy = async (uid: string): Promise<Sent | 'unreadable' | null> => {
    const copy = findOpenPaymentCopy(uid, adapter.kind)
    if (!copy) return null
    const parsed = v.safeParse(await adapter.loadSchema(), copy.attempt)
    return parsed.success ? parsed.output : 'unreadable'
  }

  const readNewest = async (rows: UserDatabase): Promise<Sent | null> => {
    const newest = await adapter.getAttempts(rows).orderBy('begunAt').last()
    if (!newest) return null
    const { begunAt: _, ...attempt } = newest
    return attempt
  }

  const deleteCopy = (uid: string) => {
    const copy = findOpenPaymentCopy(uid, adapter.kind)
    if (copy) deleteOpenPayment(copy.attempt.id)
  }

  return {
    findOpenAttempt: fromPromise<Sent | null, { uid: string }>(async ({ input: { uid } }) => {
      const copy = await readCopy(uid)
      // Something was begun, so this is not an answer. The server is asked.
      if (copy === 'unreadable') throw new Error('The device could not read its copy of an attempt')
      const { isInMemory, withRows } = await loadDatabase()
      const search = async (rows: UserDatabase) => {
        const found = await readNewest(rows)
        if (!found && isInMemory(rows)) throw new Error('The device could not read its attempts')
        return found
      }
      const found = copy ?? (await withRows(uid, search))
      if (found) note(uid, found, serverNow())
      return found
    }),

    findLatestAttempt: fromPromise<Sent | null, SearchInput>(async ({ input: { uid, draftId } }) => {
      // Nothing can be paid meanwhile, but the form can be filled in.
      await waitForFirstScreen()
      const [call, { FIND_LATEST_ATTEMPT }] = await Promise.all([
        loadCall(),
        import('../../domain/api/latestAttempt.ts'),
      ])
      const { attempt } = await call(FIND_LATEST_ATTEMPT, { kind: adapter.kind, draftId })
      const newest = attempt && adapter.parseAttempt(attempt)
      // The server returns an ended attempt too, because the device may not know its end.
      const isKnownEnd = draftId === null && newest?.id === deviceStore.get('endedAttempt')
      const found = isKnownEnd ? null : newest
      if (found) note(uid, found, serverNow())
      // The server's answer settles a copy that no later start could read either.
      else if (draftId === null && (await readCopy(uid)) === 'unreadable') deleteCopy(uid)
      return found
    }),

    reserve: fromPromise<ReserveAnswer<Parts>, { uid: string; attempt: Sent }>(
      async ({ input: { uid, attempt } }) => {
        // The payment continues without the device: the server and its webhook know the attempt.
        if (getOpenAttemptId(uid) !== attempt.id) deviceStore.set('unconfirmed', attempt.id)
        await tryToStore(withLoadedRows(uid, note(uid, attempt, serverNow())))
        reserved = attempt.id
        try {
          const started = await adapter.reserve(await loadCall(), uid, attempt)
          setPaymentIntentId(attempt.id, started.paymentIntentId)
          return ok(started)
        } catch (error) {
          const failure = toFailure(error)
          const refusal =
            failure.kind === 'function'
              ? (adapter.toRefusal(failure, attempt.order) ?? toCommonRefusal(failure))
              : null
          if (!refusal) throw error
          if (adapter.isAttemptOver(refusal)) await tryToStore(forget(uid, attempt.id))
          adapter.keepNews?.(uid, refusal).catch(() => undefined)
          return err(refusal)
        }
      },
    ),

    confirmCard: fromPromise<CardAnswer, { clientSecret: string }>(
      async ({ input: { clientSecret }, signal }) => {
        const { confirmCard } = await import('../services/cardPayments.ts')
        deviceStore.set('unconfirmed', null)
        const answer = await confirmCard(clientSecret)
        // The user may have left the bank's page and be confirming again.
        if (answer.kind !== 'answered' && !signal.aborted) deviceStore.set('unconfirmed', reserved)
        return answer
      },
    ),

    record: fromPromise<RecordAnswer<Parts>, AttemptInput>(async ({ input, signal }) => {
      const answer = await ask('RECORD_TRANSFER', input, signal)
      if (answer.outcome === 'released') throw new Error('Recording never releases an attempt')
      return answer
    }),

    release: fromPromise<ReleaseAnswer<Parts>, AttemptInput>(({ input, signal }) =>
      ask('CANCEL_PAYMENT_INTENT', input, signal),
    ),
  }
}

const loadCall = async () => (await import('../services/functions.ts')).callFunction

type Asking = 'RECORD_TRANSFER' | 'CANCEL_PAYMENT_INTENT'

export async function askAbout(name: Asking, attemptId: string): Promise<ReleaseResult> {
  try {
    const [call, payments] = await Promise.all([loadCall(), import('../../domain/api/payments.ts')])
    return await call(payments[name], { attemptId })
  } catch (error) {
    const failure = toFailure(error)
    // The server doesn't know this attempt, so nothing was reserved or paid.
    if (failure.kind === 'function' && failure.code === 'paymentNotFound')
      return { outcome: 'unpaid', status: 'canceled' }
    throw error
  }
}

function toCommonRefusal(failure: FunctionFailure): CommonRefusal | null {
  const { code } = failure
  if (code === 'unauthenticated') return { kind: 'sessionExpired' }
  if (code === 'paymentUnavailable' || code === 'unavailable') return { kind: 'initFailed' }
  const refusal = pickRefusal(failure, COMMON_REFUSALS)
  if (refusal) return refusal
  return failure.status < 500 && (code || failure.error) ? { kind: 'refused', failure } : null
}
