import { fromPromise } from 'xstate'
import type { Paid, PaymentStarted, Release } from '../../domain/api.ts'
import type { FunctionFailure } from '../../domain/failure.ts'
import { err, ok } from '../../domain/result.ts'
import type {
  Attempt,
  AttemptInput,
  CardAnswer,
  CheckoutParts,
  CommonRefusal,
  RecordAnswer,
  RefusalOf,
  ReleaseAnswer,
  ReserveAnswer,
} from '../../machines/checkoutTypes.ts'
import { failureOf } from '../browser/failure.ts'
import { serverNow } from '../browser/serverTime.ts'
import { deviceStore } from '../browser/storage.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import type { UserDatabase } from '../cache/database.ts'
import { attemptUnderWay, noteUnderWay } from '../cache/underWay.ts'
import { loadDatabase } from '../pwa/loadDatabase.ts'
import type { callFunction } from '../services/functions.ts'

const withRows = async <T>(uid: string, work: (rows: UserDatabase) => Promise<T>) =>
  (await import('../cache/database.ts')).withRows(uid, work)

/** How long the device may take to tell of an open attempt, in milliseconds. */
const ANSWERS_WITHIN = 5000

/** Where one kind of payment keeps its rows on the device, and how it asks for a reservation. */
export interface CheckoutAdapter<Parts extends CheckoutParts> {
  readonly kind: 'transfer' | 'invoice'
  /** The newest attempt that has not come to an end on this device. */
  readonly findAttempt: (rows: UserDatabase) => Promise<Attempt<Parts> | null>
  readonly keepAttempt: (rows: UserDatabase, attempt: Attempt<Parts>, begunAt: number) => Promise<unknown>
  readonly forgetAttempt: (rows: UserDatabase, attemptId: string) => Promise<unknown>
  /** Asks the function that reserves what is ordered. */
  readonly reserve: (
    call: typeof callFunction,
    uid: string,
    attempt: Attempt<Parts>,
  ) => Promise<PaymentStarted>
  /** The refusals that only this kind of payment knows. */
  readonly refusalOf: (failure: FunctionFailure, order: Parts['order']) => Parts['refusal'] | null
  /** Puts the newer facts that a refusal brings on the device. */
  readonly keepNews?: (uid: string, refusal: RefusalOf<Parts>) => Promise<unknown>
  readonly isAttemptOver: (refusal: RefusalOf<Parts>) => boolean
  /** What was paid, in the server's answer; null when that is of another kind. */
  readonly receiptIn: (paid: Paid) => Parts['receipt'] | null
  readonly keepReceipt: (rows: UserDatabase, receipt: Parts['receipt'], attemptId: string) => Promise<unknown>
}

/** What the checkout machine needs in a browser: the device first, then the server, for every kind of payment. */
export function checkoutActors<Parts extends CheckoutParts>(adapter: CheckoutAdapter<Parts>) {
  type Sent = Attempt<Parts>

  const forget = (uid: string, attemptId: string) => {
    noteUnderWay(uid, adapter.kind, null)
    return withRows(uid, (rows) => adapter.forgetAttempt(rows, attemptId))
  }

  /** Where the attempt is kept: on the device, and in this page for a session that ends meanwhile. */
  const note = (uid: string, attempt: Sent, begunAt: number) => {
    const write = (rows: UserDatabase) => adapter.keepAttempt(rows, attempt, begunAt)
    noteUnderWay(uid, adapter.kind, { attemptId: attempt.id, write })
    return write
  }

  /** The attempt that the card form is for. */
  let reserved = ''

  /** Brings the rows on this device to the server's answer. They are a copy: failing to write one changes no outcome. */
  const keep = async ({ uid, attemptId }: AttemptInput, answer: ReleaseAnswer<Parts>) => {
    if (answer.outcome === 'unpaid') deviceStore.set('unconfirmed', attemptId)
    if (answer.outcome === 'paid') {
      // The form that was paid must not come back. A form that is typed after it is noted at its next letter.
      noteUnderWay(uid, 'draft', null)
      await withRows(uid, (rows) => adapter.keepReceipt(rows, answer.receipt, attemptId))
    }
    const isOver =
      answer.outcome === 'paid' ||
      answer.outcome === 'refunded' ||
      answer.outcome === 'disputed' ||
      answer.outcome === 'released' ||
      (answer.outcome === 'unpaid' && answer.status === 'canceled')
    if (isOver) await forget(uid, attemptId)
  }

  const ask = async (name: Asking, input: AttemptInput): Promise<ReleaseAnswer<Parts>> => {
    const said = await askAbout(name, input.attemptId)
    const answer: ReleaseAnswer<Parts> =
      said.outcome === 'paid' ? { outcome: 'paid', receipt: receiptOf(said) } : said
    await keep(input, answer).catch(() => undefined)
    return answer
  }

  const receiptOf = (paid: Paid): Parts['receipt'] => {
    const receipt = adapter.receiptIn(paid)
    if (!receipt) throw new Error('The server answered with the receipt of another kind of payment')
    return receipt
  }

  return {
    // Nobody pays before this device has said whether a payment is open. The app waits for the code of its database without a limit,
    // and for the answer of the device for a limited time.
    findOpenAttempt: fromPromise<Sent | null, { uid: string }>(async ({ input: { uid } }) => {
      const device = await loadDatabase()
      const found = await withTimeout(device.withRows(uid, adapter.findAttempt), ANSWERS_WITHIN)
      if (found) note(uid, found, serverNow())
      return found
    }),

    reserve: fromPromise<ReserveAnswer<Parts>, { uid: string; attempt: Sent }>(
      async ({ input: { uid, attempt } }) => {
        // On a device that can't keep anything the payment goes ahead: the server and its webhook hold the attempt too.
        if (attemptUnderWay(uid) !== attempt.id) deviceStore.set('unconfirmed', attempt.id)
        await withRows(uid, note(uid, attempt, serverNow())).catch(() => undefined)
        reserved = attempt.id
        try {
          return ok(await adapter.reserve(await loadCall(), uid, attempt))
        } catch (error) {
          const failure = failureOf(error)
          const refusal =
            failure.kind === 'function'
              ? (adapter.refusalOf(failure, attempt.order) ?? commonRefusalOf(failure))
              : null
          if (!refusal) throw error
          if (adapter.isAttemptOver(refusal)) await forget(uid, attempt.id)
          // The machine has these facts already. The device keeps them for the next start.
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
        // The person may have left the bank's page and be confirming once more. A late answer of the first time says nothing of that.
        if (answer.kind !== 'answered' && !signal.aborted) deviceStore.set('unconfirmed', reserved)
        return answer
      },
    ),

    record: fromPromise<RecordAnswer<Parts>, AttemptInput>(async ({ input }) => {
      const answer = await ask('RECORD_TRANSFER', input)
      if (answer.outcome === 'released') throw new Error('Recording releases nothing')
      return answer
    }),

    release: fromPromise<ReleaseAnswer<Parts>, AttemptInput>(({ input }) =>
      ask('CANCEL_PAYMENT_INTENT', input),
    ),
  }
}

const loadCall = async () => (await import('../services/functions.ts')).callFunction

/** The functions that say what became of an attempt. */
type Asking = 'RECORD_TRANSFER' | 'CANCEL_PAYMENT_INTENT'

async function askAbout(name: Asking, attemptId: string): Promise<Release> {
  try {
    const [call, payments] = await Promise.all([loadCall(), import('../../domain/api/payments.ts')])
    return await call(payments[name], { attemptId })
  } catch (error) {
    const failure = failureOf(error)
    // The server never heard of this attempt, so nothing was reserved and nobody can have paid.
    if (failure.kind === 'function' && failure.code === 'paymentNotFound')
      return { outcome: 'unpaid', status: 'canceled' }
    throw error
  }
}

/** The refusals that every kind of payment knows; null when there was no answer, or none that says anything. */
function commonRefusalOf({ status, code, error, details }: FunctionFailure): CommonRefusal | null {
  switch (code) {
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
    case 'paymentsPaused':
    case 'paymentsClosed':
      return { kind: code }
    case 'tooManyRequests':
    case 'tooManyDeclines':
      return { kind: code, retryAfterSeconds: details.retryAfterSeconds }
  }
  return status < 500 && (code || error) ? { kind: 'refused', said: error } : null
}
