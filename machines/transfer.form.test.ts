import { afterEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/common/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'
import type { TransferDraft } from '../domain/transfers/shapes/draftSchema.ts'
import { checkTransfer, EMPTY_TRANSFER_DRAFT } from '../domain/transfers/transfer.ts'
import {
  arrange,
  attempt,
  attemptInput,
  canceledAnswer,
  createTestActor,
  disputedAnswer,
  draft,
  initialContext,
  now,
  otherDraft,
  paidAnswer,
  receiptSituation,
  refundedAnswer,
  type StartedActor,
  statusUnclearProblem,
  stopTestActor,
  type TransferCheckoutContext,
  type TransferCheckoutEvent,
  type TransferRecordAnswer,
  unclearAnswer,
  unpaidAnswer,
} from './testing/transferSituations.ts'

afterEach(stopTestActor)

describe('resuming a transfer', () => {
  test('resuming asks about the open attempt and restores its unconfirmed form', async () => {
    const { findOpenAttempt, record, situation } = createTestActor({}, { draft: EMPTY_TRANSFER_DRAFT })
    await findOpenAttempt.answer(attempt)
    expect(situation()).toEqual({
      ...initialContext,
      value: 'recording',
      draft: { ...draft, phoneConfirmed: false },
      origin: 'attempt',
      attempt,
    })
    expect(record.asked).toEqual([attemptInput])
    await record.answer(paidAnswer)
    expect(situation()).toEqual(receiptSituation)
  })

  test('resuming keeps a form typed meanwhile, even after a paid attempt', async () => {
    const { findOpenAttempt, record, send, situation } = createTestActor({}, { draft: EMPTY_TRANSFER_DRAFT })
    send({ type: 'draft.change', patch: otherDraft })
    await findOpenAttempt.answer(attempt)
    expect(situation()).toEqual({ ...initialContext, value: 'recording', draft: otherDraft, attempt })
    await record.answer(paidAnswer)
    expect(situation()).toEqual({ ...receiptSituation, draft: otherDraft })
  })

  const lookingUp = {
    ...initialContext,
    value: { lookingUp: 'asking' },
    isSearched: false,
  } as const

  test.each<[string, (started: StartedActor) => Promise<void> | void]>([
    ['can’t be read', ({ findOpenAttempt }) => findOpenAttempt.fail()],
    ['has not answered within five seconds', ({ clock }) => clock.increment(5_000)],
  ])('resuming asks the server before any payment if the device %s', async (_, happen) => {
    const started = createTestActor()
    const { confirm, findLatestAttempt, record, reserve, situation } = started
    await happen(started)
    expect(situation()).toEqual(lookingUp)
    expect(findLatestAttempt.asked).toEqual([{ uid: 'u1', draftId: null }])
    confirm()
    expect(situation()).toEqual(lookingUp)
    expect(reserve.asked).toEqual([])
    await findLatestAttempt.answer(attempt)
    expect(record.asked).toEqual([attemptInput])
    await record.answer(paidAnswer)
    expect(situation()).toEqual(receiptSituation)
  })

  test('resuming asks the server until it answers, and says so', async () => {
    const { clock, findLatestAttempt, send, situation } = await arrange.lookedUpInVain()
    send({ type: 'draft.change', patch: otherDraft })
    const waiting = {
      ...lookingUp,
      value: { lookingUp: 'waiting' },
      draft: otherDraft,
      problem: { kind: 'lookingUp' },
      unclearAnswers: 1,
    }
    expect(situation()).toEqual(waiting)
    send({ type: 'network.lost' })
    clock.increment(MINUTE)
    expect(situation()).toEqual({ ...waiting, isOnline: false })
    send({ type: 'network.restored' })
    await findLatestAttempt.fail()
    send({ type: 'outcome.check' })
    expect(findLatestAttempt.asked).toHaveLength(3)
    await findLatestAttempt.fail()
    clock.increment(MINUTE)
    expect(findLatestAttempt.asked).toHaveLength(4)
    await findLatestAttempt.answer(null)
    expect(situation()).toEqual({
      ...initialContext,
      value: 'editing',
      draft: otherDraft,
    })
  })

  test('resuming ignores device data that arrives after the server’s request', async () => {
    const { clock, findOpenAttempt, situation } = createTestActor()
    clock.increment(5_000)
    await findOpenAttempt.answer(null)
    expect(situation()).toEqual(lookingUp)
  })

  test('resuming a transfer reports an unclear outcome while offline', async () => {
    const { findOpenAttempt, record, situation } = createTestActor({}, { isOnline: false })
    await findOpenAttempt.answer(attempt)
    await record.fail()
    expect(situation()).toEqual({
      ...initialContext,
      value: { checkingOutcome: 'waiting' },
      isOnline: false,
      attempt,
      problem: statusUnclearProblem,
    })
  })
})

describe('the transfer form', () => {
  test.each<[string, Partial<TransferDraft>, Partial<TransferDraft>]>([
    ['an amount', { amount: '55,5' }, {}],
    ['the same country', { country: 'GN' }, {}],
    ['another country', { country: 'FR' }, { receivingMethod: 'paylib', phoneConfirmed: false }],
    [
      'another country with a wallet of it and a confirmed number',
      { country: 'FR', receivingMethod: 'wero', phoneConfirmed: true },
      {},
    ],
  ])('the transfer form accepts %s', async (_, patch, also) => {
    const { send, situation } = await arrange.editing()
    send({ type: 'draft.change', patch })
    expect(situation()).toEqual({
      ...initialContext,
      value: 'editing',
      draft: { ...draft, ...patch, ...also },
    })
  })

  test('the form shows every problem until its field or country changes', async () => {
    const { confirm, findOpenAttempt, reserve, send, situation } = createTestActor(
      {},
      { draft: EMPTY_TRANSFER_DRAFT },
    )
    await findOpenAttempt.answer(null)
    confirm()
    const checked = checkTransfer(EMPTY_TRANSFER_DRAFT, { subscription: EMPTY_SUBSCRIPTION, now })
    const problems = checked.ok ? [] : checked.error
    expect(problems.map(({ field }) => field)).toEqual(['amount', 'phone', 'phoneConfirmed'])
    expect(situation()).toEqual({
      ...initialContext,
      value: 'editing',
      draft: EMPTY_TRANSFER_DRAFT,
      problems,
    })
    expect(reserve.asked).toEqual([])

    send({ type: 'draft.change', patch: { amount: '1' } })
    expect(situation().problems).toEqual(problems.slice(1))
    send({ type: 'draft.change', patch: { country: 'CA' } })
    expect(situation().problems).toEqual([])
  })

  test('the transfer form clears a problem that belonged to another currency', async () => {
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

  test('the form shows the offline notice until the network is back', async () => {
    const { confirm, reserve, send, situation } = await arrange.editing()
    send({ type: 'network.lost' })
    confirm()
    expect(situation()).toEqual({
      ...initialContext,
      value: 'editing',
      isOnline: false,
      problem: { kind: 'offline' },
    })
    send({ type: 'network.restored' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing' })
    expect(reserve.asked).toEqual([])
  })

  test('other problems outlive the network’s return until dismissed', async () => {
    const { send, situation } = await arrange.declined()
    const problem = { kind: 'failed', reason: 'insufficient_funds', message: 'Not enough' }
    send({ type: 'network.restored' })
    expect(situation().problem).toEqual(problem)
    send({ type: 'problem.dismiss' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing', attempt })
  })

  test('the transfer form computes the price with the newest profile', async () => {
    const { confirm, reserve, send } = await arrange.editing()
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

  test('the form begins no payment above the wallet’s limit @spec-wallet-limit', async () => {
    const { confirm, reserve, send, situation } = await arrange.editing()
    const walletTariffs = { orange_money: { since: '2026-11-01', limit: 1_000_000 } }
    send({ type: 'profile.changed', profile: { uid: 'u1', walletTariffs } })
    confirm()
    expect(reserve.asked).toEqual([])
    expect(situation().problems).toMatchObject([{ field: 'amount', kind: 'walletLimitExceeded' }])
  })
})

test('the transfer form keeps values typed during a release, whatever its answer', async () => {
  for (const answer of [{ outcome: 'released' }, paidAnswer] as const) {
    const { release, send, situation } = await arrange.releasing()
    send({ type: 'draft.change', patch: otherDraft })
    await release.answer(answer)
    expect(situation()).toMatchObject({
      draft: otherDraft,
      value: answer === paidAnswer ? 'receipt' : 'editing',
    })
    stopTestActor()
  }
})

describe('a form stored on the device', () => {
  const kept = { ...draft, phoneConfirmed: true }
  const restored = { ...draft, phoneConfirmed: false }
  const restore = (stored: TransferDraft) =>
    ({ type: 'draft.restore', draft: stored, draftId: 'd1' }) as const

  const asking = {
    ...initialContext,
    value: { lookingUp: 'asking' },
    draft: restored,
    origin: 'restored',
    unclearDraftId: 'd1',
  } as const

  test.each(['before', 'after'])(
    'a stored form that comes %s the search waits for the server',
    async (when) => {
      const started = createTestActor({}, { draft: EMPTY_TRANSFER_DRAFT })
      const { confirm, findOpenAttempt, findLatestAttempt, reserve, situation } = started
      if (when === 'before') started.send(restore(kept))
      await findOpenAttempt.answer(null)
      if (when === 'after') started.send(restore(kept))
      expect(situation()).toEqual(asking)
      expect(findLatestAttempt.asked).toEqual([{ uid: 'u1', draftId: 'd1' }])
      confirm()
      await findLatestAttempt.fail()
      expect(situation()).toEqual({
        ...asking,
        value: { lookingUp: 'waiting' },
        problem: { kind: 'lookingUp' },
        unclearAnswers: 1,
      })
      started.clock.increment(4_000)
      await findLatestAttempt.answer(null)
      expect(situation()).toEqual({
        ...initialContext,
        value: 'editing',
        draft: restored,
        origin: 'restored',
      })
      expect(reserve.asked).toEqual([])
    },
  )

  test('a search for a stored form is announced after a second', async () => {
    const { clock, findOpenAttempt, findLatestAttempt, send, situation } = createTestActor(
      {},
      { draft: EMPTY_TRANSFER_DRAFT },
    )
    await findOpenAttempt.answer(null)
    send(restore(kept))
    clock.increment(999)
    expect(situation()).toEqual(asking)
    clock.increment(1)
    expect(situation()).toEqual({ ...asking, problem: { kind: 'lookingUp' } })
    await findLatestAttempt.answer(null)
    expect(situation()).toMatchObject({ value: 'editing', problem: null })
  })

  test('a stored form that was paid leads to its receipt', async () => {
    const { findOpenAttempt, findLatestAttempt, record, send, situation } = createTestActor(
      {},
      { draft: EMPTY_TRANSFER_DRAFT },
    )
    await findOpenAttempt.answer(null)
    send(restore(kept))
    // The user repeats the confirmation meanwhile, so the form counts as typed.
    send({ type: 'draft.change', patch: { phoneConfirmed: true } })
    await findLatestAttempt.answer(attempt)
    expect(record.asked).toEqual([attemptInput])
    await record.answer(paidAnswer)
    expect(situation()).toEqual(receiptSituation)
  })

  test('a paid form stored in part is not shown as unpaid', async () => {
    const { findOpenAttempt, findLatestAttempt, record, send, situation } = createTestActor(
      {},
      { draft: EMPTY_TRANSFER_DRAFT },
    )
    await findOpenAttempt.answer(null)
    send(restore({ ...EMPTY_TRANSFER_DRAFT, amount: '50' }))
    await findLatestAttempt.answer(attempt)
    await record.answer(paidAnswer)
    expect(situation()).toEqual(receiptSituation)
  })

  test('an unpaid attempt keeps what was typed since', async () => {
    const { findOpenAttempt, findLatestAttempt, record, send, situation } = createTestActor(
      {},
      { draft: EMPTY_TRANSFER_DRAFT },
    )
    await findOpenAttempt.answer(attempt)
    await record.answer(unpaidAnswer)
    send(restore({ ...kept, amount: '120' }))
    await findLatestAttempt.answer(attempt)
    await record.answer(unpaidAnswer)
    expect(situation()).toMatchObject({
      value: 'editing',
      draft: { ...restored, amount: '120' },
      problem: { kind: 'notCharged' },
    })
  })

  test('a stored form is searched for after unreadable open payments', async () => {
    const { findOpenAttempt, findLatestAttempt, send, situation } = createTestActor(
      {},
      { draft: EMPTY_TRANSFER_DRAFT },
    )
    await findOpenAttempt.fail()
    send(restore(kept))
    await findLatestAttempt.answer(null)
    expect(situation()).toEqual(asking)
    expect(findLatestAttempt.asked).toEqual([
      { uid: 'u1', draftId: null },
      { uid: 'u1', draftId: 'd1' },
    ])
  })

  test('a search for a stored form keeps the message about another payment', async () => {
    const { findOpenAttempt, findLatestAttempt, record, send, situation } = createTestActor(
      {},
      { draft: EMPTY_TRANSFER_DRAFT },
    )
    send(restore({ ...kept, amount: '120' }))
    await findOpenAttempt.answer(attempt)
    await record.answer(unclearAnswer)
    send({ type: 'outcome.leave' })
    await findLatestAttempt.answer(null)
    expect(situation()).toMatchObject({
      value: 'editing',
      problem: { kind: 'stillChecking' },
      unclearAttemptId: attempt.id,
    })
  })

  test('a stored form does not replace input typed before it arrived', async () => {
    const started = await arrange.editing()
    started.send(restore({ ...kept, amount: '499' }))
    expect(started.situation()).toEqual({ ...initialContext, value: 'editing' })
  })

  describe('a stored form with an open attempt', () => {
    const newer = { ...kept, amount: '120' }
    const restoredNewer = { ...restored, amount: '120' }
    const resumed = async () => {
      const started = createTestActor({}, { draft: EMPTY_TRANSFER_DRAFT })
      await started.findOpenAttempt.answer(attempt)
      return started
    }

    test.each<[string, (started: StartedActor) => Promise<void> | void]>([
      ['is being checked', () => {}],
      ['has an unclear outcome', ({ record }) => record.answer(unclearAnswer)],
      ['is unpaid', ({ record }) => record.answer(unpaidAnswer)],
      ['was canceled', ({ record }) => record.answer(canceledAnswer)],
      ['was paid', ({ record }) => record.answer(paidAnswer)],
    ])('a stored form replaces the form of a resumed attempt that %s', async (_, happen) => {
      const started = await resumed()
      await happen(started)
      const before = started.situation()
      started.send(restore(newer))
      const isShown = before.value === 'editing'
      expect(started.situation()).toEqual({
        ...before,
        ...(isShown && { value: { lookingUp: 'asking' } }),
        draft: restoredNewer,
        origin: 'restored',
        unclearDraftId: 'd1',
      })
    })

    test.each(['before', 'after'])('a stored form is kept if it arrives %s a paid attempt', async (when) => {
      const { findOpenAttempt, record, send, situation } = createTestActor(
        {},
        { draft: EMPTY_TRANSFER_DRAFT },
      )
      if (when === 'before') send(restore(newer))
      await findOpenAttempt.answer(attempt)
      if (when === 'after') send(restore(newer))
      await record.answer(paidAnswer)
      const unpaid = { draft: restoredNewer, origin: 'restored', unclearDraftId: 'd1' }
      expect(situation()).toEqual({ ...receiptSituation, ...unpaid })
    })

    test.each(['before', 'after'])(
      'a stored form arriving %s its own attempt isn’t shown as unsent',
      async (when) => {
        const { findOpenAttempt, record, send, situation } = createTestActor(
          {},
          { draft: EMPTY_TRANSFER_DRAFT },
        )
        if (when === 'before') send(restore(kept))
        await findOpenAttempt.answer(attempt)
        if (when === 'after') send(restore(kept))
        expect(situation()).toEqual({
          ...initialContext,
          value: 'recording',
          draft: restored,
          origin: 'attempt',
          attempt,
        })
        await record.answer(paidAnswer)
        expect(situation()).toEqual(receiptSituation)
      },
    )

    test.each<[string, TransferRecordAnswer]>([
      ['paid', paidAnswer],
      ['refunded', refundedAnswer],
      ['disputed', disputedAnswer],
    ])('a stored form is not restored after its attempt was %s', async (_, answer) => {
      const started = await resumed()
      await started.record.answer(answer)
      const before = started.situation()
      started.send(restore(kept))
      expect(started.situation()).toEqual(before)
    })

    test('a stored form never replaces changes to the attempt’s form', async () => {
      const started = await resumed()
      await started.record.answer(unclearAnswer)
      started.send({ type: 'outcome.leave' })
      started.send({ type: 'draft.change', patch: { amount: '9' } })
      const before = started.situation()
      started.send(restore(newer))
      expect(started.situation()).toEqual(before)
    })

    test.each(['reserving', 'awaitingCard', 'recording', 'waiting', 'declined'] as const)(
      'a stored form never replaces one confirmed on this page: %s',
      async (state) => {
        const started = await arrange[state]()
        const before = started.situation()
        started.send(restore(newer))
        expect(started.situation()).toEqual(before)
      },
    )
  })

  test.each<[string, TransferCheckoutEvent, Partial<TransferCheckoutContext>]>([
    ['change', { type: 'draft.change', patch: { amount: '20' } }, { draft: { ...restored, amount: '20' } }],
    ['clear', { type: 'draft.clear' }, { draft: EMPTY_TRANSFER_DRAFT }],
  ])('the user can %s a stored form', async (_, event, change) => {
    const { findOpenAttempt, findLatestAttempt, send, situation } = createTestActor(
      {},
      { draft: EMPTY_TRANSFER_DRAFT },
    )
    await findOpenAttempt.answer(null)
    send(restore(kept))
    await findLatestAttempt.answer(null)
    send(event)
    expect(situation()).toEqual({ ...initialContext, value: 'editing', ...change })
  })
})
