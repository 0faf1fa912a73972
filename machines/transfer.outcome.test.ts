import { afterEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/common/duration.ts'
import { err } from '../domain/common/result.ts'
import {
  arrange,
  attempt,
  buildReserveAnswer,
  canceledAnswer,
  declinedAnswer,
  disputedAnswer,
  draft,
  initialContext,
  paidAnswer,
  receiptSituation,
  refundedAnswer,
  type StartedActor,
  statusUnclearProblem,
  stopTestActor,
  type TransferRecordAnswer,
  unclearAnswer,
  unpaidAnswer,
} from './testing/transferSituations.ts'

afterEach(stopTestActor)

const outcomes: [string, TransferRecordAnswer, object][] = [
  ['paid', paidAnswer, receiptSituation],
  [
    'refunded',
    refundedAnswer,
    { ...initialContext, value: 'editing', chargedDraft: draft, problem: { kind: 'refunded' } },
  ],
  [
    'disputed',
    disputedAnswer,
    { ...initialContext, value: 'editing', chargedDraft: draft, problem: { kind: 'disputed' } },
  ],
  ['unpaid', unpaidAnswer, { ...initialContext, value: 'editing', attempt, problem: { kind: 'notCharged' } }],
  ['canceled', canceledAnswer, { ...initialContext, value: 'editing', problem: { kind: 'notCharged' } }],
  [
    'waiting for the bank',
    { outcome: 'unclear', status: 'requires_action' },
    { ...initialContext, value: 'editing', attempt, problem: { kind: 'bankUnfinished' } },
  ],
]

describe('recording a transfer', () => {
  test.each(outcomes)('recording a transfer shows its outcome: %s', async (_, answer, situation) => {
    const started = await arrange.recording()
    await started.record.answer(answer)
    expect(started.situation()).toEqual(situation)
  })

  test.each<[string, (started: StartedActor) => Promise<void> | void]>([
    ['unclear', ({ record }) => record.answer(unclearAnswer)],
    ['no answer', ({ record }) => record.fail()],
    ['a late answer', ({ clock }) => void clock.increment(30_000)],
  ])('an unclear answer to recording leads to checking the outcome: %s', async (_, happen) => {
    const started = await arrange.recording()
    await happen(started)
    expect(started.situation()).toEqual({
      ...initialContext,
      value: { checkingOutcome: 'waiting' },
      attempt,
      problem: statusUnclearProblem,
    })
  })
})

describe('checking the outcome of a transfer', () => {
  test('checking the outcome of a transfer repeats the request at growing intervals', async () => {
    const { clock, record, situation } = await arrange.waiting()
    for (const seconds of [2, 4, 8, 16, 32, 60, 60]) {
      const before = record.asked.length
      clock.increment(seconds * 1000 - 1)
      expect(record.asked).toHaveLength(before)
      clock.increment(1)
      expect(record.asked).toHaveLength(before + 1)
      expect(situation().value).toEqual({ checkingOutcome: 'asking' })
      await record.answer(unclearAnswer)
    }
    expect(situation()).toEqual({
      ...initialContext,
      value: { checkingOutcome: 'waiting' },
      attempt,
      problem: statusUnclearProblem,
      unclearAnswers: 7,
    })
  })

  test.each(outcomes)(
    'checking the outcome of a transfer ends with the answer: %s',
    async (_, answer, situation) => {
      const started = await arrange.asking()
      await started.record.answer(answer)
      expect(started.situation()).toEqual(situation)
    },
  )

  test.each<[string, (started: StartedActor) => Promise<void> | void]>([
    ['no answer', ({ record }) => record.fail()],
    ['a late answer', ({ clock }) => void clock.increment(30_000)],
  ])('the outcome of a transfer stays unclear after %s', async (_, happen) => {
    const started = await arrange.asking()
    await happen(started)
    expect(started.situation()).toMatchObject({ value: { checkingOutcome: 'waiting' }, unclearAnswers: 1 })
  })

  test('an outcome is checked again only when the network is back', async () => {
    const { clock, record, send, situation } = await arrange.waiting()
    send({ type: 'network.lost' })
    clock.increment(10 * MINUTE)
    expect(record.asked).toHaveLength(1)
    send({ type: 'network.restored' })
    expect(record.asked).toHaveLength(2)
    expect(situation()).toMatchObject({
      value: { checkingOutcome: 'asking' },
      isOnline: true,
      problem: statusUnclearProblem,
    })
  })

  test('checking the outcome of a transfer sends one request at a time', async () => {
    const { record, send } = await arrange.asking()
    send({ type: 'outcome.check' })
    send({ type: 'network.restored' })
    expect(record.asked).toHaveLength(2)
  })

  test.each(['waiting', 'asking'] as const)(
    'an outcome check left while %s keeps the attempt open',
    async (state) => {
      const { confirm, record, reserve, send, situation } = await arrange[state]()
      send({ type: 'outcome.leave' })
      expect(situation()).toEqual({
        ...initialContext,
        value: 'editing',
        attempt,
        unclearAttemptId: 'a1',
        problem: { kind: 'stillChecking' },
      })
      await record.answer(unclearAnswer)
      expect(situation().value).toBe('editing')
      confirm('a2')
      expect(reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', 'a1'])
    },
  )

  describe('an attempt left with an open outcome', () => {
    const leaveOutcome = async () => {
      const started = await arrange.waiting()
      started.send({ type: 'outcome.leave' })
      return started
    }
    test.each<[string, (started: StartedActor) => void | Promise<void>]>([
      ['no answer', ({ reserve }) => reserve.fail()],
      ['no answer within 30 seconds', ({ clock }) => clock.increment(30_000)],
      ['a refusal for another reason', ({ reserve }) => reserve.answer(err({ kind: 'sessionExpired' }))],
    ])('a left attempt is not reported as unpaid after %s', async (_, happen) => {
      const started = await leaveOutcome()
      started.confirm('a2')
      await happen(started)
      expect(started.situation()).toMatchObject({
        value: 'editing',
        attempt,
        problem: { kind: 'stillChecking' },
      })
    })

    test('checking a left attempt again blocks confirming a payment', async () => {
      const { confirm, record, reserve, send, situation } = await leaveOutcome()
      send({ type: 'outcome.check' })
      expect(situation()).toMatchObject({
        value: { checkingOutcome: 'asking' },
        attempt,
        problem: statusUnclearProblem,
      })
      confirm('a2')
      expect(reserve.asked).toHaveLength(1)
      await record.answer(paidAnswer)
      expect(situation().value).toBe('receipt')
    })

    test('the open outcome’s message survives the number, not another amount', async () => {
      const { send, situation } = await leaveOutcome()
      send({ type: 'draft.change', patch: { phoneConfirmed: false } })
      send({ type: 'draft.change', patch: { phoneConfirmed: true } })
      expect(situation().problem).toEqual({ kind: 'stillChecking' })
      send({ type: 'draft.change', patch: { amount: '120' } })
      expect(situation().problem).toBeNull()
    })

    test('the user can’t check the outcome of a payment that was declined', async () => {
      const { send, situation } = await arrange.declined()
      send({ type: 'outcome.check' })
      expect(situation().value).toBe('editing')
    })

    test('confirming offline shows the open outcome for the same amount only', async () => {
      const { confirm, send, situation } = await leaveOutcome()
      send({ type: 'network.lost' })
      confirm('a2')
      expect(situation()).toMatchObject({ value: 'editing', attempt, problem: { kind: 'stillChecking' } })
      send({ type: 'draft.change', patch: { amount: '120' } })
      confirm('a3')
      expect(situation().problem).toEqual({ kind: 'offline' })
    })

    test('a left attempt is unpaid once the server has ended it', async () => {
      const { confirm, reserve, situation } = await leaveOutcome()
      confirm('a2')
      await reserve.answer(err({ kind: 'attemptEnded' }))
      expect(situation()).toMatchObject({ attempt: null, problem: { kind: 'attemptEnded' } })
    })

    test('a left attempt is unpaid once the server asks for a card', async () => {
      const { confirm, confirmCard, reserve, send, situation } = await leaveOutcome()
      confirm('a2')
      await reserve.answer(buildReserveAnswer())
      send({ type: 'payment.submit' })
      await confirmCard.answer(declinedAnswer)
      confirm('a3')
      await reserve.fail()
      expect(situation().problem).toEqual({ kind: 'initFailed' })
    })
  })

  test('the next check of an outcome starts again with the shortest interval', async () => {
    const { confirm, record, reserve, send, situation } = await arrange.asking()
    await record.answer(unclearAnswer)
    expect(situation().unclearAnswers).toBe(1)
    send({ type: 'outcome.leave' })
    confirm('a2')
    await reserve.answer(buildReserveAnswer('processing'))
    expect(situation()).toMatchObject({ value: { checkingOutcome: 'waiting' }, unclearAnswers: 0 })
  })
})
