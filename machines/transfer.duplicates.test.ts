import { afterEach, describe, expect, test } from 'vitest'
import type { RecentTransfer } from '../domain/recentTransfers.ts'
import { err } from '../domain/result.ts'
import {
  attempt,
  createTestActor,
  draft,
  duplicate,
  idle,
  now,
  otherDraft,
  reach,
  stop,
  transferOf,
} from './testing/transferSituations.ts'
import { isAttemptOver } from './transfer.ts'

afterEach(stop)

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
