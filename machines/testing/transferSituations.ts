import { createActor, SimulatedClock } from 'xstate'
import { ok } from '../../domain/common/result.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import type { RecentTransfer } from '../../domain/transfers/recentTransfers.ts'
import type { TransferDraft } from '../../domain/transfers/shapes/draftSchema.ts'
import { buildTransaction } from '../../domain/transfers/shapes/transaction.ts'
import type { Transaction } from '../../domain/transfers/transaction.ts'
import { checkTransfer, EMPTY_TRANSFER_DRAFT } from '../../domain/transfers/transfer.ts'
import type {
  CheckoutInput as AnyCheckoutInput,
  ReleaseAnswer as AnyReleaseAnswer,
  AttemptInput,
  CardAnswer,
  CheckoutAttempt,
  CheckoutContext,
  CheckoutEvent,
  RecordAnswer,
  ReserveAnswer,
  SearchInput,
} from '../checkoutTypes.ts'
import { type TransferParts, type TransferPayer, transferMachine } from '../transfer.ts'
import { createFakeActor } from './fakeActor.ts'
import { recordTransition } from './lastTransition.ts'

type Attempt = CheckoutAttempt<TransferParts>
export type TransferCheckoutContext = CheckoutContext<TransferParts>
export type TransferCheckoutEvent = CheckoutEvent<TransferParts>
type CheckoutInput = AnyCheckoutInput<TransferParts>
export type TransferRecordAnswer = RecordAnswer<TransferParts>
type ReleaseAnswer = AnyReleaseAnswer<TransferParts>

export const now = Date.UTC(2026, 10, 20, 12)
export const ledger = { month: '2026-11', recordedCents: 0, reservedCents: 0, reservedSlots: 0 }
export const profile: TransferPayer = {
  uid: 'u1',
  subscription: EMPTY_SUBSCRIPTION,
  ledger,
  endedCoupon: null,
}
export const draft: TransferDraft = {
  ...EMPTY_TRANSFER_DRAFT,
  amount: '100',
  phone: '+224 620 00 00 00',
  receivingMethod: 'orange_money',
  phoneConfirmed: true,
}
export const checkValidTransfer = (form: TransferDraft) => {
  const checked = checkTransfer(form, { subscription: EMPTY_SUBSCRIPTION, now })
  if (!checked.ok) throw new Error('The form of this test is invalid')
  return checked.value
}
export const attempt: Attempt = { id: 'a1', draft, order: checkValidTransfer(draft), again: null }
export const transaction: Transaction = buildTransaction(checkValidTransfer(draft), {
  id: 'pi_1',
  senderId: 'u1',
  senderName: 'Awa Ba',
  createdAt: now,
  settledAt: now,
  promisedMinutes: null,
  delivery: null,
  recipientLink: null,
})
export const otherDraft = { ...draft, amount: '120' }
export const payment = { clientSecret: 'pi_1_secret', paymentIntentId: 'pi_1', customerSession: null }
export const buildReserveAnswer = (status = 'requires_payment_method') => ok({ ...payment, status })
export const emptiedDraft: TransferDraft = { ...EMPTY_TRANSFER_DRAFT }

export const serverFacts = { at: now, subscription: EMPTY_SUBSCRIPTION, ledger }

export const duplicateTransfer: RecentTransfer = {
  id: 'pi_0',
  phone: attempt.order.phone,
  gross: attempt.order.gross,
  at: now - 180_000,
  isPaid: true,
}

export const paidAnswer: TransferRecordAnswer = { outcome: 'paid', receipt: transaction }
export const unpaidAnswer: TransferRecordAnswer = { outcome: 'unpaid', status: 'requires_payment_method' }
export const canceledAnswer: TransferRecordAnswer = { outcome: 'unpaid', status: 'canceled' }
export const unclearAnswer: TransferRecordAnswer = { outcome: 'unclear', status: 'processing' }
export const refundedAnswer: TransferRecordAnswer = { outcome: 'refunded' }
export const disputedAnswer: TransferRecordAnswer = { outcome: 'disputed' }
export const chargedAnswer: CardAnswer = { kind: 'answered', status: 'succeeded' }
export const declinedAnswer: CardAnswer = {
  kind: 'declined',
  reason: 'insufficient_funds',
  message: 'Not enough',
}

let stopLast = () => {}

export const stopTestActor = () => stopLast()
export const attemptInput: AttemptInput = { uid: 'u1', attemptId: 'a1' }

export function createTestActor(
  overrides: Parameters<typeof transferMachine.provide>[0]['actors'] = {},
  input: Partial<CheckoutInput> = {},
) {
  const clock = new SimulatedClock()
  const findOpenAttempt = createFakeActor<Attempt | null, { uid: string }>()
  const findLatestAttempt = createFakeActor<Attempt | null, SearchInput>()
  const reserve = createFakeActor<ReserveAnswer<TransferParts>, { uid: string; attempt: Attempt }>()
  const confirmCard = createFakeActor<CardAnswer, { clientSecret: string }>()
  const record = createFakeActor<TransferRecordAnswer, AttemptInput>()
  const release = createFakeActor<ReleaseAnswer, AttemptInput>()
  const actor = createActor(
    transferMachine.provide({
      actors: {
        findOpenAttempt: findOpenAttempt.logic,
        findLatestAttempt: findLatestAttempt.logic,
        reserve: reserve.logic,
        confirmCard: confirmCard.logic,
        record: record.logic,
        release: release.logic,
        ...overrides,
      },
    }),
    { clock, input: { profile, isOnline: true, at: now, draft, ...input }, inspect: recordTransition },
  ).start()
  stopLast = () => actor.stop()
  return {
    actor,
    clock,
    findOpenAttempt,
    findLatestAttempt,
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
export type StartedActor = ReturnType<typeof createTestActor>

/** The device has read its attempts, and has none. */
export const initialContext: TransferCheckoutContext = {
  profile,
  at: now,
  isOnline: true,
  draft,
  origin: 'typed',
  isSearched: true,
  unclearDraftId: null,
  confirmation: null,
  problems: [],
  problem: null,
  change: null,
  attempt: null,
  chargedDraft: null,
  formerAttemptId: null,
  unclearAttemptId: null,
  payment: null,
  unclearAnswers: 0,
  receipt: null,
  duplicate: null,
}
export const statusUnclearProblem = { kind: 'statusUnclear' } as const

export const arrange = {
  async resuming(): Promise<StartedActor> {
    return createTestActor()
  },
  /** The device could not be read, so the server is asked. */
  async lookingUp(): Promise<StartedActor> {
    const started = createTestActor()
    await started.findOpenAttempt.fail()
    started.clock.increment(1_000)
    return started
  },
  async lookedUpInVain(): Promise<StartedActor> {
    const started = await arrange.lookingUp()
    await started.findLatestAttempt.fail()
    return started
  },
  async editing(): Promise<StartedActor> {
    const started = createTestActor()
    await started.findOpenAttempt.answer(null)
    return started
  },
  async confirmingDuplicate(): Promise<StartedActor> {
    const started = await arrange.editing()
    started.confirm('a1', [duplicateTransfer])
    return started
  },
  async reserving(): Promise<StartedActor> {
    const started = await arrange.editing()
    started.confirm()
    return started
  },
  async awaitingCard(): Promise<StartedActor> {
    const started = await arrange.reserving()
    await started.reserve.answer(buildReserveAnswer())
    return started
  },
  async releasing(): Promise<StartedActor> {
    const started = await arrange.awaitingCard()
    started.send({ type: 'payment.close' })
    return started
  },
  async confirmingCard(): Promise<StartedActor> {
    const started = await arrange.awaitingCard()
    started.send({ type: 'payment.submit' })
    return started
  },
  async overdue(): Promise<StartedActor> {
    const started = await arrange.confirmingCard()
    started.clock.increment(45_000)
    return started
  },
  /** The attempt is still open. */
  async declined(): Promise<StartedActor> {
    const started = await arrange.confirmingCard()
    await started.confirmCard.answer(declinedAnswer)
    return started
  },
  async releasingFormerAttempt(): Promise<StartedActor> {
    const started = await arrange.declined()
    started.send({ type: 'draft.change', patch: { amount: '120' } })
    started.confirm('a2')
    return started
  },
  async recording(): Promise<StartedActor> {
    const started = await arrange.confirmingCard()
    await started.confirmCard.answer(chargedAnswer)
    return started
  },
  async waiting(): Promise<StartedActor> {
    const started = await arrange.recording()
    await started.record.answer(unclearAnswer)
    return started
  },
  async asking(): Promise<StartedActor> {
    const started = await arrange.waiting()
    started.send({ type: 'outcome.check' })
    return started
  },
  async receipt(): Promise<StartedActor> {
    const started = await arrange.recording()
    await started.record.answer(paidAnswer)
    return started
  },
}

export const receiptSituation = {
  ...initialContext,
  value: 'receipt',
  draft: emptiedDraft,
  chargedDraft: draft,
  receipt: transaction,
}

/** Only the walk of the price takes these transitions. */
export const isPriceTransition = ({ guard }: { guard?: unknown }) =>
  guard === 'isPriceChanged' || (guard as { type?: string })?.type === 'isDuplicateRefused'
