import { fromPromise } from 'xstate'
import type { Paid, PaymentStarted, Release } from '../../domain/api.ts'
import type { Failure } from '../../domain/failure.ts'
import { err, ok, type Result } from '../../domain/result.ts'
import type {
  Attempt,
  CardAnswer,
  CommonRefusal,
  RecordAnswer,
  ReleaseAnswer,
} from '../../machines/checkout.ts'
import { forgetUnconfirmed, noteUnconfirmed } from '../browser/deviceSession.ts'
import { failureOf } from '../browser/failure.ts'
import { serverNow } from '../browser/serverTime.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import type { UserDatabase } from '../cache/database.ts'
import { attemptUnderWay, noteUnderWay } from '../cache/underWay.ts'
import { loadDatabase } from '../pwa/loadDatabase.ts'
import type { callFunction } from '../services/functions.ts'

const withRows = async <T>(uid: string, work: (rows: UserDatabase) => Promise<T>) =>
  (await import('../cache/database.ts')).withRows(uid, work)

/** How long the device may take to tell of an open attempt, in milliseconds. */
const ANSWERS_WITHIN = 5000

type FunctionFailure = Extract<Failure, { kind: 'function' }>

/** Where one kind of payment keeps its rows on the device, and how it asks for a reservation. */
export interface CheckoutAdapter<Draft, Order, Refusal, Receipt> {
  readonly kind: 'transfer' | 'invoice'
  /** The newest attempt that has not come to an end on this device. */
  readonly findAttempt: (rows: UserDatabase) => Promise<Attempt<Draft, Order> | null>
  readonly keepAttempt: (
    rows: UserDatabase,
    attempt: Attempt<Draft, Order>,
    begunAt: number,
  ) => Promise<unknown>
  readonly forgetAttempt: (rows: UserDatabase, attemptId: string) => Promise<unknown>
  /** Asks the function that reserves what is ordered. */
  readonly reserve: (
    call: typeof callFunction,
    uid: string,
    attempt: Attempt<Draft, Order>,
  ) => Promise<PaymentStarted>
  /** The refusals that only this kind of payment knows. */
  readonly refusalOf: (failure: FunctionFailure, order: Order) => Refusal | null
  /** Puts the newer facts that a refusal brings on the device. */
  readonly keepNews?: (uid: string, refusal: CommonRefusal | Refusal) => Promise<unknown>
  readonly isAttemptOver: (refusal: CommonRefusal | Refusal) => boolean
  /** What was paid, in the server's answer; null when that is of another kind. */
  readonly receiptIn: (paid: Paid) => Receipt | null
  readonly keepReceipt: (rows: UserDatabase, receipt: Receipt, attemptId: string) => Promise<unknown>
}

/** What the checkout machine needs in a browser: the device first, then the server, for every kind of payment. */
export function checkoutActors<Draft, Order, Refusal, Receipt>(
  ways: CheckoutAdapter<Draft, Order, Refusal, Receipt>,
) {
  type Sent = Attempt<Draft, Order>
  interface AttemptInput {
    readonly uid: string
    readonly attemptId: string
  }

  const forget = (uid: string, attemptId: string) => {
    noteUnderWay(uid, ways.kind, null)
    return withRows(uid, (rows) => ways.forgetAttempt(rows, attemptId))
  }

  /** Where the attempt is kept: on the device, and in this page for a session that ends meanwhile. */
  const note = (uid: string, attempt: Sent, begunAt: number) => {
    const write = (rows: UserDatabase) => ways.keepAttempt(rows, attempt, begunAt)
    noteUnderWay(uid, ways.kind, { attemptId: attempt.id, write })
    return write
  }

  /** The attempt that the card form is for. */
  let reserved = ''

  /** Brings the rows on this device to the server's answer. They are a copy: failing to write one changes no outcome. */
  const keep = async ({ uid, attemptId }: AttemptInput, answer: ReleaseAnswer<Receipt>) => {
    if (answer.outcome === 'unpaid') noteUnconfirmed(attemptId)
    if (answer.outcome === 'paid') {
      // The form that was paid must not come back; one typed since is noted with its next letter.
      noteUnderWay(uid, 'draft', null)
      await withRows(uid, (rows) => ways.keepReceipt(rows, answer.receipt, attemptId))
    }
    const isOver =
      answer.outcome === 'paid' ||
      answer.outcome === 'refunded' ||
      answer.outcome === 'disputed' ||
      answer.outcome === 'released' ||
      (answer.outcome === 'unpaid' && answer.status === 'canceled')
    if (isOver) await forget(uid, attemptId)
  }

  const ask = async (name: Asking, input: AttemptInput): Promise<ReleaseAnswer<Receipt>> => {
    const said = await askAbout(name, input.attemptId)
    const answer: ReleaseAnswer<Receipt> =
      said.outcome === 'paid' ? { outcome: 'paid', receipt: receiptOf(said) } : said
    await keep(input, answer).catch(() => undefined)
    return answer
  }

  const receiptOf = (paid: Paid): Receipt => {
    const receipt = ways.receiptIn(paid)
    if (!receipt) throw new Error('The server answered with the receipt of another kind of payment')
    return receipt
  }

  return {
    // Nobody pays before this device has said whether a payment is open. The code of its database is waited for without an end,
    // the answer of the device for a limited time.
    findOpenAttempt: fromPromise<Sent | null, { uid: string }>(async ({ input: { uid } }) => {
      const device = await loadDatabase()
      const found = await withTimeout(device.withRows(uid, ways.findAttempt), ANSWERS_WITHIN)
      if (found) note(uid, found, serverNow())
      return found
    }),

    reserve: fromPromise<Result<PaymentStarted, CommonRefusal | Refusal>, { uid: string; attempt: Sent }>(
      async ({ input: { uid, attempt } }) => {
        // On a device that can't keep anything the payment goes ahead: the server and its webhook hold the attempt too.
        if (attemptUnderWay(uid) !== attempt.id) noteUnconfirmed(attempt.id)
        await withRows(uid, note(uid, attempt, serverNow())).catch(() => undefined)
        reserved = attempt.id
        try {
          return ok(await ways.reserve(await loadCall(), uid, attempt))
        } catch (error) {
          const failure = failureOf(error)
          const refusal =
            failure.kind === 'function'
              ? (ways.refusalOf(failure, attempt.order) ?? commonRefusalOf(failure))
              : null
          if (!refusal) throw error
          if (ways.isAttemptOver(refusal)) await forget(uid, attempt.id)
          // The machine has them already; they are kept for the next start.
          ways.keepNews?.(uid, refusal).catch(() => undefined)
          return err(refusal)
        }
      },
    ),

    confirmCard: fromPromise<CardAnswer, { clientSecret: string }>(
      async ({ input: { clientSecret }, signal }) => {
        const { confirmCard } = await import('../services/cardPayments.ts')
        forgetUnconfirmed()
        const answer = await confirmCard(clientSecret)
        // The person may have left the bank's page and be confirming once more. A late answer of the first time says nothing of that.
        if (answer.kind !== 'answered' && !signal.aborted) noteUnconfirmed(reserved)
        return answer
      },
    ),

    record: fromPromise<RecordAnswer<Receipt>, AttemptInput>(async ({ input }) => {
      const answer = await ask('record-transfer', input)
      if (answer.outcome === 'released') throw new Error('Recording releases nothing')
      return answer
    }),

    release: fromPromise<ReleaseAnswer<Receipt>, AttemptInput>(({ input }) =>
      ask('cancel-payment-intent', input),
    ),
  }
}

const loadCall = async () => (await import('../services/functions.ts')).callFunction

/** The functions that say what became of an attempt. */
type Asking = 'record-transfer' | 'cancel-payment-intent'

async function askAbout(name: Asking, attemptId: string): Promise<Release> {
  try {
    const call = await loadCall()
    return await call(name, { attemptId })
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
      return { kind: code, retryAfterSeconds: Number(details.retryAfterSeconds) }
  }
  return status < 500 && (code || error) ? { kind: 'refused', said: error } : null
}
