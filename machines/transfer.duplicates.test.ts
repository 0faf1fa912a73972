import { afterEach, describe, expect, test } from 'vitest'
import { err } from '../domain/common/result.ts'
import type { RecentTransfer } from '../domain/transfers/recentTransfers.ts'
import {
  arrange,
  attempt,
  checkValidTransfer,
  createTestActor,
  draft,
  duplicateTransfer,
  initialContext,
  now,
  otherDraft,
  paidAnswer,
  stopTestActor,
  unpaidAnswer,
} from './testing/transferSituations.ts'
import { isTransferAttemptOver } from './transfer.ts'

afterEach(stopTestActor)

describe('a duplicate on this device', () => {
  test('a duplicate on this device is asked about before any reservation', async () => {
    const { reserve, situation } = await arrange.confirmingDuplicate()
    expect(situation()).toEqual({
      ...initialContext,
      value: 'confirmingDuplicate',
      duplicate: duplicateTransfer,
    })
    expect(reserve.asked).toEqual([])
  })

  test('a duplicate on this device is sent if the user confirms it', async () => {
    const { reserve, send, situation } = await arrange.confirmingDuplicate()
    send({ type: 'duplicate.confirm', attemptId: 'a1', at: now })
    const asked = { ...attempt, again: duplicateTransfer.id }
    expect(situation()).toEqual({ ...initialContext, value: 'reserving', attempt: asked })
    expect(reserve.asked).toEqual([{ uid: 'u1', attempt: asked }])
  })

  test('an unconfirmed duplicate on this device stays in the form', async () => {
    const { reserve, send, situation } = await arrange.confirmingDuplicate()
    send({ type: 'duplicate.cancel' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing' })
    expect(reserve.asked).toEqual([])
  })

  test('a duplicate on this device is not sent without a network', async () => {
    const { reserve, send, situation } = await arrange.confirmingDuplicate()
    send({ type: 'network.lost' })
    send({ type: 'duplicate.confirm', attemptId: 'a1', at: now })
    expect(situation()).toEqual({
      ...initialContext,
      value: 'editing',
      isOnline: false,
      problem: { kind: 'offline' },
    })
    expect(reserve.asked).toEqual([])
  })

  test('a confirmed duplicate is validated again, and an invalid one returns', async () => {
    const withCoupon = { ...draft, coupon: 'zéro' }
    const { confirm, findOpenAttempt, reserve, send, situation } = createTestActor({}, { draft: withCoupon })
    await findOpenAttempt.answer(null)
    confirm('a1', [duplicateTransfer])
    expect(situation().value).toBe('confirmingDuplicate')
    send({ type: 'profile.changed', profile: { endedCoupon: 'zéro' } })
    send({ type: 'duplicate.confirm', attemptId: 'a1', at: now })
    expect(situation()).toMatchObject({
      value: 'editing',
      duplicate: null,
      attempt: null,
      problems: [{ field: 'coupon', kind: 'couponEnded' }],
    })
    expect(reserve.asked).toEqual([])
  })

  test.each<[string, Partial<RecentTransfer>]>([
    ['a transfer of another amount', { gross: { minor: 9_999, currency: 'EUR' } }],
    ['a transfer to another number', { phone: '+224620000001' }],
    ['an older transfer', { at: now - 600_001 }],
  ])('the user is not asked about %s as a duplicate', async (_, change) => {
    const { confirm, situation } = await arrange.editing()
    confirm('a1', [{ ...duplicateTransfer, ...change }])
    expect(situation().value).toBe('reserving')
  })

  test('confirming the open attempt again is never a duplicate', async () => {
    const started = await arrange.declined()
    started.confirm('a2', [duplicateTransfer, { ...duplicateTransfer, id: 'a1', isPaid: false }])
    expect(started.situation()).toMatchObject({ value: 'reserving', attempt: { id: 'a1' } })
  })

  test('another wallet releases the open attempt without asking about duplicates', async () => {
    const started = await arrange.declined()
    started.send({ type: 'draft.change', patch: { receivingMethod: 'mtn_money' } })
    started.confirm('a2', [{ ...duplicateTransfer, id: 'a1', isPaid: false }])
    expect(started.situation().value).toBe('releasingFormerAttempt')
  })

  test('the confirmation of a duplicate releases another open attempt first', async () => {
    const started = await arrange.declined()
    started.send({ type: 'draft.change', patch: { amount: '120' } })
    started.confirm('a2', [{ ...duplicateTransfer, gross: checkValidTransfer(otherDraft).gross }])
    expect(started.situation()).toMatchObject({ value: 'confirmingDuplicate', attempt: { id: 'a1' } })
    started.send({ type: 'duplicate.confirm', attemptId: 'a3', at: now })
    expect(started.situation()).toMatchObject({
      value: 'releasingFormerAttempt',
      attempt: { id: 'a3' },
      formerAttemptId: 'a1',
    })
  })
})

describe('a duplicate that only the server knows', () => {
  const refused = async () => {
    const started = await arrange.reserving()
    await started.reserve.answer(err({ kind: 'sentAlready', duplicate: duplicateTransfer }))
    return started
  }

  test('a duplicate that only the server knows leaves no open attempt', async () => {
    const { situation } = await refused()
    expect(situation()).toEqual({
      ...initialContext,
      value: 'confirmingDuplicate',
      duplicate: duplicateTransfer,
    })
    expect(isTransferAttemptOver({ kind: 'sentAlready', duplicate: duplicateTransfer })).toBe(true)
  })

  test('a confirmed duplicate of the server becomes an attempt naming it', async () => {
    const { reserve, send, situation } = await refused()
    send({ type: 'duplicate.confirm', attemptId: 'a2', at: now })
    const second = { ...attempt, id: 'a2', again: duplicateTransfer.id }
    expect(situation()).toEqual({ ...initialContext, value: 'reserving', attempt: second })
    expect(reserve.asked).toEqual([
      { uid: 'u1', attempt },
      { uid: 'u1', attempt: second },
    ])
  })

  test('retried reservations ask only once about the server’s duplicate', async () => {
    const started = await refused()
    started.send({ type: 'duplicate.confirm', attemptId: 'a2', at: now })
    await started.reserve.fail()
    started.confirm('a3')
    const second = { ...attempt, id: 'a2', again: duplicateTransfer.id }
    expect(started.reserve.asked.slice(1)).toEqual([
      { uid: 'u1', attempt: second },
      { uid: 'u1', attempt: second },
    ])
  })

  test('an unconfirmed duplicate of the server stays in the form', async () => {
    const { reserve, send, situation } = await refused()
    send({ type: 'duplicate.cancel' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing' })
    expect(reserve.asked).toHaveLength(1)
  })
})

describe('a form that has another attempt', () => {
  const refused = async () => {
    const started = await arrange.reserving()
    await started.reserve.answer(err({ kind: 'formSentAlready', draftId: 'd1' }))
    return started
  }

  test('a form that has another attempt is looked up at the server', async () => {
    const { findLatestAttempt, situation } = await refused()
    expect(situation()).toEqual({
      ...initialContext,
      value: { lookingUp: 'asking' },
      unclearDraftId: 'd1',
    })
    expect(findLatestAttempt.asked).toEqual([{ uid: 'u1', draftId: 'd1' }])
    expect(isTransferAttemptOver({ kind: 'formSentAlready', draftId: 'd1' })).toBe(true)
  })

  test('a form paid before its amount changed leads to that receipt', async () => {
    const { findLatestAttempt, record, situation } = await refused()
    const earlier = { id: 'a0', draft: otherDraft, order: checkValidTransfer(otherDraft), again: null }
    await findLatestAttempt.answer(earlier)
    expect(record.asked).toEqual([{ uid: 'u1', attemptId: 'a0' }])
    await record.answer(paidAnswer)
    expect(situation()).toMatchObject({ value: 'receipt', draft, unclearDraftId: null, attempt: null })
  })

  test('an unpaid attempt of a changed form is released first', async () => {
    const { confirm, findLatestAttempt, record, release, reserve, situation } = await refused()
    const earlier = { id: 'a0', draft: otherDraft, order: checkValidTransfer(otherDraft), again: null }
    await findLatestAttempt.answer(earlier)
    await record.answer(unpaidAnswer)
    expect(situation()).toMatchObject({ value: 'editing', attempt: earlier })
    confirm('a2')
    expect(release.asked).toEqual([{ uid: 'u1', attemptId: 'a0' }])
    await release.answer({ outcome: 'released' })
    expect(reserve.asked.at(-1)).toEqual({ uid: 'u1', attempt: { ...attempt, id: 'a2' } })
  })

  test('a form whose other attempt was released meanwhile can be paid', async () => {
    const { findLatestAttempt, situation } = await refused()
    await findLatestAttempt.answer(null)
    expect(situation()).toEqual({ ...initialContext, value: 'editing' })
  })
})
