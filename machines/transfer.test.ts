import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { type DirectedGraphEdge, type DirectedGraphNode, toDirectedGraph } from 'xstate/graph'
import { EMPTY_SUBSCRIPTION, type Subscription } from '../domain/plans.ts'
import { pricingOf } from '../domain/pricing.ts'
import type { RecentTransfer } from '../domain/recentTransfers.ts'
import { err, ok } from '../domain/result.ts'
import { type Transaction, transactionOf } from '../domain/transaction.ts'
import {
  type CheckedTransfer,
  checkTransfer,
  EMPTY_DRAFT,
  type TransferContext,
  type TransferDraft,
} from '../domain/transfer.ts'
import type {
  AttemptInput,
  CardAnswer,
  CheckoutContext as ContextOf,
  CheckoutEvent as EventOf,
  CheckoutInput as InputOf,
  RecordAnswer as RecordAnswerOf,
  RefusalOf,
  ReleaseAnswer as ReleaseAnswerOf,
  ReserveAnswer,
} from './checkoutTypes.ts'
import { fakeActor, settle } from './testing/fakeActor.ts'
import { walk } from './testing/walk.ts'
import {
  type TransferAttempt as Attempt,
  isAttemptOver,
  type Payer,
  type TransferParts,
  transferMachine,
} from './transfer.ts'

type CheckoutContext = ContextOf<TransferParts>
type CheckoutEvent = EventOf<TransferParts>
type CheckoutInput = InputOf<TransferParts>
type RecordAnswer = RecordAnswerOf<TransferParts>
type ReleaseAnswer = ReleaseAnswerOf<TransferParts>

const now = Date.UTC(2026, 10, 20, 12)
const ledger = { month: '2026-11', recordedCents: 0, reservedCents: 0, reservedSlots: 0 }
const profile: Payer = { uid: 'u1', subscription: EMPTY_SUBSCRIPTION, ledger, endedCoupon: null }
const draft: TransferDraft = {
  amount: '100',
  currency: 'EUR',
  country: 'GN',
  phone: '+224 620 00 00 00',
  receivingMethod: 'mtn_money',
  coupon: '',
  phoneConfirmed: true,
}
const transferOf = (form: TransferDraft) => {
  const checked = checkTransfer(form, { subscription: EMPTY_SUBSCRIPTION, now })
  if (!checked.ok) throw new Error('The form of this test is not valid')
  return checked.value
}
const attempt: Attempt = { id: 'a1', draft, order: transferOf(draft), again: null }
const transaction: Transaction = transactionOf(transferOf(draft), { id: 'pi_1', senderId: 'u1', now })
const otherDraft = { ...draft, amount: '120' }
const payment = { clientSecret: 'pi_1_secret', paymentIntentId: 'pi_1' }
const reserved = (status = 'requires_payment_method') => ok({ ...payment, status })
const emptied: TransferDraft = { ...EMPTY_DRAFT }

/** What the server knows, and the device knew already. */
const facts = { at: now, subscription: EMPTY_SUBSCRIPTION, ledger }

/** The same transfer, three minutes ago. */
const duplicate: RecentTransfer = {
  id: 'pi_0',
  phone: attempt.order.phone,
  gross: attempt.order.gross,
  at: now - 180_000,
  isPaid: true,
}

const paid: RecordAnswer = { outcome: 'paid', receipt: transaction }
const unpaid: RecordAnswer = { outcome: 'unpaid', status: 'requires_payment_method' }
const canceled: RecordAnswer = { outcome: 'unpaid', status: 'canceled' }
const unclear: RecordAnswer = { outcome: 'unclear', status: 'processing' }
const refunded: RecordAnswer = { outcome: 'refunded' }
const disputed: RecordAnswer = { outcome: 'disputed' }
const charged: CardAnswer = { kind: 'answered', status: 'succeeded' }
const declined: CardAnswer = { kind: 'declined', reason: 'insufficient_funds', message: 'Not enough' }

let stop = () => {}
afterEach(() => stop())

const attemptInput: AttemptInput = { uid: 'u1', attemptId: 'a1' }

function createTestActor(
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
  stop = () => actor.stop()
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
type Started = ReturnType<typeof createTestActor>

/** Everything the context holds while nothing has happened. */
const idle: CheckoutContext = {
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
  payment: null,
  unclearAnswers: 0,
  receipt: null,
  duplicate: null,
}
const statusUnclear = { kind: 'statusUnclear' } as const

const reach = {
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

const receiptSituation = { ...idle, value: 'receipt', draft: emptied, receipt: transaction }

test('a transfer from the form to the receipt', async () => {
  const { actor, confirm, confirmCard, findOpenAttempt, record, reserve, send, situation } = createTestActor()
  expect(situation()).toEqual({ ...idle, value: 'resuming' })
  expect(findOpenAttempt.asked).toEqual([{ uid: 'u1' }])

  await findOpenAttempt.answer(null)
  expect(situation()).toEqual({ ...idle, value: 'editing' })

  confirm()
  expect(situation()).toEqual({ ...idle, value: 'reserving', attempt })
  expect(reserve.asked).toEqual([{ uid: 'u1', attempt }])

  await reserve.answer(reserved())
  expect(situation()).toEqual({ ...idle, value: 'awaitingCard', attempt, payment })

  send({ type: 'payment.submit' })
  expect(situation()).toEqual({ ...idle, value: { confirmingCard: 'expected' }, attempt, payment })
  expect(confirmCard.asked).toEqual([{ clientSecret: 'pi_1_secret' }])

  await confirmCard.answer(charged)
  expect(situation()).toEqual({ ...idle, value: 'recording', attempt, payment })
  expect(record.asked).toEqual([attemptInput])

  await record.answer(paid)
  expect(situation()).toEqual(receiptSituation)

  send({ type: 'receipt.close' })
  expect(situation()).toEqual({ ...idle, value: 'editing', draft: emptied })
  expect(actor.getSnapshot().status).toBe('active')
})

test('the form after a receipt keeps currency and country', async () => {
  const fromCanada = {
    ...draft,
    currency: 'CAD',
    country: 'FR',
    phone: '+33612345678',
    receivingMethod: 'wero',
  } as const
  const started = createTestActor({}, { draft: fromCanada })
  await started.findOpenAttempt.answer({ ...attempt, draft: fromCanada })
  await started.record.answer(paid)
  expect(started.situation().draft).toEqual({
    ...EMPTY_DRAFT,
    currency: 'CAD',
    country: 'FR',
    receivingMethod: 'paylib',
  })
})

describe('resuming', () => {
  test('asks the server about an attempt that is open on this device, and shows its form again, its number to be confirmed anew', async () => {
    const { findOpenAttempt, record, situation } = createTestActor({}, { draft: EMPTY_DRAFT })
    await findOpenAttempt.answer(attempt)
    expect(situation()).toEqual({
      ...idle,
      value: 'recording',
      draft: { ...draft, phoneConfirmed: false },
      origin: 'attempt',
      attempt,
    })
    expect(record.asked).toEqual([attemptInput])
    await record.answer(paid)
    expect(situation()).toEqual(receiptSituation)
  })

  test('keeps a form that was typed since, even when the open attempt turns out paid', async () => {
    const { findOpenAttempt, record, send, situation } = createTestActor({}, { draft: EMPTY_DRAFT })
    send({ type: 'draft.change', patch: otherDraft })
    await findOpenAttempt.answer(attempt)
    expect(situation()).toEqual({ ...idle, value: 'recording', draft: otherDraft, attempt })
    await record.answer(paid)
    expect(situation()).toEqual({ ...receiptSituation, draft: otherDraft })
  })

  test('goes on to the form when the device can not be read', async () => {
    const failing = createTestActor()
    await failing.findOpenAttempt.fail()
    expect(failing.situation()).toEqual({ ...idle, value: 'editing' })
  })

  test('offers no other payment before the device has said whether one is open', async () => {
    const { clock, confirm, findOpenAttempt, record, situation } = createTestActor()
    clock.increment(60_000)
    confirm()
    expect(situation()).toEqual({ ...idle, value: 'resuming' })
    await findOpenAttempt.answer(attempt)
    expect(record.asked).toEqual([attemptInput])
  })

  test('offline says that the outcome is unclear', async () => {
    const { findOpenAttempt, record, situation } = createTestActor({}, { isOnline: false })
    await findOpenAttempt.answer(attempt)
    await record.fail()
    expect(situation()).toEqual({
      ...idle,
      value: { checkingOutcome: 'waiting' },
      isOnline: false,
      attempt,
      problem: statusUnclear,
    })
  })
})

test('what is typed while the answer to a release is awaited stays, whatever that is', async () => {
  for (const answer of [{ outcome: 'released' }, paid] as const) {
    const { release, send, situation } = await reach.releasing()
    send({ type: 'draft.change', patch: otherDraft })
    await release.answer(answer)
    expect(situation()).toMatchObject({ draft: otherDraft, value: answer === paid ? 'receipt' : 'editing' })
    stop()
  }
})

describe('editing', () => {
  test.each<[string, Partial<TransferDraft>, Partial<TransferDraft>]>([
    ['an amount', { amount: '55,5' }, {}],
    ['the same country', { country: 'GN' }, {}],
    ['another country', { country: 'FR' }, { receivingMethod: 'paylib', phoneConfirmed: false }],
    [
      'another country with all that belongs to it',
      { country: 'FR', receivingMethod: 'wero', phoneConfirmed: true },
      {},
    ],
  ])('changes the draft: %s', async (_, patch, also) => {
    const { send, situation } = await reach.editing()
    send({ type: 'draft.change', patch })
    expect(situation()).toEqual({ ...idle, value: 'editing', draft: { ...draft, ...patch, ...also } })
  })

  test('explains every field and takes each back when it is changed', async () => {
    const { confirm, findOpenAttempt, reserve, send, situation } = createTestActor({}, { draft: EMPTY_DRAFT })
    await findOpenAttempt.answer(null)
    confirm()
    const checked = checkTransfer(EMPTY_DRAFT, { subscription: EMPTY_SUBSCRIPTION, now })
    const problems = checked.ok ? [] : checked.error
    expect(problems.map(({ field }) => field)).toEqual(['amount', 'phone', 'phoneConfirmed'])
    expect(situation()).toEqual({ ...idle, value: 'editing', draft: EMPTY_DRAFT, problems })
    expect(reserve.asked).toEqual([])

    send({ type: 'draft.change', patch: { amount: '1' } })
    expect(situation().problems).toEqual(problems.slice(1))
    send({ type: 'draft.change', patch: { country: 'CA' } })
    expect(situation().problems).toEqual([])
  })

  test('shows the offline notice instead of paying, until the network is back', async () => {
    const { confirm, reserve, send, situation } = await reach.editing()
    send({ type: 'network.lost' })
    confirm()
    expect(situation()).toEqual({ ...idle, value: 'editing', isOnline: false, problem: { kind: 'offline' } })
    send({ type: 'network.back' })
    expect(situation()).toEqual({ ...idle, value: 'editing' })
    expect(reserve.asked).toEqual([])
  })

  test('keeps other problems when the network comes back, until they are dismissed', async () => {
    const { send, situation } = await reach.declined()
    const problem = { kind: 'failed', reason: 'insufficient_funds', message: 'Not enough' }
    send({ type: 'network.back' })
    expect(situation().problem).toEqual(problem)
    send({ type: 'problem.dismiss' })
    expect(situation()).toEqual({ ...idle, value: 'editing', attempt })
  })

  test('quotes with the newest profile', async () => {
    const { confirm, reserve, send } = await reach.editing()
    const premium = {
      ...EMPTY_SUBSCRIPTION,
      tier: 'premium',
      status: 'active',
      transactionsLeft: 5,
      lastReset: now,
    } as const
    send({ type: 'profile.changed', profile: { uid: 'u1', subscription: premium } })
    confirm()
    const checked = checkTransfer(draft, { subscription: premium, now })
    expect(reserve.asked.map((input) => input.attempt.order)).toEqual(checked.ok && [checked.value])
    expect(reserve.asked[0]?.attempt.order.quote.fee.minor).toBe(0)
  })
})

describe('reserving the amount', () => {
  const problems: [RefusalOf<TransferParts>, isOver: boolean][] = [
    [{ kind: 'monthlyCapExceeded', leftCents: 2_000, resetsAt: now }, true],
    [{ kind: 'capReached', message: 'Plafond mensuel atteint.' }, true],
    [{ kind: 'quoteChanged', facts }, true],
    [{ kind: 'attemptEnded' }, true],
    [{ kind: 'attemptConflict' }, true],
    [{ kind: 'capUnavailable' }, false],
    [{ kind: 'userNotFound' }, false],
    [{ kind: 'sessionExpired' }, false],
    [{ kind: 'emailUnverified' }, false],
    [{ kind: 'paymentsPaused' }, false],
    [{ kind: 'tooManyDeclines', retryAfterSeconds: 3600 }, false],
    [{ kind: 'paymentsClosed' }, false],
    [{ kind: 'initFailed' }, false],
    [{ kind: 'tooManyRequests', retryAfterSeconds: 60 }, false],
    [{ kind: 'refused', said: 'No' }, false],
  ]
  test.each(problems)('refused: $kind', async (problem, isOver) => {
    const { confirm, reserve, situation } = await reach.reserving()
    await reserve.answer(err(problem))
    expect(situation()).toEqual({ ...idle, value: 'editing', problem, attempt: isOver ? null : attempt })
    expect(isAttemptOver(problem)).toBe(isOver)
    confirm('a2')
    expect(reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', isOver ? 'a2' : 'a1'])
  })

  test.each([
    ['no answer', ({ reserve }: Started) => reserve.fail()],
    ['an answer that does not come', async ({ clock }: Started) => clock.increment(30_000)],
  ])('%s: trying again is the same attempt', async (_, happen) => {
    const started = await reach.reserving()
    await happen(started)
    expect(started.situation()).toEqual({
      ...idle,
      value: 'editing',
      problem: { kind: 'initFailed' },
      attempt,
    })
    started.confirm('a2')
    expect(started.reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', 'a1'])
  })

  test('an answer that comes too late is dropped', async () => {
    const { clock, reserve, situation } = await reach.reserving()
    clock.increment(30_000)
    await reserve.answer(reserved())
    expect(situation().value).toBe('editing')
  })

  test.each<[status: string, value: unknown]>([
    ['requires_payment_method', 'awaitingCard'],
    ['requires_action', 'awaitingCard'],
    ['succeeded', 'recording'],
    ['processing', { checkingOutcome: 'waiting' }],
  ])('an attempt whose payment is %s', async (status, value) => {
    const { reserve, situation } = await reach.reserving()
    await reserve.answer(reserved(status))
    expect(situation().value).toEqual(value)
  })

  test('a double tap reserves once', async () => {
    const { confirm, reserve } = await reach.reserving()
    confirm('a2')
    await reserve.answer(reserved())
    confirm('a3')
    expect(reserve.asked).toEqual([{ uid: 'u1', attempt }])
  })
})

describe('the payment form', () => {
  test('does not submit while offline', async () => {
    const { confirmCard, send, situation } = await reach.awaitingCard()
    send({ type: 'network.lost' })
    send({ type: 'payment.submit' })
    expect(situation()).toEqual({
      ...idle,
      value: 'awaitingCard',
      isOnline: false,
      attempt,
      payment,
      problem: { kind: 'offline' },
    })
    expect(confirmCard.asked).toEqual([])
    send({ type: 'network.back' })
    send({ type: 'payment.submit' })
    expect(situation()).toEqual({ ...idle, value: { confirmingCard: 'expected' }, attempt, payment })
  })

  test('a double tap submits once', async () => {
    const { confirmCard, send } = await reach.confirmingCard()
    send({ type: 'payment.submit' })
    expect(confirmCard.asked).toEqual([{ clientSecret: 'pi_1_secret' }])
  })

  test.each<[string, (started: Started) => Promise<void> | void, object]>([
    ['released', ({ release }) => release.answer({ outcome: 'released' }), { ...idle, value: 'editing' }],
    ['paid after all', ({ release }) => release.answer(paid), receiptSituation],
    [
      'refunded',
      ({ release }) => release.answer(refunded),
      { ...idle, value: 'editing', problem: { kind: 'refunded' } },
    ],
    [
      'unclear',
      ({ release }) => release.answer(unclear),
      { ...idle, value: { checkingOutcome: 'waiting' }, attempt, problem: statusUnclear },
    ],
    [
      'still unpaid',
      ({ release }) => release.answer(unpaid),
      { ...idle, value: 'editing', attempt, problem: { kind: 'notCharged' } },
    ],
    ['no answer', ({ release }) => release.fail(), { ...idle, value: 'editing', attempt }],
    ['a late answer', ({ clock }) => void clock.increment(30_000), { ...idle, value: 'editing', attempt }],
  ])('closed: %s', async (_, happen, situation) => {
    const started = await reach.releasing()
    expect(started.situation()).toEqual({ ...idle, value: 'releasing', attempt })
    expect(started.release.asked).toEqual([attemptInput])
    await happen(started)
    expect(started.situation()).toEqual(situation)
  })
})

describe('confirming the card', () => {
  test.each<[string, (started: Started) => Promise<void>, object]>([
    ['succeeded', (s) => s.confirmCard.answer(charged), { ...idle, value: 'recording', attempt, payment }],
    [
      'wrong card fields',
      (s) => s.confirmCard.answer({ kind: 'cardInvalid' }),
      { ...idle, value: 'awaitingCard', attempt, payment, problem: { kind: 'cardInvalid' } },
    ],
    [
      'declined',
      (s) => s.confirmCard.answer(declined),
      {
        ...idle,
        value: 'editing',
        attempt,
        problem: { kind: 'failed', reason: 'insufficient_funds', message: 'Not enough' },
      },
    ],
    ...(['processing', 'requires_action', 'requires_payment_method'].map((status) => [
      status,
      (s: Started) => s.confirmCard.answer({ kind: 'answered', status }),
      { ...idle, value: { checkingOutcome: 'asking' }, attempt, problem: statusUnclear },
    ]) as [string, (started: Started) => Promise<void>, object][]),
    [
      'no answer',
      (s) => s.confirmCard.fail(),
      { ...idle, value: { checkingOutcome: 'asking' }, attempt, problem: statusUnclear },
    ],
  ])('%s', async (_, happen, situation) => {
    const started = await reach.confirmingCard()
    await happen(started)
    expect(started.situation()).toEqual(situation)
  })

  test('waits as long as the bank lets the person think', async () => {
    const { clock, situation } = await reach.confirmingCard()
    clock.increment(15 * 60_000)
    expect(situation().value).toEqual({ confirmingCard: 'overdue' })
  })

  test('says after 45 seconds that the bank has not answered, and asks the server when the person leaves', async () => {
    const { clock, confirmCard, record, send, situation } = await reach.confirmingCard()
    send({ type: 'outcome.ask' })
    clock.increment(44_999)
    expect(situation()).toEqual({ ...idle, value: { confirmingCard: 'expected' }, attempt, payment })
    clock.increment(1)
    expect(situation()).toEqual({ ...idle, value: { confirmingCard: 'overdue' }, attempt, payment })
    send({ type: 'outcome.ask' })
    const asking = { ...idle, value: { checkingOutcome: 'asking' }, attempt, problem: statusUnclear }
    expect(situation()).toEqual(asking)
    expect(record.asked).toEqual([attemptInput])
    // What the bank says now is for the server to tell.
    await confirmCard.answer(declined)
    expect(situation()).toEqual(asking)
  })

  test('takes the bank’s answer however late it comes', async () => {
    const { confirmCard, situation } = await reach.overdue()
    await confirmCard.answer(charged)
    expect(situation().value).toBe('recording')
  })

  test('asks the server when the provider never answers', async () => {
    const { clock, situation } = await reach.confirmingCard()
    clock.increment(20 * 60_000)
    expect(situation().value).toEqual({ checkingOutcome: 'asking' })
  })
})

describe('after a declined card', () => {
  test('the same transfer is the same attempt', async () => {
    const { confirm, release, reserve, situation } = await reach.declined()
    confirm('a2')
    expect(situation()).toEqual({ ...idle, value: 'reserving', attempt })
    expect(reserve.asked).toEqual([
      { uid: 'u1', attempt },
      { uid: 'u1', attempt },
    ])
    expect(release.asked).toEqual([])
  })

  test('the same transfer in other words is the same attempt', async () => {
    const { confirm, reserve, send } = await reach.declined()
    send({ type: 'draft.change', patch: { amount: '100,00', phone: '+224620000000' } })
    confirm('a2')
    expect(reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', 'a1'])
  })

  const premium = {
    ...EMPTY_SUBSCRIPTION,
    tier: 'premium',
    status: 'active',
    transactionsLeft: 5,
    lastReset: now,
  } as const
  test.each<[string, CheckoutEvent]>([
    ['amount', { type: 'draft.change', patch: { amount: '100.01' } }],
    ['currency', { type: 'draft.change', patch: { currency: 'CAD' } }],
    ['recipient', { type: 'draft.change', patch: { phone: '+224620000001' } }],
    ['wallet', { type: 'draft.change', patch: { receivingMethod: 'orange_money' } }],
    ['coupon', { type: 'draft.change', patch: { coupon: 'SUMMER' } }],
    ['price', { type: 'profile.changed', profile: { uid: 'u1', subscription: premium } }],
  ])('another %s is another attempt', async (_, change) => {
    const { confirm, send, situation } = await reach.declined()
    send(change)
    confirm('a2')
    expect(situation()).toMatchObject({
      value: 'releasingFormerAttempt',
      attempt: { id: 'a2' },
      formerAttemptId: 'a1',
    })
  })

  test.each<[string, (started: Started) => Promise<void> | void]>([
    ['released', ({ release }) => release.answer({ outcome: 'released' })],
    ['unclear', ({ release }) => release.answer(unclear)],
    ['no answer', ({ release }) => release.fail()],
    ['a late answer', ({ clock }) => void clock.increment(30_000)],
  ])('another transfer is another attempt, once the former one is given up: %s', async (_, happen) => {
    const started = await reach.releasingFormerAttempt()
    const { release, reserve, situation } = started
    const other: Attempt = { id: 'a2', draft: otherDraft, order: transferOf(otherDraft), again: null }
    const before = { ...idle, draft: otherDraft, attempt: other, formerAttemptId: 'a1' }
    expect(situation()).toEqual({ ...before, value: 'releasingFormerAttempt' })
    expect(release.asked).toEqual([attemptInput])
    expect(reserve.asked).toHaveLength(1)
    await happen(started)
    expect(situation()).toEqual({ ...before, value: 'reserving', formerAttemptId: null })
    expect(reserve.asked[1]).toEqual({ uid: 'u1', attempt: other })
  })

  test('the receipt is shown when the former one was paid after all, and the new form stays', async () => {
    const { release, reserve, send, situation } = await reach.releasingFormerAttempt()
    await release.answer(paid)
    expect(situation()).toEqual({ ...idle, value: 'receipt', draft: otherDraft, receipt: transaction })
    send({ type: 'receipt.close' })
    expect(situation()).toEqual({ ...idle, value: 'editing', draft: otherDraft })
    expect(reserve.asked).toHaveLength(1)
  })

  test('a form that became wrong stays in the form', async () => {
    const { confirm, send, situation } = await reach.declined()
    send({ type: 'draft.change', patch: { amount: '501' } })
    confirm('a2')
    expect(situation().value).toBe('editing')
    expect(situation().attempt).toEqual(attempt)
  })
})

describe('the same transfer as a moment ago', () => {
  test('is asked about before anything is reserved', async () => {
    const { reserve, situation } = await reach.askingWhetherAgain()
    expect(situation()).toEqual({ ...idle, value: 'askingWhetherAgain', duplicate })
    expect(reserve.asked).toEqual([])
  })

  test('is sent when the person says so', async () => {
    const { reserve, send, situation } = await reach.askingWhetherAgain()
    send({ type: 'again.confirm', attemptId: 'a1', at: now })
    const asked = { ...attempt, again: duplicate.id }
    expect(situation()).toEqual({ ...idle, value: 'reserving', attempt: asked })
    expect(reserve.asked).toEqual([{ uid: 'u1', attempt: asked }])
  })

  test('stays in the form when the person leaves it', async () => {
    const { reserve, send, situation } = await reach.askingWhetherAgain()
    send({ type: 'again.leave' })
    expect(situation()).toEqual({ ...idle, value: 'editing' })
    expect(reserve.asked).toEqual([])
  })

  test('is not sent without a network', async () => {
    const { reserve, send, situation } = await reach.askingWhetherAgain()
    send({ type: 'network.lost' })
    send({ type: 'again.confirm', attemptId: 'a1', at: now })
    expect(situation()).toEqual({ ...idle, value: 'editing', isOnline: false, problem: { kind: 'offline' } })
    expect(reserve.asked).toEqual([])
  })

  test('is looked at again when the person says so: a form that became wrong meanwhile goes back to the form', async () => {
    const withCoupon = { ...draft, coupon: 'zéro' }
    const { confirm, findOpenAttempt, reserve, send, situation } = createTestActor({}, { draft: withCoupon })
    await findOpenAttempt.answer(null)
    confirm('a1', [duplicate])
    expect(situation().value).toBe('askingWhetherAgain')
    send({ type: 'profile.changed', profile: { endedCoupon: 'zéro' } })
    send({ type: 'again.confirm', attemptId: 'a1', at: now })
    expect(situation()).toMatchObject({
      value: 'editing',
      duplicate: null,
      attempt: null,
      problems: [{ field: 'coupon', kind: 'couponEnded' }],
    })
    expect(reserve.asked).toEqual([])
  })

  test.each<[string, Partial<RecentTransfer>]>([
    ['another amount', { gross: { minor: 9_999, currency: 'EUR' } }],
    ['another number', { phone: '+224620000001' }],
    ['longer ago', { at: now - 600_001 }],
  ])('%s is another transfer', async (_, change) => {
    const { confirm, situation } = await reach.editing()
    confirm('a1', [{ ...duplicate, ...change }])
    expect(situation().value).toBe('reserving')
  })

  test('an attempt of this page is not its own duplicate, whatever else the device holds', async () => {
    const started = await reach.declined()
    started.confirm('a2', [duplicate, { ...duplicate, id: 'a1', isPaid: false }])
    expect(started.situation()).toMatchObject({ value: 'reserving', attempt: { id: 'a1' } })
  })

  test('nor once its wallet is another one: it is given up first', async () => {
    const started = await reach.declined()
    started.send({ type: 'draft.change', patch: { receivingMethod: 'orange_money' } })
    started.confirm('a2', [{ ...duplicate, id: 'a1', isPaid: false }])
    expect(started.situation().value).toBe('releasingFormerAttempt')
  })

  test('beside another one that is under way, that one is given up first', async () => {
    const started = await reach.declined()
    started.send({ type: 'draft.change', patch: { amount: '120' } })
    started.confirm('a2', [{ ...duplicate, gross: transferOf(otherDraft).gross }])
    expect(started.situation()).toMatchObject({ value: 'askingWhetherAgain', attempt: { id: 'a1' } })
    started.send({ type: 'again.confirm', attemptId: 'a3', at: now })
    expect(started.situation()).toMatchObject({
      value: 'releasingFormerAttempt',
      attempt: { id: 'a3' },
      formerAttemptId: 'a1',
    })
  })
})

describe('the same transfer as one that only the server knows of', () => {
  const refused = async () => {
    const started = await reach.reserving()
    await started.reserve.answer(err({ kind: 'sentAlready', duplicate }))
    return started
  }

  test('is asked about, and nothing is open meanwhile', async () => {
    const { situation } = await refused()
    expect(situation()).toEqual({ ...idle, value: 'askingWhetherAgain', duplicate })
    expect(isAttemptOver({ kind: 'sentAlready', duplicate })).toBe(true)
  })

  test('is sent when the person says so, as another attempt that names what was asked', async () => {
    const { reserve, send, situation } = await refused()
    send({ type: 'again.confirm', attemptId: 'a2', at: now })
    const second = { ...attempt, id: 'a2', again: duplicate.id }
    expect(situation()).toEqual({ ...idle, value: 'reserving', attempt: second })
    expect(reserve.asked).toEqual([
      { uid: 'u1', attempt },
      { uid: 'u1', attempt: second },
    ])
  })

  test('is asked about once, however often it takes to reserve it', async () => {
    const started = await refused()
    started.send({ type: 'again.confirm', attemptId: 'a2', at: now })
    await started.reserve.fail()
    started.confirm('a3')
    const second = { ...attempt, id: 'a2', again: duplicate.id }
    expect(started.reserve.asked.slice(1)).toEqual([
      { uid: 'u1', attempt: second },
      { uid: 'u1', attempt: second },
    ])
  })

  test('stays in the form when the person leaves it', async () => {
    const { reserve, send, situation } = await refused()
    send({ type: 'again.leave' })
    expect(situation()).toEqual({ ...idle, value: 'editing' })
    expect(reserve.asked).toHaveLength(1)
  })
})

describe('the price', () => {
  const hour = 3_600_000
  const end = now + hour
  const premium: Subscription = {
    ...EMPTY_SUBSCRIPTION,
    tier: 'premium',
    status: 'active',
    transactionsLeft: 1,
    lastReset: now,
  }
  const ending: Subscription = { ...premium, status: 'canceled', cancelAt: end }
  const free: CheckedTransfer = orderAt({ subscription: premium, now })
  const full: CheckedTransfer = orderAt({ subscription: EMPTY_SUBSCRIPTION, now })
  const dearer = { before: free, after: full }

  function orderAt(context: TransferContext): CheckedTransfer {
    const checked = checkTransfer(draft, context)
    if (!checked.ok) throw new Error('The form of this test is not valid')
    return checked.value
  }

  const withPlan = async (subscription: Subscription, form = draft) => {
    const started = createTestActor({}, { profile: { ...profile, subscription, ledger }, draft: form })
    await started.findOpenAttempt.answer(null)
    return started
  }
  const feesAsked = ({ reserve }: Started) =>
    reserve.asked.map((input) => input.attempt.order.quote.fee.minor)

  test('is that of the facts of the moment', async () => {
    const started = await withPlan(premium)
    started.confirm()
    expect(started.situation().attempt?.order).toEqual(free)
  })

  test('of a plan that ended while the form stood there is shown before anything is reserved, and then paid', async () => {
    const started = await withPlan(ending)
    const { reserve, send, situation } = started
    send({ type: 'form.confirm', attemptId: 'a1', at: end - 1, recent: [] })
    await reserve.fail()
    expect(feesAsked(started)).toEqual([0])

    send({ type: 'form.confirm', attemptId: 'a2', at: end, recent: [] })
    expect(situation()).toMatchObject({ value: 'editing', at: end, change: dearer, problem: null })
    expect(reserve.asked).toHaveLength(1)

    send({ type: 'form.confirm', attemptId: 'a2', at: end, recent: [] })
    expect(situation()).toMatchObject({ value: 'releasingFormerAttempt', change: null })
    await started.release.answer({ outcome: 'released' })
    expect(feesAsked(started)).toEqual([0, 300])
  })

  test('that time changes is shown when its time comes', async () => {
    const started = await withPlan(ending)
    started.send({ type: 'time.passed', at: end })
    expect(started.situation()).toMatchObject({ value: 'editing', change: dearer })
    started.send({ type: 'form.confirm', attemptId: 'a1', at: end, recent: [] })
    expect(feesAsked(started)).toEqual([300])
  })

  test('that was shown for a later moment is not taken back by a clock that lags', async () => {
    const started = await withPlan(ending)
    started.send({ type: 'time.passed', at: end })
    started.send({ type: 'form.confirm', attemptId: 'a1', at: end - 1, recent: [] })
    expect(feesAsked(started)).toEqual([300])
  })

  test('that changes elsewhere is shown, until it is again what the person saw', async () => {
    const { send, situation } = await withPlan(premium)
    send({ type: 'profile.changed', profile: { ledger: { ...ledger, reservedSlots: 1 } } })
    expect(situation()).toMatchObject({ value: 'editing', change: dearer })
    send({ type: 'profile.changed', profile: { ledger } })
    expect(situation().change).toBe(null)
  })

  test('that changes twice is told against what the person saw', async () => {
    const { send, situation } = await withPlan(premium)
    const basic = { ...premium, tier: 'basic' } as const
    send({ type: 'profile.changed', profile: { subscription: basic } })
    send({ type: 'profile.changed', profile: { subscription: EMPTY_SUBSCRIPTION } })
    expect(situation().change).toEqual(dearer)
  })

  test('that the person changes is no news', async () => {
    const { send, situation } = await withPlan(premium)
    send({ type: 'profile.changed', profile: { subscription: EMPTY_SUBSCRIPTION } })
    send({ type: 'draft.change', patch: { amount: '120' } })
    expect(situation().change).toBe(null)
  })

  test('of a form that is not complete is no news', async () => {
    const { send, situation } = await withPlan(premium, { ...draft, phoneConfirmed: false })
    send({ type: 'profile.changed', profile: { subscription: EMPTY_SUBSCRIPTION } })
    expect(situation().change).toBe(null)
  })

  test('of what is reserved stays', async () => {
    const { reserve, send, situation } = await withPlan(ending)
    send({ type: 'form.confirm', attemptId: 'a1', at: now, recent: [] })
    await reserve.answer(reserved())
    send({ type: 'time.passed', at: end })
    send({ type: 'profile.changed', profile: { subscription: EMPTY_SUBSCRIPTION } })
    expect(situation()).toMatchObject({ value: 'awaitingCard', change: null, attempt: { order: free } })
    // The form after it is priced by what was learnt meanwhile.
    expect(situation()).toMatchObject({
      at: end,
      profile: { ...profile, subscription: EMPTY_SUBSCRIPTION, ledger },
    })
  })

  test.each<[string, Partial<Subscription>, Partial<typeof ledger>]>([
    ['the plan was used', { transactionsLeft: 0 }, {}],
    ['the plan has ended', { status: 'canceled', cancelAt: now }, {}],
    ['a payment elsewhere holds the last transfer', {}, { reservedSlots: 1 }],
  ])('that the server refuses is shown and paid with the next press: %s', async (_, plan, month) => {
    const started = await withPlan(premium)
    const { confirm, reserve, situation } = started
    confirm()
    const facts = { at: now + 5, subscription: { ...premium, ...plan }, ledger: { ...ledger, ...month } }
    await reserve.answer(err({ kind: 'quoteChanged', facts }))
    expect(situation()).toMatchObject({
      value: 'editing',
      at: now + 5,
      attempt: null,
      problem: null,
      change: dearer,
      profile: { subscription: facts.subscription, ledger: facts.ledger },
    })
    confirm('a2')
    expect(situation()).toMatchObject({ value: 'reserving', attempt: { id: 'a2', order: full } })
    expect(feesAsked(started)).toEqual([0, 300])
  })

  test('may fall as well', async () => {
    const started = await withPlan(EMPTY_SUBSCRIPTION)
    started.confirm()
    await started.reserve.answer(
      err({ kind: 'quoteChanged', facts: { at: now, subscription: premium, ledger } }),
    )
    expect(started.situation().change).toEqual({ before: full, after: free })
  })

  test('that the newer facts do not explain is told in words', async () => {
    const { confirm, reserve, situation } = await withPlan(premium)
    const problem = {
      kind: 'quoteChanged',
      facts: { at: now, subscription: premium, ledger },
    } as const
    confirm()
    await reserve.answer(err(problem))
    expect(situation()).toMatchObject({ value: 'editing', problem, change: null })
  })

  test('does not rise by what its own attempt holds, and is known again once that is given back', async () => {
    const started = await withPlan(premium)
    const held = { ...ledger, reservedSlots: 1 }
    started.confirm()
    await started.reserve.answer(reserved())
    started.send({ type: 'profile.changed', profile: { ledger: held } })
    started.send({ type: 'payment.submit' })
    await started.confirmCard.answer(declined)
    started.confirm('a2')
    expect(started.reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', 'a1'])

    await started.reserve.answer(reserved())
    started.send({ type: 'payment.close' })
    await started.release.answer({ outcome: 'released' })
    expect(started.situation()).toMatchObject({ value: 'editing', change: null, profile: { ledger } })
    started.confirm('a3')
    expect(feesAsked(started)).toEqual([0, 0, 0])
  })

  test('with a coupon that has ended asks for the field, and keeps what was typed', async () => {
    const withCoupon = { ...draft, coupon: 'zéro' }
    const started = await withPlan(EMPTY_SUBSCRIPTION, withCoupon)
    started.confirm()
    await started.reserve.answer(err({ kind: 'couponEnded', coupon: 'zéro' }))
    expect(started.situation()).toMatchObject({
      value: 'editing',
      draft: withCoupon,
      attempt: null,
      problem: null,
      problems: [{ field: 'coupon', kind: 'couponEnded' }],
    })
    started.send({ type: 'draft.change', patch: { coupon: 'ZERO' } })
    started.confirm('a2')
    expect(started.situation()).toMatchObject({ value: 'editing', problems: [{ field: 'coupon' }] })
    started.send({ type: 'draft.change', patch: { coupon: '' } })
    started.confirm('a2')
    expect(feesAsked(started)).toEqual([0, 300])
  })

  test('that changes while the person is asked whether to send again leads back to the form', async () => {
    const { send, situation } = await withPlan(ending)
    send({ type: 'form.confirm', attemptId: 'a1', at: now, recent: [duplicate] })
    send({ type: 'again.confirm', attemptId: 'a1', at: end })
    expect(situation()).toMatchObject({ value: 'editing', duplicate: null, change: dearer, attempt: null })
  })

  test('on every path is the one that stood there when it was confirmed', async () => {
    const quoteChanged = (subscription: Subscription) =>
      err({ kind: 'quoteChanged', facts: { at: end, subscription, ledger } })
    const { untaken } = await walk({
      machine: transferMachine,
      input: { profile: { ...profile, subscription: ending, ledger }, isOnline: true, at: now, draft },
      events: (snapshot) => {
        const events: CheckoutEvent[] = [
          ...[now, end].flatMap((at): CheckoutEvent[] => [
            ...[[], [{ ...duplicate, at }]].map((recent) => ({
              type: 'form.confirm' as const,
              attemptId: `at ${at}`,
              at,
              recent,
            })),
            { type: 'again.confirm', attemptId: `at ${at}`, at },
            { type: 'time.passed', at },
          ]),
          { type: 'again.leave' },
          { type: 'payment.close' },
          { type: 'profile.changed', profile: { subscription: premium } },
        ]
        return events.filter((event) => snapshot.can(event))
      },
      answers: {
        findOpenAttempt: [null],
        reserve: [
          reserved(),
          quoteChanged(premium),
          quoteChanged(EMPTY_SUBSCRIPTION),
          err({ kind: 'sentAlready', duplicate }),
        ],
        release: [{ outcome: 'released' }],
      },
      blur: ({ problem, profile: payer, attempt: sent, formerAttemptId, change, ...context }) => ({
        ...context,
        isTold: problem?.kind,
        plan: payer.subscription,
        fee: sent?.order.quote.fee,
        isFormer: formerAttemptId !== null,
        isChanged: change !== null,
      }),
      invariant: ({ event, before, after, at }) => {
        const hasBegun = after.matches('reserving') || after.matches('releasingFormerAttempt')
        if (!hasBegun || !/^(form|again)\.confirm$/.test(event.type)) return
        const { draft: form, profile: payer, attempt: own, at: shownAt } = before.context
        const seen = checkTransfer(form, pricingOf(payer, own?.order ?? null, shownAt))
        expect(after.context.attempt?.order.quote.fee, at).toEqual(seen.ok && seen.value.quote.fee)
      },
    })
    expect(untaken.filter(isOfPrice)).toEqual([])
  })
})

/** What the walk of the price takes, and the other one leaves out. */
const isOfPrice = ({ guard }: { guard?: unknown }) =>
  guard === 'isPriceChanged' || (guard as { type?: string })?.type === 'isSentAlready'

const outcomes: [string, RecordAnswer, object][] = [
  ['paid', paid, receiptSituation],
  ['refunded', refunded, { ...idle, value: 'editing', problem: { kind: 'refunded' } }],
  ['disputed', disputed, { ...idle, value: 'editing', problem: { kind: 'disputed' } }],
  ['unpaid', unpaid, { ...idle, value: 'editing', attempt, problem: { kind: 'notCharged' } }],
  ['canceled', canceled, { ...idle, value: 'editing', problem: { kind: 'notCharged' } }],
  [
    'the bank waits',
    { outcome: 'unclear', status: 'requires_action' },
    { ...idle, value: 'editing', attempt, problem: { kind: 'bankUnfinished' } },
  ],
]

describe('recording', () => {
  test.each(outcomes)('%s', async (_, answer, situation) => {
    const started = await reach.recording()
    await started.record.answer(answer)
    expect(started.situation()).toEqual(situation)
  })

  test.each<[string, (started: Started) => Promise<void> | void]>([
    ['unclear', ({ record }) => record.answer(unclear)],
    ['no answer', ({ record }) => record.fail()],
    ['a late answer', ({ clock }) => void clock.increment(30_000)],
  ])('%s: never called failed, but checked', async (_, happen) => {
    const started = await reach.recording()
    await happen(started)
    expect(started.situation()).toEqual({
      ...idle,
      value: { checkingOutcome: 'waiting' },
      attempt,
      problem: statusUnclear,
    })
  })
})

describe('checking the outcome', () => {
  test('asks again, less and less often', async () => {
    const { clock, record, situation } = await reach.waiting()
    for (const seconds of [2, 4, 8, 16, 32, 60, 60]) {
      const before = record.asked.length
      clock.increment(seconds * 1000 - 1)
      expect(record.asked).toHaveLength(before)
      clock.increment(1)
      expect(record.asked).toHaveLength(before + 1)
      expect(situation().value).toEqual({ checkingOutcome: 'asking' })
      await record.answer(unclear)
    }
    expect(situation()).toEqual({
      ...idle,
      value: { checkingOutcome: 'waiting' },
      attempt,
      problem: statusUnclear,
      unclearAnswers: 7,
    })
  })

  test.each(outcomes)('until it is told: %s', async (_, answer, situation) => {
    const started = await reach.asking()
    await started.record.answer(answer)
    expect(started.situation()).toEqual(situation)
  })

  test.each<[string, (started: Started) => Promise<void> | void]>([
    ['no answer', ({ record }) => record.fail()],
    ['a late answer', ({ clock }) => void clock.increment(30_000)],
  ])('%s leaves it open', async (_, happen) => {
    const started = await reach.asking()
    await happen(started)
    expect(started.situation()).toMatchObject({ value: { checkingOutcome: 'waiting' }, unclearAnswers: 1 })
  })

  test('asks nobody while offline, and at once when the network is back', async () => {
    const { clock, record, send, situation } = await reach.waiting()
    send({ type: 'network.lost' })
    clock.increment(10 * 60_000)
    expect(record.asked).toHaveLength(1)
    send({ type: 'network.back' })
    expect(record.asked).toHaveLength(2)
    expect(situation()).toMatchObject({
      value: { checkingOutcome: 'asking' },
      isOnline: true,
      problem: statusUnclear,
    })
  })

  test('asks one question at a time', async () => {
    const { record, send } = await reach.asking()
    send({ type: 'outcome.ask' })
    send({ type: 'network.back' })
    expect(record.asked).toHaveLength(2)
  })

  test.each(['waiting', 'asking'] as const)('can be left while %s; the attempt stays open', async (state) => {
    const { confirm, record, reserve, send, situation } = await reach[state]()
    send({ type: 'outcome.leave' })
    expect(situation()).toEqual({ ...idle, value: 'editing', attempt, problem: { kind: 'stillChecking' } })
    await record.answer(unclear)
    expect(situation().value).toBe('editing')
    confirm('a2')
    expect(reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', 'a1'])
  })

  test('counts anew the next time', async () => {
    const { confirm, record, reserve, send, situation } = await reach.asking()
    await record.answer(unclear)
    expect(situation().unclearAnswers).toBe(1)
    send({ type: 'outcome.leave' })
    confirm('a2')
    await reserve.answer(reserved('processing'))
    expect(situation()).toMatchObject({ value: { checkingOutcome: 'waiting' }, unclearAnswers: 0 })
  })
})

test('every state accepts its own events and ignores the others, and tells when it is busy or paying', async () => {
  const events: CheckoutEvent[] = [
    { type: 'draft.change', patch: { amount: '5' } },
    { type: 'form.confirm', attemptId: 'a9', at: now, recent: [] },
    { type: 'again.confirm', attemptId: 'a9', at: now },
    { type: 'again.leave' },
    { type: 'payment.submit' },
    { type: 'payment.close' },
    { type: 'outcome.ask' },
    { type: 'outcome.leave' },
    { type: 'receipt.close' },
    { type: 'problem.dismiss' },
  ]
  const found: Record<string, { accepts: string[]; tags: string[] }> = {}
  for (const [state, start] of Object.entries(reach)) {
    const snapshot = (await start()).actor.getSnapshot()
    const accepts = events.filter((event) => snapshot.can(event)).map(({ type }) => type)
    found[state] = { accepts, tags: [...snapshot.tags].sort() }
    stop()
  }
  const editing = { accepts: ['draft.change', 'form.confirm', 'problem.dismiss'], tags: ['open'] }
  const busy = { accepts: [], tags: ['busy', 'paying'] }
  expect(found).toEqual({
    resuming: { accepts: ['draft.change'], tags: ['busy', 'open'] },
    editing,
    askingWhetherAgain: { accepts: ['again.confirm', 'again.leave'], tags: [] },
    declined: editing,
    reserving: busy,
    awaitingCard: { accepts: ['payment.submit', 'payment.close'], tags: ['paying'] },
    releasing: { accepts: ['draft.change'], tags: ['busy', 'open', 'paying'] },
    confirmingCard: busy,
    overdue: { accepts: ['outcome.ask'], tags: ['busy', 'paying'] },
    releasingFormerAttempt: busy,
    recording: busy,
    waiting: { accepts: ['outcome.ask', 'outcome.leave'], tags: ['paying'] },
    asking: { accepts: ['outcome.leave'], tags: ['busy', 'paying'] },
    receipt: { accepts: ['receipt.close'], tags: [] },
  })
})

test('every way to the receipt is the server’s word that the payment succeeded', () => {
  const edgesOf = ({ edges, children }: DirectedGraphNode): DirectedGraphEdge[] => [
    ...edges,
    ...children.flatMap(edgesOf),
  ]
  const toReceipt = edgesOf(toDirectedGraph(transferMachine)).filter(
    ({ source, target }) => target.key === 'receipt' && source !== target,
  )
  expect(toReceipt.map(({ source, transition: { guard } }) => [source.key, guard])).toEqual(
    ['releasingFormerAttempt', 'releasing', 'recording', 'asking'].map((state) => [
      state,
      { type: 'isPaid', params: expect.any(Function) },
    ]),
  )
})

describe('an actor that nobody provided', () => {
  const { actors } = transferMachine.implementations

  test.each<[keyof typeof actors, (started: Started) => Promise<void>, object]>([
    ['findOpenAttempt', async () => {}, { ...idle, value: 'editing' }],
    [
      'reserve',
      async (started) => {
        await started.findOpenAttempt.answer(null)
        started.confirm()
      },
      { ...idle, value: 'editing', attempt, problem: { kind: 'initFailed' } },
    ],
    [
      'confirmCard',
      async (started) => {
        await started.findOpenAttempt.answer(null)
        started.confirm()
        await started.reserve.answer(reserved())
        started.send({ type: 'payment.submit' })
      },
      { ...idle, value: { checkingOutcome: 'asking' }, attempt, problem: statusUnclear },
    ],
    [
      'record',
      (started) => started.findOpenAttempt.answer(attempt),
      { ...idle, value: { checkingOutcome: 'waiting' }, attempt, problem: statusUnclear },
    ],
    [
      'release',
      async (started) => {
        await started.findOpenAttempt.answer(null)
        started.confirm()
        await started.reserve.answer(reserved())
        started.send({ type: 'payment.close' })
      },
      { ...idle, value: 'editing', attempt },
    ],
  ])('%s: no success', async (name, happen, situation) => {
    const started = createTestActor({ [name]: actors[name] })
    await happen(started)
    await settle()
    expect(started.situation()).toEqual(situation)
  })
})

describe('whatever happens, in any order', () => {
  interface Step {
    readonly name: string
    readonly isTimely: (snapshot: Snapshot) => boolean
    readonly run: (started: Started) => Promise<void> | void
  }
  type Snapshot = ReturnType<Started['actor']['getSnapshot']>

  let confirmations = 0
  const event = (make: () => CheckoutEvent): Step => {
    const { type, ...rest } = make()
    return {
      name: `${type} ${JSON.stringify(rest)}`,
      isTimely: (snapshot) => snapshot.can(make()),
      run: ({ send }) => send(make()),
    }
  }
  const answer = (isTimely: Step['isTimely'], name: string, run: Step['run']): Step => ({
    name,
    isTimely,
    run,
  })
  const isFinding = (snapshot: Snapshot) => snapshot.matches('resuming')
  const isReserving = (snapshot: Snapshot) => snapshot.matches('reserving')
  const isConfirming = (snapshot: Snapshot) => snapshot.matches('confirmingCard')
  const isRecording = (snapshot: Snapshot) =>
    snapshot.matches('recording') || snapshot.matches({ checkingOutcome: 'asking' })
  const isReleasing = (snapshot: Snapshot) =>
    snapshot.matches('releasing') || snapshot.matches('releasingFormerAttempt')

  const steps: Step[] = [
    ...['100', '120', '9'].map((amount) =>
      event(() => ({ type: 'draft.change', patch: { ...draft, amount } })),
    ),
    event(() => {
      confirmations += 1
      const recent = confirmations % 3 === 0 ? [duplicate] : []
      return { type: 'form.confirm', attemptId: `fresh${confirmations}`, at: now, recent }
    }),
    event(() => {
      confirmations += 1
      return { type: 'again.confirm', attemptId: `fresh${confirmations}`, at: now }
    }),
    event(() => ({ type: 'again.leave' })),
    event(() => ({ type: 'payment.submit' })),
    event(() => ({ type: 'payment.close' })),
    event(() => ({ type: 'outcome.ask' })),
    event(() => ({ type: 'outcome.leave' })),
    event(() => ({ type: 'receipt.close' })),
    event(() => ({ type: 'network.lost' })),
    event(() => ({ type: 'network.back' })),
    answer(isRecording, 'half a minute passes', ({ clock }) => clock.increment(30_000)),
    answer(isConfirming, 'a minute passes', ({ clock }) => clock.increment(60_000)),
    answer(isFinding, 'no open attempt', ({ findOpenAttempt }) => findOpenAttempt.answer(null)),
    answer(isFinding, 'an open attempt', ({ findOpenAttempt }) => findOpenAttempt.answer(attempt)),
    ...['requires_payment_method', 'processing', 'succeeded'].map((status) =>
      answer(isReserving, `reserved: ${status}`, ({ reserve }) => reserve.answer(reserved(status))),
    ),
    answer(isReserving, 'reserve: refused', ({ reserve }) =>
      reserve.answer(err({ kind: 'quoteChanged', facts })),
    ),
    answer(isReserving, 'reserve: no answer', ({ reserve }) => reserve.fail()),
    ...[charged, declined, { kind: 'cardInvalid' } as const].map((card) =>
      answer(isConfirming, `card: ${card.kind}`, ({ confirmCard }) => confirmCard.answer(card)),
    ),
    answer(isConfirming, 'card: no answer', ({ confirmCard }) => confirmCard.fail()),
    ...[paid, unpaid, canceled, unclear, refunded, disputed].map((told) =>
      answer(isRecording, `record: ${told.outcome}`, ({ record }) => record.answer(told)),
    ),
    answer(isRecording, 'record: no answer', ({ record }) => record.fail()),
    ...[{ outcome: 'released' } as const, paid, unclear].map((told) =>
      answer(isReleasing, `release: ${told.outcome}`, ({ release }) => release.answer(told)),
    ),
    answer(isReleasing, 'release: no answer', ({ release }) => release.fail()),
  ]

  /** What leads to the card, and to a bank that is slow, is drawn more often: else a walk seldom gets there. */
  const LEADING = /^(form\.confirm|payment\.submit|reserved: requires_payment_method|a minute passes)/

  // Mostly what fits the moment; now and then anything, such as an answer that comes late.
  const choice = fc.record({ isAnything: fc.nat(9).map((die) => die === 0), index: fc.nat(999) })
  const pick = (snapshot: Snapshot, { isAnything, index }: { isAnything: boolean; index: number }) => {
    const timely = steps
      .filter(({ isTimely }) => isTimely(snapshot))
      .flatMap((step) => (LEADING.test(step.name) ? [step, step, step, step] : [step]))
    const pool = isAnything ? steps : timely
    return pool[index % pool.length]
  }

  test('only the server makes a receipt, an attempt never changes, and only a receipt empties the form', async () => {
    const reached = new Set<string>()
    const walk = fc.asyncProperty(fc.array(choice, { minLength: 10, maxLength: 60 }), async (choices) => {
      const started = createTestActor()
      const { actor, reserve, situation } = started
      const taken: string[] = []
      for (const each of choices) {
        const before = situation()
        const step = pick(actor.getSnapshot(), each)
        if (!step) continue
        taken.push(step.name)
        await step.run(started)
        const after = situation()
        const at = taken.join(' > ')
        reached.add(JSON.stringify(after.value))
        expect(actor.getSnapshot().status, at).toBe('active')
        expect(JSON.parse(JSON.stringify(after)), at).toStrictEqual(after)
        expect(after.value === 'receipt', at).toBe(after.receipt !== null)
        if (after.value === 'receipt' && before.value !== 'receipt')
          expect(step.name, at).toMatch(/^(record|release): paid$/)
        else if (!step.name.startsWith('draft.change')) expect(after.draft, at).toEqual(before.draft)
      }
      actor.stop()
      const transfers = new Map<string, unknown>()
      for (const { attempt: sent } of reserve.asked) {
        expect(transfers.get(sent.id) ?? sent.order, taken.join(' > ')).toEqual(sent.order)
        transfers.set(sent.id, sent.order)
      }
    })
    await fc.assert(walk, { numRuns: 300 })
    expect([...reached].sort()).toEqual([
      '"askingWhetherAgain"',
      '"awaitingCard"',
      '"editing"',
      '"receipt"',
      '"recording"',
      '"releasing"',
      '"releasingFormerAttempt"',
      '"reserving"',
      '"resuming"',
      '{"checkingOutcome":"asking"}',
      '{"checkingOutcome":"waiting"}',
      '{"confirmingCard":"expected"}',
      '{"confirmingCard":"overdue"}',
    ])
  })
})

describe('a form that the device kept', () => {
  const kept = { ...draft, phoneConfirmed: true }
  const restored = { ...draft, phoneConfirmed: false }

  test.each(['resuming', 'editing'])(
    'comes back to an empty form in %s, to be confirmed anew',
    async (value) => {
      const { findOpenAttempt, reserve, send, situation } = createTestActor({}, { draft: EMPTY_DRAFT })
      if (value === 'editing') await findOpenAttempt.answer(null)
      send({ type: 'draft.restore', draft: kept })
      expect(situation()).toEqual({ ...idle, value, draft: restored, origin: 'kept' })
      expect(reserve.asked).toEqual([])
    },
  )

  test('leaves alone what was typed before it came', async () => {
    const started = await reach.editing()
    started.send({ type: 'draft.restore', draft: { ...kept, amount: '499' } })
    expect(started.situation()).toEqual({ ...idle, value: 'editing' })
  })

  describe('beside an open attempt', () => {
    const newer = { ...kept, amount: '120' }
    const restoredNewer = { ...restored, amount: '120' }
    const resumed = async () => {
      const started = createTestActor({}, { draft: EMPTY_DRAFT })
      await started.findOpenAttempt.answer(attempt)
      return started
    }

    test.each<[string, (started: Started) => Promise<void> | void]>([
      ['is asked about', () => {}],
      ['is unclear', ({ record }) => record.answer(unclear)],
      ['is asked about no more', ({ record }) => record.answer(unpaid)],
      ['is over', ({ record }) => record.answer(canceled)],
      ['was paid', ({ record }) => record.answer(paid)],
    ])('takes the place of the form of an attempt that %s, however late it comes', async (_, happen) => {
      const started = await resumed()
      await happen(started)
      const before = started.situation()
      started.send({ type: 'draft.restore', draft: newer })
      expect(started.situation()).toEqual({ ...before, draft: restoredNewer, origin: 'kept' })
    })

    test.each(['before', 'after'])('stays when it comes %s an attempt that was paid', async (when) => {
      const { findOpenAttempt, record, send, situation } = createTestActor({}, { draft: EMPTY_DRAFT })
      const restore = () => send({ type: 'draft.restore', draft: newer })
      if (when === 'before') restore()
      await findOpenAttempt.answer(attempt)
      if (when === 'after') restore()
      await record.answer(paid)
      expect(situation()).toEqual({ ...receiptSituation, draft: restoredNewer, origin: 'kept' })
    })

    test.each(['before', 'after'])(
      'is not said to be unsent when it comes %s the attempt that it was sent with',
      async (when) => {
        const { findOpenAttempt, record, send, situation } = createTestActor({}, { draft: EMPTY_DRAFT })
        const restore = () => send({ type: 'draft.restore', draft: kept })
        if (when === 'before') restore()
        await findOpenAttempt.answer(attempt)
        if (when === 'after') restore()
        expect(situation()).toEqual({
          ...idle,
          value: 'recording',
          draft: restored,
          origin: 'attempt',
          attempt,
        })
        await record.answer(paid)
        expect(situation()).toEqual(receiptSituation)
      },
    )

    test('leaves alone what was typed over the form of the attempt', async () => {
      const started = await resumed()
      await started.record.answer(unclear)
      started.send({ type: 'outcome.leave' })
      started.send({ type: 'draft.change', patch: { amount: '9' } })
      const before = started.situation()
      started.send({ type: 'draft.restore', draft: newer })
      expect(started.situation()).toEqual(before)
    })

    test.each(['reserving', 'awaitingCard', 'recording', 'waiting', 'declined'] as const)(
      'leaves alone what was confirmed here: %s',
      async (state) => {
        const started = await reach[state]()
        const before = started.situation()
        started.send({ type: 'draft.restore', draft: newer })
        expect(started.situation()).toEqual(before)
      },
    )
  })

  test.each<[string, CheckoutEvent, Partial<CheckoutContext>]>([
    [
      'is theirs once they change it',
      { type: 'draft.change', patch: { amount: '20' } },
      { draft: { ...restored, amount: '20' } },
    ],
    ['goes when they say so', { type: 'draft.clear' }, { draft: EMPTY_DRAFT }],
  ])('%s', async (_, event, change) => {
    const { findOpenAttempt, send, situation } = createTestActor({}, { draft: EMPTY_DRAFT })
    await findOpenAttempt.answer(null)
    send({ type: 'draft.restore', draft: kept })
    send(event)
    expect(situation()).toEqual({ ...idle, value: 'editing', ...change })
  })
})

test('on every path each attempt is one transfer, and only the server makes a receipt', async () => {
  const bankWaits: RecordAnswer = { outcome: 'unclear', status: 'requires_action' }
  const answers = [paid, unpaid, canceled, bankWaits, unclear, refunded, disputed]
  const { untaken } = await walk({
    machine: transferMachine,
    input: { profile, isOnline: true, at: now, draft: EMPTY_DRAFT },
    events: (snapshot) => {
      const { amount } = snapshot.context.draft
      const events: CheckoutEvent[] = [
        ...[draft, otherDraft, { ...draft, amount: '9' }].map((patch) => ({
          type: 'draft.change' as const,
          patch,
        })),
        { type: 'draft.restore', draft: otherDraft },
        { type: 'draft.clear' },
        ...[[], [duplicate]].map((recent) => ({
          type: 'form.confirm' as const,
          attemptId: `for ${amount}`,
          at: now,
          recent,
        })),
        { type: 'again.confirm', attemptId: `for ${amount}`, at: now },
        { type: 'again.leave' },
        { type: 'payment.submit' },
        { type: 'payment.close' },
        { type: 'outcome.ask' },
        { type: 'outcome.leave' },
        { type: 'receipt.close' },
        { type: 'problem.dismiss' },
        { type: 'profile.changed', profile },
        { type: 'time.passed', at: now },
        { type: 'network.lost' },
        { type: 'network.back' },
      ]
      return events.filter((event) => snapshot.can(event))
    },
    answers: {
      findOpenAttempt: [null, attempt],
      reserve: [
        reserved(),
        reserved('processing'),
        reserved('succeeded'),
        err({ kind: 'quoteChanged', facts }),
        err({ kind: 'initFailed' }),
      ],
      confirmCard: [charged, { kind: 'answered', status: 'processing' }, { kind: 'cardInvalid' }, declined],
      record: answers,
      release: [{ outcome: 'released' }, ...answers],
    },
    blur: ({ unclearAnswers, problem, problems, receipt, ...context }) => ({
      ...context,
      isTold: [problem?.kind, problems.length > 0, receipt !== null],
    }),
    invariant: ({ event, before, after, asked, at }) => {
      const isReceipt = after.matches('receipt')
      expect(after.context.receipt !== null, at).toBe(isReceipt)
      if (isReceipt && !before.matches('receipt')) expect(event.output, at).toEqual(paid)
      if (!isReceipt && !before.matches('resuming') && !event.type.startsWith('draft.'))
        expect(after.context.draft, at).toEqual(before.context.draft)
      const transfers = new Map<string, unknown>()
      for (const { src, input } of asked as { src: string; input: { attempt: Attempt } }[]) {
        if (src !== 'reserve') continue
        const { id, order } = input.attempt
        expect(transfers.get(id) ?? order, at).toEqual(order)
        transfers.set(id, order)
      }
    },
  })
  expect(untaken.filter((one) => !isOfPrice(one))).toEqual([])
})
