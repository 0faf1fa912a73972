import { afterEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/common/duration.ts'
import { err } from '../domain/common/result.ts'
import { money } from '../domain/money/money.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'
import type { PartsRefusal } from './checkoutTypes.ts'
import {
  arrange,
  attempt,
  attemptInput,
  buildReserveAnswer,
  chargedAnswer,
  checkValidTransfer,
  createTestActor,
  declinedAnswer,
  draft,
  initialContext,
  now,
  otherDraft,
  paidAnswer,
  payment,
  receiptSituation,
  refundedAnswer,
  type StartedActor,
  serverFacts,
  statusUnclearProblem,
  stopTestActor,
  type TransferCheckoutEvent,
  transaction,
  unclearAnswer,
  unpaidAnswer,
} from './testing/transferSituations.ts'
import { isTransferAttemptOver, type TransferParts } from './transfer.ts'

afterEach(stopTestActor)

const refusalWithoutCode = {
  ...{ kind: 'function' as const, status: 400, error: 'No', message: '' },
  ...{ code: '' as const, details: {} },
}

describe('reserving the amount', () => {
  const problems: [PartsRefusal<TransferParts>, isOver: boolean][] = [
    [{ kind: 'monthlyCapExceeded', leftCents: 2_000, resetsAt: now }, true],
    [{ kind: 'identityRequired', limitCents: 25_000, document: 'none' }, true],
    [{ kind: 'capReached', message: 'Plafond mensuel atteint.' }, true],
    [{ kind: 'quoteChanged', facts: serverFacts }, true],
    [
      {
        ...{ kind: 'walletLimitExceeded', wallet: 'mtn_money' },
        ...{ limit: money(4_000_000, 'GNF'), fits: money(38_902, 'EUR') },
      },
      true,
    ],
    [{ kind: 'walletMissing' }, true],
    [{ kind: 'attemptEnded' }, true],
    [{ kind: 'attemptConflict' }, true],
    [{ kind: 'capUnavailable' }, false],
    [{ kind: 'userNotFound' }, false],
    [{ kind: 'nameRequired' }, false],
    [{ kind: 'sessionExpired' }, false],
    [{ kind: 'emailUnverified' }, false],
    [{ kind: 'paymentsPaused' }, false],
    [{ kind: 'tooManyDeclines', retryAfterSeconds: 3600 }, false],
    [{ kind: 'paymentsClosed' }, false],
    [{ kind: 'initFailed' }, false],
    [{ kind: 'tooManyRequests', retryAfterSeconds: 60 }, false],
    [{ kind: 'refused', failure: refusalWithoutCode }, false],
  ]
  test.each(problems)(
    'a refused reservation shows $kind, and a permanent one ends the attempt',
    async (problem, isOver) => {
      const { confirm, reserve, situation } = await arrange.reserving()
      await reserve.answer(err(problem))
      expect(situation()).toEqual({
        ...initialContext,
        value: 'editing',
        problem,
        attempt: isOver ? null : attempt,
      })
      expect(isTransferAttemptOver(problem)).toBe(isOver)
      confirm('a2')
      expect(reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', isOver ? 'a2' : 'a1'])
    },
  )

  test.each([
    ['no answer', ({ reserve }: StartedActor) => reserve.fail()],
    ['no answer within 30 seconds', async ({ clock }: StartedActor) => clock.increment(30_000)],
  ])('a reservation is repeated with the same attempt after %s', async (_, happen) => {
    const started = await arrange.reserving()
    await happen(started)
    expect(started.situation()).toEqual({
      ...initialContext,
      value: 'editing',
      problem: { kind: 'initFailed' },
      attempt,
    })
    started.confirm('a2')
    expect(started.reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', 'a1'])
  })

  test('an answer to a reservation is ignored after 30 seconds', async () => {
    const { clock, reserve, situation } = await arrange.reserving()
    clock.increment(30_000)
    await reserve.answer(buildReserveAnswer())
    expect(situation().value).toBe('editing')
  })

  test.each<[status: string, value: unknown]>([
    ['requires_payment_method', 'awaitingCard'],
    ['requires_action', 'awaitingCard'],
    ['succeeded', 'recording'],
    ['processing', { checkingOutcome: 'waiting' }],
  ])('reserving an attempt again continues a payment that has the status %s', async (status, value) => {
    const { reserve, situation } = await arrange.reserving()
    await reserve.answer(buildReserveAnswer(status))
    expect(situation().value).toEqual(value)
  })

  test('confirming the form twice reserves the amount once', async () => {
    const { confirm, reserve } = await arrange.reserving()
    confirm('a2')
    await reserve.answer(buildReserveAnswer())
    confirm('a3')
    expect(reserve.asked).toEqual([{ uid: 'u1', attempt }])
  })
})

describe('the payment form', () => {
  test('the payment form does not submit while offline', async () => {
    const { confirmCard, send, situation } = await arrange.awaitingCard()
    send({ type: 'network.lost' })
    send({ type: 'payment.submit' })
    expect(situation()).toEqual({
      ...initialContext,
      value: 'awaitingCard',
      isOnline: false,
      attempt,
      payment,
      problem: { kind: 'offline' },
    })
    expect(confirmCard.asked).toEqual([])
    send({ type: 'network.restored' })
    send({ type: 'payment.submit' })
    expect(situation()).toEqual({
      ...initialContext,
      value: { confirmingCard: 'expected' },
      attempt,
      payment,
    })
  })

  test('the payment form submits once for a double tap', async () => {
    const { confirmCard, send } = await arrange.confirmingCard()
    send({ type: 'payment.submit' })
    expect(confirmCard.asked).toEqual([{ clientSecret: 'pi_1_secret' }])
  })

  test.each<[string, (started: StartedActor) => Promise<void> | void, object]>([
    [
      'released',
      ({ release }) => release.answer({ outcome: 'released' }),
      { ...initialContext, value: 'editing' },
    ],
    ['paid after all', ({ release }) => release.answer(paidAnswer), receiptSituation],
    [
      'refunded',
      ({ release }) => release.answer(refundedAnswer),
      { ...initialContext, value: 'editing', chargedDraft: draft, problem: { kind: 'refunded' } },
    ],
    [
      'unclear',
      ({ release }) => release.answer(unclearAnswer),
      { ...initialContext, value: { checkingOutcome: 'waiting' }, attempt, problem: statusUnclearProblem },
    ],
    [
      'still unpaid',
      ({ release }) => release.answer(unpaidAnswer),
      { ...initialContext, value: 'editing', attempt, problem: { kind: 'notCharged' } },
    ],
    ['no answer', ({ release }) => release.fail(), { ...initialContext, value: 'editing', attempt }],
    [
      'a late answer',
      ({ clock }) => void clock.increment(30_000),
      { ...initialContext, value: 'editing', attempt },
    ],
  ])(
    'closing the payment form releases the attempt, and shows the answer: %s',
    async (_, happen, situation) => {
      const started = await arrange.releasing()
      expect(started.situation()).toEqual({ ...initialContext, value: 'releasing', attempt })
      expect(started.release.asked).toEqual([attemptInput])
      await happen(started)
      expect(started.situation()).toEqual(situation)
    },
  )
})

describe('confirming the card', () => {
  test.each<[string, (started: StartedActor) => Promise<void>, object]>([
    [
      'succeeded',
      (s) => s.confirmCard.answer(chargedAnswer),
      { ...initialContext, value: 'recording', attempt, payment },
    ],
    [
      'wrong card fields',
      (s) => s.confirmCard.answer({ kind: 'cardInvalid' }),
      { ...initialContext, value: 'awaitingCard', attempt, payment, problem: { kind: 'cardInvalid' } },
    ],
    [
      'declined',
      (s) => s.confirmCard.answer(declinedAnswer),
      {
        ...initialContext,
        value: 'editing',
        attempt,
        problem: { kind: 'failed', reason: 'insufficient_funds', message: 'Not enough' },
      },
    ],
    ...(['processing', 'requires_action', 'requires_payment_method'].map((status) => [
      status,
      (s: StartedActor) => s.confirmCard.answer({ kind: 'answered', status }),
      { ...initialContext, value: { checkingOutcome: 'asking' }, attempt, problem: statusUnclearProblem },
    ]) as [string, (started: StartedActor) => Promise<void>, object][]),
    [
      'no answer',
      (s) => s.confirmCard.fail(),
      { ...initialContext, value: { checkingOutcome: 'asking' }, attempt, problem: statusUnclearProblem },
    ],
  ])('confirming the card leads to the state that the answer requires: %s', async (_, happen, situation) => {
    const started = await arrange.confirmingCard()
    await happen(started)
    expect(started.situation()).toEqual(situation)
  })

  test('confirming the card still waits for the bank after 15 minutes', async () => {
    const { clock, situation } = await arrange.confirmingCard()
    clock.increment(15 * MINUTE)
    expect(situation().value).toEqual({ confirmingCard: 'overdue' })
  })

  test('the user can leave after 45 seconds, and the server is asked', async () => {
    const { clock, confirmCard, record, send, situation } = await arrange.confirmingCard()
    send({ type: 'outcome.check' })
    clock.increment(44_999)
    expect(situation()).toEqual({
      ...initialContext,
      value: { confirmingCard: 'expected' },
      attempt,
      payment,
    })
    clock.increment(1)
    expect(situation()).toEqual({ ...initialContext, value: { confirmingCard: 'overdue' }, attempt, payment })
    send({ type: 'outcome.check' })
    const asking = {
      ...initialContext,
      value: { checkingOutcome: 'asking' },
      attempt,
      problem: statusUnclearProblem,
    }
    expect(situation()).toEqual(asking)
    expect(record.asked).toEqual([attemptInput])
    // Now only the server's answer counts.
    await confirmCard.answer(declinedAnswer)
    expect(situation()).toEqual(asking)
  })

  test('confirming the card accepts the bank’s answer however late it is', async () => {
    const { confirmCard, situation } = await arrange.overdue()
    await confirmCard.answer(chargedAnswer)
    expect(situation().value).toBe('recording')
  })

  test('confirming the card asks the server after 20 minutes without an answer', async () => {
    const { clock, situation } = await arrange.confirmingCard()
    clock.increment(20 * MINUTE)
    expect(situation().value).toEqual({ checkingOutcome: 'asking' })
  })
})

describe('after a declined card', () => {
  test('a retry after a declined card reuses the same transfer’s attempt', async () => {
    const { confirm, release, reserve, situation } = await arrange.declined()
    confirm('a2')
    expect(situation()).toEqual({ ...initialContext, value: 'reserving', attempt })
    expect(reserve.asked).toEqual([
      { uid: 'u1', attempt },
      { uid: 'u1', attempt },
    ])
    expect(release.asked).toEqual([])
  })

  test('a retry reuses the attempt if the transfer is typed differently', async () => {
    const { confirm, reserve, send } = await arrange.declined()
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
  test.each<[string, TransferCheckoutEvent]>([
    ['amount', { type: 'draft.change', patch: { amount: '100.01' } }],
    ['currency', { type: 'draft.change', patch: { currency: 'CAD' } }],
    ['recipient', { type: 'draft.change', patch: { phone: '+224620000001' } }],
    ['wallet', { type: 'draft.change', patch: { receivingMethod: 'mtn_money' } }],
    ['coupon', { type: 'draft.change', patch: { coupon: 'SUMMER' } }],
    ['price', { type: 'profile.changed', profile: { uid: 'u1', subscription: premium } }],
  ])('a retry makes another attempt if the %s has changed', async (_, change) => {
    const { confirm, send, situation } = await arrange.declined()
    send(change)
    confirm('a2')
    expect(situation()).toMatchObject({
      value: 'releasingFormerAttempt',
      attempt: { id: 'a2' },
      formerAttemptId: 'a1',
    })
  })

  test('one cent more makes another attempt, even at the same price', async () => {
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
    const { fee, converted } = checkValidTransfer(less).quote
    expect(checkValidTransfer(more).quote).toMatchObject({ fee, converted })
    const { confirm, findOpenAttempt, reserve, send, situation } = createTestActor({}, { draft: less })
    await findOpenAttempt.answer(null)
    confirm()
    await reserve.fail()
    send({ type: 'draft.change', patch: { amount: more.amount } })
    confirm('a2')
    expect(situation()).toMatchObject({ value: 'releasingFormerAttempt', attempt: { id: 'a2' } })
  })

  test.each<[string, (started: StartedActor) => Promise<void> | void]>([
    ['released', ({ release }) => release.answer({ outcome: 'released' })],
    ['unclear', ({ release }) => release.answer(unclearAnswer)],
    ['no answer', ({ release }) => release.fail()],
    ['a late answer', ({ clock }) => void clock.increment(30_000)],
  ])('another transfer is reserved after releasing the former one: %s', async (_, happen) => {
    const started = await arrange.releasingFormerAttempt()
    const { release, reserve, situation } = started
    const other = { id: 'a2', draft: otherDraft, order: checkValidTransfer(otherDraft), again: null }
    const before = { ...initialContext, draft: otherDraft, attempt: other, formerAttemptId: 'a1' }
    expect(situation()).toEqual({ ...before, value: 'releasingFormerAttempt' })
    expect(release.asked).toEqual([attemptInput])
    expect(reserve.asked).toHaveLength(1)
    await happen(started)
    expect(situation()).toEqual({ ...before, value: 'reserving', formerAttemptId: null })
    expect(reserve.asked[1]).toEqual({ uid: 'u1', attempt: other })
  })

  test('a former attempt that was paid shows its receipt, keeping the form', async () => {
    const { release, reserve, send, situation } = await arrange.releasingFormerAttempt()
    await release.answer(paidAnswer)
    expect(situation()).toEqual({
      ...initialContext,
      value: 'receipt',
      draft: otherDraft,
      receipt: transaction,
    })
    send({ type: 'receipt.close' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing', draft: otherDraft })
    expect(reserve.asked).toHaveLength(1)
  })

  test('a declined card’s attempt is kept while the form is invalid', async () => {
    const { confirm, send, situation } = await arrange.declined()
    send({ type: 'draft.change', patch: { amount: '501' } })
    confirm('a2')
    expect(situation().value).toBe('editing')
    expect(situation().attempt).toEqual(attempt)
  })
})
