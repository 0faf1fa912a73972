import { afterEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { err } from '../domain/result.ts'
import {
  attempt,
  canceled,
  declined,
  disputed,
  idle,
  paid,
  type RecordAnswer,
  reach,
  receiptSituation,
  refunded,
  reserved,
  type Started,
  statusUnclear,
  stop,
  unclear,
  unpaid,
} from './testing/transferSituations.ts'

afterEach(stop)

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
    clock.increment(10 * MINUTE)
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
    expect(situation()).toEqual({
      ...idle,
      value: 'editing',
      attempt,
      unclearAttemptId: 'a1',
      problem: { kind: 'stillChecking' },
    })
    await record.answer(unclear)
    expect(situation().value).toBe('editing')
    confirm('a2')
    expect(reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', 'a1'])
  })

  describe('and once left it is not called unpaid, as long as nobody knows', () => {
    const left = async () => {
      const started = await reach.waiting()
      started.send({ type: 'outcome.leave' })
      return started
    }
    test.each<[string, (started: Started) => void | Promise<void>]>([
      ['no answer', ({ reserve }) => reserve.fail()],
      ['an answer that does not come', ({ clock }) => clock.increment(30_000)],
      ['a refusal that says nothing of it', ({ reserve }) => reserve.answer(err({ kind: 'sessionExpired' }))],
    ])('after %s', async (_, happen) => {
      const started = await left()
      started.confirm('a2')
      await happen(started)
      expect(started.situation()).toMatchObject({
        value: 'editing',
        attempt,
        problem: { kind: 'stillChecking' },
      })
    })

    test('it is asked about again, and nothing else is confirmed before the answer', async () => {
      const { confirm, record, reserve, send, situation } = await left()
      send({ type: 'outcome.ask' })
      expect(situation()).toMatchObject({
        value: { checkingOutcome: 'asking' },
        attempt,
        problem: statusUnclear,
      })
      confirm('a2')
      expect(reserve.asked).toHaveLength(1)
      await record.answer(paid)
      expect(situation().value).toBe('receipt')
    })

    test('a tick does not make it another payment; another amount does', async () => {
      const { send, situation } = await left()
      send({ type: 'draft.change', patch: { phoneConfirmed: false } })
      send({ type: 'draft.change', patch: { phoneConfirmed: true } })
      expect(situation().problem).toEqual({ kind: 'stillChecking' })
      send({ type: 'draft.change', patch: { amount: '120' } })
      expect(situation().problem).toBeNull()
    })

    test('and with another form it is not that one that is asked about', async () => {
      const { send, situation } = await reach.declined()
      send({ type: 'outcome.ask' })
      expect(situation().value).toBe('editing')
    })

    test('nor without a network', async () => {
      const { confirm, send, situation } = await left()
      send({ type: 'network.lost' })
      confirm('a2')
      expect(situation()).toMatchObject({ value: 'editing', attempt, problem: { kind: 'stillChecking' } })
      send({ type: 'draft.change', patch: { amount: '120' } })
      confirm('a3')
      expect(situation().problem).toEqual({ kind: 'offline' })
    })

    test('but when the server has ended it', async () => {
      const { confirm, reserve, situation } = await left()
      confirm('a2')
      await reserve.answer(err({ kind: 'attemptEnded' }))
      expect(situation()).toMatchObject({ attempt: null, problem: { kind: 'attemptEnded' } })
    })

    test('and when the server asks for a card again, nothing was charged', async () => {
      const { confirm, confirmCard, reserve, send, situation } = await left()
      confirm('a2')
      await reserve.answer(reserved())
      send({ type: 'payment.submit' })
      await confirmCard.answer(declined)
      confirm('a3')
      await reserve.fail()
      expect(situation().problem).toEqual({ kind: 'initFailed' })
    })
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
