import { expect } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { buildReserveAnswer, chargedAnswer, declinedAnswer } from './transferSituations.ts'
import type { WalkStep } from './walk.ts'

/** The events that carry no form. */
export const CHECKOUT_EVENTS = [
  { type: 'draft.clear' },
  { type: 'payment.submit' },
  { type: 'payment.close' },
  { type: 'outcome.check' },
  { type: 'outcome.leave' },
  { type: 'receipt.close' },
  { type: 'problem.dismiss' },
  { type: 'network.lost' },
  { type: 'network.restored' },
] as const

/** The answers of a checkout's actors. `refusals`: the server's, for this kind of payment. */
export function buildCheckoutAnswers(attempt: unknown, receipt: unknown, refusals: readonly unknown[]) {
  const outcomes = [
    { outcome: 'paid', receipt },
    { outcome: 'unpaid', status: 'requires_payment_method' },
    { outcome: 'unpaid', status: 'canceled' },
    { outcome: 'unclear', status: 'requires_action' },
    { outcome: 'unclear', status: 'processing' },
    { outcome: 'refunded' },
    { outcome: 'disputed' },
  ]
  return {
    findOpenAttempt: [null, attempt],
    findLatestAttempt: [null, attempt],
    reserve: [...['requires_payment_method', 'processing', 'succeeded'].map(buildReserveAnswer), ...refusals],
    confirmCard: [
      chargedAnswer,
      { kind: 'answered', status: 'processing' },
      { kind: 'cardInvalid' },
      declinedAnswer,
    ],
    record: outcomes,
    release: [{ outcome: 'released' }, ...outcomes],
  }
}

export const blurCheckout = ({ unclearAnswers, problem, problems, receipt, ...context }: BlurredContext) => ({
  ...context,
  messages: [problem?.kind, problems.length > 0, receipt !== null],
})

interface BlurredContext {
  readonly unclearAnswers: number
  readonly problem: { readonly kind: string } | null
  readonly problems: readonly unknown[]
  readonly receipt: unknown
}

interface Reservation {
  readonly attempt: { readonly id: string; readonly order: unknown }
}

type Step = Pick<WalkStep<AnyStateMachine>, 'event' | 'before' | 'after' | 'asked' | 'at'>

export function expectReceiptOfServer({ event, before, after, at }: Step, receipt: unknown) {
  const isReceipt = after.matches('receipt')
  expect(after.context.receipt !== null, at).toBe(isReceipt)
  if (isReceipt && !before.matches('receipt')) expect(event.output, at).toEqual({ outcome: 'paid', receipt })
}

/** Returns the newest order sent. Earlier ones were compared at the end of shorter paths. */
export function expectOneOrderPerAttempt({ asked, at }: Step): unknown {
  const sent = asked.filter(({ src }) => src === 'reserve').map(({ input }) => (input as Reservation).attempt)
  const newest = sent.at(-1)
  const first = sent.find(({ id }) => id === newest?.id)
  if (first?.order !== newest?.order) expect(newest?.order, at).toEqual(first?.order)
  return newest?.order
}
