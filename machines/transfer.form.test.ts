import { afterEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/plans.ts'
import { checkTransfer, EMPTY_DRAFT, type TransferDraft } from '../domain/transfer.ts'
import {
  attempt,
  attemptInput,
  type CheckoutContext,
  type CheckoutEvent,
  canceled,
  createTestActor,
  draft,
  idle,
  now,
  otherDraft,
  paid,
  reach,
  receiptSituation,
  type Started,
  statusUnclear,
  stop,
  unclear,
  unpaid,
} from './testing/transferSituations.ts'

afterEach(stop)

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
    clock.increment(MINUTE)
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

  test('takes back what was wrong in another currency', async () => {
    const { confirm, findOpenAttempt, send, situation } = createTestActor(
      {},
      { draft: { ...draft, amount: '500,01' } },
    )
    await findOpenAttempt.answer(null)
    confirm()
    expect(situation().problems.map(({ field }) => field)).toEqual(['amount'])
    send({ type: 'draft.change', patch: { currency: 'CAD' } })
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

test('what is typed while the answer to a release is awaited stays, whatever that is', async () => {
  for (const answer of [{ outcome: 'released' }, paid] as const) {
    const { release, send, situation } = await reach.releasing()
    send({ type: 'draft.change', patch: otherDraft })
    await release.answer(answer)
    expect(situation()).toMatchObject({ draft: otherDraft, value: answer === paid ? 'receipt' : 'editing' })
    stop()
  }
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
