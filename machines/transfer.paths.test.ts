import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/common/duration.ts'
import { err } from '../domain/common/result.ts'
import { EMPTY_TRANSFER_DRAFT } from '../domain/transfers/transfer.ts'
import {
  blurCheckout,
  buildCheckoutAnswers,
  CHECKOUT_EVENTS,
  expectOneOrderPerAttempt,
  expectReceiptOfServer,
} from './testing/checkoutWalk.ts'
import {
  attempt,
  buildReserveAnswer,
  canceledAnswer,
  chargedAnswer,
  createTestActor,
  declinedAnswer,
  disputedAnswer,
  draft,
  duplicateTransfer,
  isPriceTransition,
  now,
  otherDraft,
  paidAnswer,
  profile,
  refundedAnswer,
  type StartedActor,
  serverFacts,
  stopTestActor,
  type TransferCheckoutEvent,
  transaction,
  unclearAnswer,
  unpaidAnswer,
} from './testing/transferSituations.ts'
import { walk } from './testing/walk.ts'
import { transferMachine } from './transfer.ts'

afterEach(stopTestActor)

describe('random walks', () => {
  interface Step {
    readonly name: string
    readonly isTimely: (snapshot: Snapshot) => boolean
    readonly run: (started: StartedActor) => Promise<void> | void
  }
  type Snapshot = ReturnType<StartedActor['actor']['getSnapshot']>

  let confirmations = 0
  const event = (make: () => TransferCheckoutEvent, isTimely?: Step['isTimely']): Step => {
    const { type, ...rest } = make()
    return {
      name: `${type} ${JSON.stringify(rest)}`,
      isTimely: isTimely ?? ((snapshot) => snapshot.can(make())),
      run: ({ send }) => send(make()),
    }
  }
  const answer = (isTimely: Step['isTimely'], name: string, run: Step['run']): Step => ({
    name,
    isTimely,
    run,
  })
  const isOnline = ({ context }: Snapshot) => context.isOnline
  const isFinding = (snapshot: Snapshot) => snapshot.matches('resuming')
  const isLookingUp = (snapshot: Snapshot) => snapshot.matches('lookingUp')
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
      const recent = confirmations % 3 === 0 ? [duplicateTransfer] : []
      return { type: 'form.confirm', attemptId: `fresh${confirmations}`, at: now, recent }
    }),
    event(() => {
      confirmations += 1
      return { type: 'duplicate.confirm', attemptId: `fresh${confirmations}`, at: now }
    }),
    event(() => ({ type: 'duplicate.cancel' })),
    event(() => ({ type: 'payment.submit' })),
    event(() => ({ type: 'payment.close' })),
    event(() => ({ type: 'outcome.check' })),
    event(() => ({ type: 'outcome.leave' })),
    event(() => ({ type: 'receipt.close' })),
    event(() => ({ type: 'network.lost' }), isOnline),
    event(
      () => ({ type: 'network.restored' }),
      (snapshot) => !isOnline(snapshot),
    ),
    answer(isRecording, 'half a minute passes', ({ clock }) => clock.increment(30_000)),
    answer(isConfirming, 'a minute passes', ({ clock }) => clock.increment(MINUTE)),
    answer(isFinding, 'no open attempt', ({ findOpenAttempt }) => findOpenAttempt.answer(null)),
    answer(isFinding, 'the device fails', ({ findOpenAttempt }) => findOpenAttempt.fail()),
    answer(isLookingUp, 'half a minute passes', ({ clock }) => clock.increment(30_000)),
    answer(isLookingUp, 'no open attempt', ({ findLatestAttempt }) => findLatestAttempt.answer(null)),
    answer(isLookingUp, 'an open attempt', ({ findLatestAttempt }) => findLatestAttempt.answer(attempt)),
    answer(isLookingUp, 'the server fails', ({ findLatestAttempt }) => findLatestAttempt.fail()),
    answer(isFinding, 'an open attempt', ({ findOpenAttempt }) => findOpenAttempt.answer(attempt)),
    ...['requires_payment_method', 'processing', 'succeeded'].map((status) =>
      answer(isReserving, `reserved: ${status}`, ({ reserve }) => reserve.answer(buildReserveAnswer(status))),
    ),
    answer(isReserving, 'reserve: refused', ({ reserve }) =>
      reserve.answer(err({ kind: 'quoteChanged', facts: serverFacts })),
    ),
    answer(isReserving, 'reserve: no answer', ({ reserve }) => reserve.fail()),
    ...[chargedAnswer, declinedAnswer, { kind: 'cardInvalid' } as const].map((card) =>
      answer(isConfirming, `card: ${card.kind}`, ({ confirmCard }) => confirmCard.answer(card)),
    ),
    answer(isConfirming, 'card: no answer', ({ confirmCard }) => confirmCard.fail()),
    ...[paidAnswer, unpaidAnswer, canceledAnswer, unclearAnswer, refundedAnswer, disputedAnswer].map(
      (response) =>
        answer(isRecording, `record: ${response.outcome}`, ({ record }) => record.answer(response)),
    ),
    answer(isRecording, 'record: no answer', ({ record }) => record.fail()),
    ...[{ outcome: 'released' } as const, paidAnswer, unclearAnswer].map((response) =>
      answer(isReleasing, `release: ${response.outcome}`, ({ release }) => release.answer(response)),
    ),
    answer(isReleasing, 'release: no answer', ({ release }) => release.fail()),
  ]

  /** Steps toward the card and a receipt weigh more, or walks would seldom reach the states with money. */
  const getWeight = ({ name }: Step) => {
    if (/^(network\.restored|form\.confirm|payment\.submit|reserved: requires_payment_method)/.test(name))
      return 6
    return /^(no open attempt|a minute passes|card: answered|record: paid)/.test(name) ? 3 : 1
  }

  const RUNS = 300
  /** Chance alone never fails the test: usually 260 reach 'confirmingCard' and 195 the receipt. */
  const MIN_VISITS: Readonly<Record<string, number>> = {
    '"resuming"': 90,
    '{"lookingUp":"asking"}': 30,
    '{"lookingUp":"waiting"}': 10,
    '"editing"': 280,
    '"confirmingDuplicate"': 60,
    '"releasingFormerAttempt"': 25,
    '"reserving"': 270,
    '"awaitingCard"': 240,
    '"releasing"': 50,
    '{"confirmingCard":"expected"}': 210,
    '{"confirmingCard":"overdue"}': 75,
    '"recording"': 200,
    '{"checkingOutcome":"waiting"}': 135,
    '{"checkingOutcome":"asking"}': 130,
    '"receipt"': 130,
  }

  // Mostly a step that fits the current state; sometimes any step, such as a late answer.
  const choice = fc.record({ isAnything: fc.nat(9).map((die) => die === 0), index: fc.nat(999) })
  const pick = (snapshot: Snapshot, { isAnything, index }: { isAnything: boolean; index: number }) => {
    const timely = steps
      .filter(({ isTimely }) => isTimely(snapshot))
      .flatMap((step) => Array<Step>(getWeight(step)).fill(step))
    const pool = isAnything ? steps : timely
    return pool[index % pool.length]
  }

  test('random walks need the server’s answer for a receipt and empty form @spec-empty-form', async () => {
    const reached = new Map<string, number>()
    const walk = fc.asyncProperty(fc.array(choice, { minLength: 30, maxLength: 60 }), async (choices) => {
      const started = createTestActor()
      const { actor, reserve, situation } = started
      const taken: string[] = []
      const seen = new Set<string>()
      confirmations = 0
      for (const each of choices) {
        const before = situation()
        const step = pick(actor.getSnapshot(), each)
        if (!step) continue
        taken.push(step.name)
        await step.run(started)
        const after = situation()
        const at = taken.join(' > ')
        seen.add(JSON.stringify(after.value))
        expect(actor.getSnapshot().status, at).toBe('active')
        expect(JSON.parse(JSON.stringify(after)), at).toStrictEqual(after)
        expect(after.value === 'receipt', at).toBe(after.receipt !== null)
        if (after.value === 'receipt' && before.value !== 'receipt')
          expect(step.name, at).toMatch(/^(record|release): paid$/)
        else if (!step.name.startsWith('draft.change')) expect(after.draft, at).toEqual(before.draft)
      }
      for (const state of seen) reached.set(state, (reached.get(state) ?? 0) + 1)
      actor.stop()
      const transfers = new Map<string, unknown>()
      for (const { attempt: sent } of reserve.asked) {
        expect(transfers.get(sent.id) ?? sent.order, taken.join(' > ')).toEqual(sent.order)
        transfers.set(sent.id, sent.order)
      }
    })
    await fc.assert(walk, { numRuns: RUNS })
    expect([...reached.keys()].sort()).toEqual(Object.keys(MIN_VISITS).sort())
    for (const [state, minimum] of Object.entries(MIN_VISITS)) {
      expect(reached.get(state), `${state} is reached too seldom`).toBeGreaterThan(minimum)
    }
  })
})

test('each attempt pays once, with a receipt only from the server', () => {
  const { untaken } = walk({
    machine: transferMachine,
    input: { profile, isOnline: true, at: now, draft: EMPTY_TRANSFER_DRAFT },
    events: (snapshot) => {
      const attemptId = `for ${snapshot.context.draft.amount}`
      const events: TransferCheckoutEvent[] = [
        ...CHECKOUT_EVENTS,
        ...[draft, otherDraft, { ...draft, amount: '9' }].map((patch) => ({
          type: 'draft.change' as const,
          patch,
        })),
        { type: 'draft.restore', draft: otherDraft, draftId: 'd1' },
        ...[[], [duplicateTransfer]].map((recent) => ({
          type: 'form.confirm' as const,
          attemptId,
          at: now,
          recent,
        })),
        { type: 'duplicate.confirm', attemptId, at: now },
        { type: 'duplicate.cancel' },
        { type: 'profile.changed', profile },
        { type: 'time.passed', at: now },
      ]
      // The stored form arrives once, before a payment has ended in this page.
      const isLate = snapshot.context.chargedDraft !== null
      return events.filter((event) => snapshot.can(event) && !(isLate && event.type === 'draft.restore'))
    },
    answers: buildCheckoutAnswers(attempt, transaction, [
      err({ kind: 'quoteChanged', facts: serverFacts }),
      err({ kind: 'formSentAlready', draftId: 'd1' }),
      err({ kind: 'initFailed' }),
    ]),
    blur: blurCheckout,
    invariant: (step) => {
      expectReceiptOfServer(step, transaction)
      expectOneOrderPerAttempt(step)
      const { event, before, after, at } = step
      const isChosen = before.matches('resuming') || before.matches('lookingUp') || after.matches('receipt')
      if (!isChosen && !event.type.startsWith('draft.') && after.context.draft !== before.context.draft)
        expect(after.context.draft, at).toEqual(before.context.draft)
    },
  })
  expect(untaken.filter((one) => !isPriceTransition(one))).toEqual([])
})
