import { afterEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/plans.ts'
import { err } from '../domain/result.ts'
import type { RefusalOf } from './checkoutTypes.ts'
import {
  attempt,
  attemptInput,
  type CheckoutEvent,
  charged,
  createTestActor,
  declined,
  draft,
  facts,
  idle,
  now,
  otherDraft,
  paid,
  payment,
  reach,
  receiptSituation,
  refunded,
  reserved,
  type Started,
  statusUnclear,
  stop,
  transaction,
  transferOf,
  unclear,
  unpaid,
} from './testing/transferSituations.ts'
import { type TransferAttempt as Attempt, isAttemptOver, type TransferParts } from './transfer.ts'

afterEach(stop)

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
    clock.increment(15 * MINUTE)
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
    clock.increment(20 * MINUTE)
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

  test('a cent more is another attempt, also where it arrives as the same amount at the same fee', async () => {
    const toFrance = {
      currency: 'CAD',
      country: 'FR',
      phone: '+33 6 12 34 56 78',
      receivingMethod: 'wero',
    } as const
    const [less, more] = [
      { ...draft, ...toFrance, amount: '17,02' },
      { ...draft, ...toFrance, amount: '17,03' },
    ]
    const { fee, converted } = transferOf(less).quote
    expect(transferOf(more).quote).toMatchObject({ fee, converted })
    const { confirm, findOpenAttempt, reserve, send, situation } = createTestActor({}, { draft: less })
    await findOpenAttempt.answer(null)
    confirm()
    await reserve.fail()
    send({ type: 'draft.change', patch: { amount: more.amount } })
    confirm('a2')
    expect(situation()).toMatchObject({ value: 'releasingFormerAttempt', attempt: { id: 'a2' } })
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
