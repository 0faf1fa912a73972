import { createActor, SimulatedClock } from 'xstate'
import { EMPTY_SUBSCRIPTION } from '../../domain/plans.ts'
import type { RecentTransfer } from '../../domain/recentTransfers.ts'
import { ok } from '../../domain/result.ts'
import { type Transaction, transactionOf } from '../../domain/transaction.ts'
import { checkTransfer, EMPTY_DRAFT, type TransferDraft } from '../../domain/transfer.ts'
import type {
  AttemptInput,
  CardAnswer,
  CheckoutContext as ContextOf,
  CheckoutEvent as EventOf,
  CheckoutInput as InputOf,
  RecordAnswer as RecordAnswerOf,
  ReleaseAnswer as ReleaseAnswerOf,
  ReserveAnswer,
} from '../checkoutTypes.ts'
import {
  type TransferAttempt as Attempt,
  type Payer,
  type TransferParts,
  transferMachine,
} from '../transfer.ts'
import { fakeActor } from './fakeActor.ts'

export type CheckoutContext = ContextOf<TransferParts>
export type CheckoutEvent = EventOf<TransferParts>
type CheckoutInput = InputOf<TransferParts>
export type RecordAnswer = RecordAnswerOf<TransferParts>
type ReleaseAnswer = ReleaseAnswerOf<TransferParts>

export const now = Date.UTC(2026, 10, 20, 12)
export const ledger = { month: '2026-11', recordedCents: 0, reservedCents: 0, reservedSlots: 0 }
export const profile: Payer = { uid: 'u1', subscription: EMPTY_SUBSCRIPTION, ledger, endedCoupon: null }
export const draft: TransferDraft = {
  ...EMPTY_DRAFT,
  amount: '100',
  phone: '+224 620 00 00 00',
  receivingMethod: 'mtn_money',
  phoneConfirmed: true,
}
export const transferOf = (form: TransferDraft) => {
  const checked = checkTransfer(form, { subscription: EMPTY_SUBSCRIPTION, now })
  if (!checked.ok) throw new Error('The form of this test is not valid')
  return checked.value
}
export const attempt: Attempt = { id: 'a1', draft, order: transferOf(draft), again: null }
export const transaction: Transaction = transactionOf(transferOf(draft), {
  id: 'pi_1',
  senderId: 'u1',
  now,
  delivery: null,
})
export const otherDraft = { ...draft, amount: '120' }
export const payment = { clientSecret: 'pi_1_secret', paymentIntentId: 'pi_1', customerSession: null }
export const reserved = (status = 'requires_payment_method') => ok({ ...payment, status })
export const emptied: TransferDraft = { ...EMPTY_DRAFT }

/** What the server knows, and the device knew already. */
export const facts = { at: now, subscription: EMPTY_SUBSCRIPTION, ledger }

/** The same transfer, three minutes ago. */
export const duplicate: RecentTransfer = {
  id: 'pi_0',
  phone: attempt.order.phone,
  gross: attempt.order.gross,
  at: now - 180_000,
  isPaid: true,
}

export const paid: RecordAnswer = { outcome: 'paid', receipt: transaction }
export const unpaid: RecordAnswer = { outcome: 'unpaid', status: 'requires_payment_method' }
export const canceled: RecordAnswer = { outcome: 'unpaid', status: 'canceled' }
export const unclear: RecordAnswer = { outcome: 'unclear', status: 'processing' }
export const refunded: RecordAnswer = { outcome: 'refunded' }
export const disputed: RecordAnswer = { outcome: 'disputed' }
export const charged: CardAnswer = { kind: 'answered', status: 'succeeded' }
export const declined: CardAnswer = { kind: 'declined', reason: 'insufficient_funds', message: 'Not enough' }

let stopLast = () => {}

/** Ends what was started last; each file of tests does so after each of them. */
export const stop = () => stopLast()
export const attemptInput: AttemptInput = { uid: 'u1', attemptId: 'a1' }

export function createTestActor(
  overrides: Parameters<typeof transferMachine.provide>[0]['actors'] = {},
  input: Partial<CheckoutInput> = {},
) {
  const clock = new SimulatedClock()
  const findOpenAttempt = fakeActor<Attempt | null, { uid: string }>()
  const reserve = fakeActor<ReserveAnswer<TransferParts>, { uid: string; attempt: Attempt }>()
  const confirmCard = fakeActor<CardAnswer, { clientSecret: string }>()
  const record = fakeActor<RecordAnswer, AttemptInput>()
  const release = fakeActor<ReleaseAnswer, AttemptInput>()
  const actor = createActor(
    transferMachine.provide({
      actors: {
        findOpenAttempt: findOpenAttempt.logic,
        reserve: reserve.logic,
        confirmCard: confirmCard.logic,
        record: record.logic,
        release: release.logic,
        ...overrides,
      },
    }),
    { clock, input: { profile, isOnline: true, at: now, draft, ...input } },
  ).start()
  stopLast = () => actor.stop()
  return {
    actor,
    clock,
    findOpenAttempt,
    reserve,
    confirmCard,
    record,
    release,
    send: actor.send,
    confirm: (attemptId = 'a1', recent: readonly RecentTransfer[] = []) =>
      actor.send({ type: 'form.confirm', attemptId, at: now, recent }),
    situation: () => {
      const { value, context } = actor.getSnapshot()
      return { value, ...context }
    },
  }
}
export type Started = ReturnType<typeof createTestActor>

/** Everything the context holds while nothing has happened. */
export const idle: CheckoutContext = {
  profile,
  at: now,
  isOnline: true,
  draft,
  origin: 'typed',
  confirmation: null,
  problems: [],
  problem: null,
  change: null,
  attempt: null,
  formerAttemptId: null,
  unclearAttemptId: null,
  payment: null,
  unclearAnswers: 0,
  receipt: null,
  duplicate: null,
}
export const statusUnclear = { kind: 'statusUnclear' } as const

export const reach = {
  async resuming(): Promise<Started> {
    return createTestActor()
  },
  async editing(): Promise<Started> {
    const started = createTestActor()
    await started.findOpenAttempt.answer(null)
    return started
  },
  async askingWhetherAgain(): Promise<Started> {
    const started = await reach.editing()
    started.confirm('a1', [duplicate])
    return started
  },
  async reserving(): Promise<Started> {
    const started = await reach.editing()
    started.confirm()
    return started
  },
  async awaitingCard(): Promise<Started> {
    const started = await reach.reserving()
    await started.reserve.answer(reserved())
    return started
  },
  async releasing(): Promise<Started> {
    const started = await reach.awaitingCard()
    started.send({ type: 'payment.close' })
    return started
  },
  async confirmingCard(): Promise<Started> {
    const started = await reach.awaitingCard()
    started.send({ type: 'payment.submit' })
    return started
  },
  async overdue(): Promise<Started> {
    const started = await reach.confirmingCard()
    started.clock.increment(45_000)
    return started
  },
  /** Back in the form after a declined card, with the attempt kept. */
  async declined(): Promise<Started> {
    const started = await reach.confirmingCard()
    await started.confirmCard.answer(declined)
    return started
  },
  async releasingFormerAttempt(): Promise<Started> {
    const started = await reach.declined()
    started.send({ type: 'draft.change', patch: { amount: '120' } })
    started.confirm('a2')
    return started
  },
  async recording(): Promise<Started> {
    const started = await reach.confirmingCard()
    await started.confirmCard.answer(charged)
    return started
  },
  async waiting(): Promise<Started> {
    const started = await reach.recording()
    await started.record.answer(unclear)
    return started
  },
  async asking(): Promise<Started> {
    const started = await reach.waiting()
    started.send({ type: 'outcome.ask' })
    return started
  },
  async receipt(): Promise<Started> {
    const started = await reach.recording()
    await started.record.answer(paid)
    return started
  },
}

export const receiptSituation = { ...idle, value: 'receipt', draft: emptied, receipt: transaction }

/** What the walk of the price takes, and the other one leaves out. */
export const isOfPrice = ({ guard }: { guard?: unknown }) =>
  guard === 'isPriceChanged' || (guard as { type?: string })?.type === 'isSentAlready'
