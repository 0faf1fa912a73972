import { afterEach, describe, expect, test } from 'vitest'
import type { Subscription } from '../domain/account/profileSchema.ts'
import { HOUR } from '../domain/common/duration.ts'
import { err } from '../domain/common/result.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'
import { getTransferContext } from '../domain/transfers/pricing.ts'
import type { CheckedTransfer } from '../domain/transfers/shapes/orderSchema.ts'
import { checkTransfer, type TransferContext } from '../domain/transfers/transfer.ts'
import {
  buildReserveAnswer,
  createTestActor,
  declinedAnswer,
  draft,
  duplicateTransfer,
  isPriceTransition,
  ledger,
  now,
  profile,
  type StartedActor,
  stopTestActor,
  type TransferCheckoutEvent,
} from './testing/transferSituations.ts'
import { walk } from './testing/walk.ts'
import { transferMachine } from './transfer.ts'

afterEach(stopTestActor)

describe('the price', () => {
  const hour = HOUR
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
    if (!checked.ok) throw new Error('The form of this test is invalid')
    return checked.value
  }

  const withPlan = async (subscription: Subscription, form = draft) => {
    const started = createTestActor({}, { profile: { ...profile, subscription, ledger }, draft: form })
    await started.findOpenAttempt.answer(null)
    return started
  }
  const feesAsked = ({ reserve }: StartedActor) =>
    reserve.asked.map((input) => input.attempt.order.quote.fee.minor)

  test('the price of a confirmed transfer is that of the user’s plan', async () => {
    const started = await withPlan(premium)
    started.confirm()
    expect(started.situation().attempt?.order).toEqual(free)
  })

  test('the price after the plan’s end is shown before it is paid', async () => {
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

  test('the new price is shown as soon as the plan ends', async () => {
    const started = await withPlan(ending)
    started.send({ type: 'time.passed', at: end })
    expect(started.situation()).toMatchObject({ value: 'editing', change: dearer })
    started.send({ type: 'form.confirm', attemptId: 'a1', at: end, recent: [] })
    expect(feesAsked(started)).toEqual([300])
  })

  test('a clock that goes back does not bring back an earlier price', async () => {
    const started = await withPlan(ending)
    started.send({ type: 'time.passed', at: end })
    started.send({ type: 'form.confirm', attemptId: 'a1', at: end - 1, recent: [] })
    expect(feesAsked(started)).toEqual([300])
  })

  test('a price changed elsewhere is marked until it returns', async () => {
    const { send, situation } = await withPlan(premium)
    send({ type: 'profile.changed', profile: { ledger: { ...ledger, reservedSlots: 1 } } })
    expect(situation()).toMatchObject({ value: 'editing', change: dearer })
    send({ type: 'profile.changed', profile: { ledger } })
    expect(situation().change).toBe(null)
  })

  test('two changes are compared with the price that the user saw', async () => {
    const { send, situation } = await withPlan(premium)
    const basic = { ...premium, tier: 'basic' } as const
    send({ type: 'profile.changed', profile: { subscription: basic } })
    send({ type: 'profile.changed', profile: { subscription: EMPTY_SUBSCRIPTION } })
    expect(situation().change).toEqual(dearer)
  })

  test('a price that follows a typed amount is not marked as changed', async () => {
    const { send, situation } = await withPlan(premium)
    send({ type: 'profile.changed', profile: { subscription: EMPTY_SUBSCRIPTION } })
    send({ type: 'draft.change', patch: { amount: '120' } })
    expect(situation().change).toBe(null)
  })

  test('the price is not shown as changed for an incomplete form', async () => {
    const { send, situation } = await withPlan(premium, { ...draft, phoneConfirmed: false })
    send({ type: 'profile.changed', profile: { subscription: EMPTY_SUBSCRIPTION } })
    expect(situation().change).toBe(null)
  })

  test('the end of a coupon appears at its field on pressing', async () => {
    const { confirm, send, situation } = await withPlan(EMPTY_SUBSCRIPTION, { ...draft, coupon: 'zéro' })
    send({ type: 'profile.changed', profile: { endedCoupon: 'zéro' } })
    expect(situation()).toMatchObject({ value: 'editing', change: null, problems: [] })
    confirm()
    expect(situation().problems).toMatchObject([{ field: 'coupon', kind: 'couponEnded' }])
    send({ type: 'profile.changed', profile: { endedCoupon: null } })
    expect(situation()).toMatchObject({ value: 'editing', change: null })
  })

  test('the price of a reserved order does not change', async () => {
    const { reserve, send, situation } = await withPlan(ending)
    send({ type: 'form.confirm', attemptId: 'a1', at: now, recent: [] })
    await reserve.answer(buildReserveAnswer())
    send({ type: 'time.passed', at: end })
    send({ type: 'profile.changed', profile: { subscription: EMPTY_SUBSCRIPTION } })
    expect(situation()).toMatchObject({ value: 'awaitingCard', change: null, attempt: { order: free } })
    // The context already has the newer facts, for the next form.
    expect(situation()).toMatchObject({
      at: end,
      profile: { ...profile, subscription: EMPTY_SUBSCRIPTION, ledger },
    })
  })

  test.each<[string, Partial<Subscription>, Partial<typeof ledger>]>([
    ['the plan was used', { transactionsLeft: 0 }, {}],
    ['the plan has ended', { status: 'canceled', cancelAt: now }, {}],
    ['a payment elsewhere reserves the plan’s last transfer', {}, { reservedSlots: 1 }],
  ])('a refused price shows the new one, paid on pressing: %s', async (_, plan, month) => {
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

  test('a refused price shows a lower price too', async () => {
    const started = await withPlan(EMPTY_SUBSCRIPTION)
    started.confirm()
    await started.reserve.answer(
      err({ kind: 'quoteChanged', facts: { at: now, subscription: premium, ledger } }),
    )
    expect(started.situation().change).toEqual({ before: full, after: free })
  })

  test('a refused price is reported if the server’s facts give the same', async () => {
    const { confirm, reserve, situation } = await withPlan(premium)
    const problem = {
      kind: 'quoteChanged',
      facts: { at: now, subscription: premium, ledger },
    } as const
    confirm()
    await reserve.answer(err(problem))
    expect(situation()).toMatchObject({ value: 'editing', problem, change: null })
  })

  test('an attempt’s own slot does not raise its price', async () => {
    const started = await withPlan(premium)
    const held = { ...ledger, reservedSlots: 1 }
    started.confirm()
    await started.reserve.answer(buildReserveAnswer())
    started.send({ type: 'profile.changed', profile: { ledger: held } })
    started.send({ type: 'payment.submit' })
    await started.confirmCard.answer(declinedAnswer)
    started.confirm('a2')
    expect(started.reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', 'a1'])

    await started.reserve.answer(buildReserveAnswer())
    started.send({ type: 'payment.close' })
    await started.release.answer({ outcome: 'released' })
    expect(started.situation()).toMatchObject({ value: 'editing', change: null, profile: { ledger } })
    started.confirm('a3')
    expect(feesAsked(started)).toEqual([0, 0, 0])
  })

  test('an expired coupon is reported at its field, keeping the input', async () => {
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

  test('a price change during the duplicate question returns to the form', async () => {
    const { send, situation } = await withPlan(ending)
    send({ type: 'form.confirm', attemptId: 'a1', at: now, recent: [duplicateTransfer] })
    send({ type: 'duplicate.confirm', attemptId: 'a1', at: end })
    expect(situation()).toMatchObject({ value: 'editing', duplicate: null, change: dearer, attempt: null })
  })

  test('every path charges the price shown at the confirmation', () => {
    const quoteChanged = (subscription: Subscription) =>
      err({ kind: 'quoteChanged', facts: { at: end, subscription, ledger } })
    const { untaken } = walk({
      machine: transferMachine,
      input: { profile: { ...profile, subscription: ending, ledger }, isOnline: true, at: now, draft },
      events: (snapshot) => {
        const events: TransferCheckoutEvent[] = [
          ...[now, end].flatMap((at): TransferCheckoutEvent[] => [
            ...[[], [{ ...duplicateTransfer, at }]].map((recent) => ({
              type: 'form.confirm' as const,
              attemptId: `at ${at}`,
              at,
              recent,
            })),
            { type: 'duplicate.confirm', attemptId: `at ${at}`, at },
            { type: 'time.passed', at },
          ]),
          { type: 'duplicate.cancel' },
          { type: 'payment.close' },
          { type: 'profile.changed', profile: { subscription: premium } },
        ]
        return events.filter((event) => snapshot.can(event))
      },
      answers: {
        findOpenAttempt: [null],
        findLatestAttempt: [null],
        reserve: [
          buildReserveAnswer(),
          quoteChanged(premium),
          quoteChanged(EMPTY_SUBSCRIPTION),
          err({ kind: 'sentAlready', duplicate: duplicateTransfer }),
        ],
        release: [{ outcome: 'released' }],
      },
      blur: ({
        unclearAnswers,
        problem,
        profile: payer,
        attempt: sent,
        formerAttemptId,
        change,
        ...context
      }) => ({
        ...context,
        messages: problem?.kind,
        plan: payer.subscription,
        fee: sent?.order.quote.fee,
        isFormer: formerAttemptId !== null,
        isChanged: change !== null,
      }),
      invariant: ({ event, before, after, at }) => {
        const hasBegun = after.matches('reserving') || after.matches('releasingFormerAttempt')
        if (!hasBegun || !/^(form|again)\.confirm$/.test(event.type)) return
        const { draft: form, profile: payer, attempt: own, at: shownAt } = before.context
        const seen = checkTransfer(form, getTransferContext(payer, own?.order ?? null, shownAt))
        expect(after.context.attempt?.order.quote.fee, at).toEqual(seen.ok && seen.value.quote.fee)
      },
    })
    expect(untaken.filter(isPriceTransition)).toEqual([])
  })
})
