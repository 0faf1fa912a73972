import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type AnyActorLogic, createActor, toPromise } from 'xstate'
import type { LatestAttempt } from '../../domain/api/api.ts'
import { buildTransferDraft } from '../../domain/transfers/transfer.ts'
import { attempt as invoiceAttempt } from '../../machines/testing/invoiceSituations.ts'
import {
  attempt,
  buildReserveAnswer,
  paidAnswer,
  payment,
} from '../../machines/testing/transferSituations.ts'
import { forgetUserData } from '../browser/deviceSession.ts'
import { reportFirstScreen } from '../browser/firstScreen.ts'
import { deviceStore } from '../browser/storage.ts'
import { stubStorage } from '../browser/testing/stubStorage.ts'
import { openUserDatabase, type UserDatabase } from '../cache/database.ts'
import { findOpenPayment } from '../cache/openWork.ts'
import { invoiceLogic } from './invoice.ts'
import { transferLogic } from './transfer.ts'

const { callFunction, device } = vi.hoisted(() => ({ callFunction: vi.fn(), device: { isStuck: false } }))
vi.mock('../services/functions.ts', () => ({ callFunction }))
vi.mock('../cache/database.ts', async (importOriginal) => {
  const real = await importOriginal<typeof import('../cache/database.ts')>()
  const withRows: typeof real.withRows = (uid, work) =>
    device.isStuck ? new Promise(() => {}) : real.withRows(uid, work)
  return { ...real, withRows }
})

let people = 0
let uid = ''
beforeEach(() => {
  stubStorage()
  callFunction.mockReset()
  device.isStuck = false
  people += 1
  uid = `checkout-${people}`
  return () => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }
})

type Logic = typeof transferLogic | typeof invoiceLogic
type Name = keyof (typeof transferLogic)['implementations']['actors']

const run = (name: Name, more: object = {}, logic: Logic = transferLogic): Promise<unknown> =>
  toPromise(
    createActor(logic.implementations.actors[name] as AnyActorLogic, { input: { uid, ...more } }).start(),
  )
const reserve = (logic: Logic = transferLogic) => {
  const { clientSecret, paymentIntentId, customerSession } = payment
  const status = 'requires_payment_method'
  callFunction.mockResolvedValueOnce({ clientSecret, paymentIntentId, customerSession, status })
  return run('reserve', { attempt: logic === invoiceLogic ? invoiceAttempt : attempt }, logic)
}
const forgetRows = async ({ attempts, invoiceAttempts }: UserDatabase) => {
  await attempts.clear()
  await invoiceAttempts.clear()
}

test('the server is asked about earlier payments after the first screen', async () => {
  callFunction.mockResolvedValueOnce({ attempt: null })
  const asking = run('findLatestAttempt', { draftId: null })
  await vi.dynamicImportSettled()
  expect(callFunction).not.toHaveBeenCalled()
  reportFirstScreen()
  expect(await asking).toBeNull()
  expect(callFunction).toHaveBeenCalledOnce()
})

describe.each([
  ['transfer', transferLogic, attempt],
  ['invoice', invoiceLogic, invoiceAttempt],
] as const)('an open %s', (kind, logic, own) => {
  test(`an open ${kind} is found although the device’s database does not answer`, async () => {
    await reserve(logic)
    device.isStuck = true
    expect(await run('findOpenAttempt', {}, logic)).toEqual(own)
    expect(await findOpenPayment(uid)).toEqual({ attemptId: own.id, isUnpaid: true })
  })

  test(`an open ${kind} is found although the device’s database has lost it`, async () => {
    await reserve(logic)
    await forgetRows(await openUserDatabase(uid))
    expect(await run('findOpenAttempt', {}, logic)).toEqual(own)
  })

  test(`an open ${kind} is found although localStorage has lost it`, async () => {
    await reserve(logic)
    deviceStore.set('openPayments', null)
    expect(await run('findOpenAttempt', {}, logic)).toEqual(own)
  })

  test(`an open ${kind} with an unreadable copy is asked about`, async () => {
    await reserve(logic)
    await forgetRows(await openUserDatabase(uid))
    const otherAttempt = { ...own, order: { amount: 'of another version' } }
    const spoil = () => deviceStore.set('openPayments', [{ uid, kind, attempt: otherAttempt }])
    spoil()
    await expect(run('findOpenAttempt', {}, logic)).rejects.toThrow('could not read')

    const { id: attemptId, order } = own
    const found = { attemptId, transfer: null, invoice: null, [kind]: order }
    callFunction.mockResolvedValueOnce({ attempt: found })
    expect(await run('findLatestAttempt', { draftId: null }, logic)).toMatchObject({ id: own.id, order })
    expect(await run('findOpenAttempt', {}, logic)).toMatchObject({ id: own.id, order })

    spoil()
    callFunction.mockResolvedValueOnce({ attempt: null })
    expect(await run('findLatestAttempt', { draftId: null }, logic)).toBeNull()
    expect(await run('findOpenAttempt', {}, logic)).toBeNull()
  })

  test(`a copy of an open ${kind} stays while the server can’t answer`, async () => {
    await reserve(logic)
    deviceStore.set('openPayments', [{ uid, kind, attempt: { id: own.id } }])
    callFunction.mockRejectedValueOnce(new Error('cut'))
    await expect(run('findLatestAttempt', { draftId: null }, logic)).rejects.toThrow('cut')
    await expect(run('findOpenAttempt', {}, logic)).rejects.toThrow('could not read')
  })

  test(`the search finds no ${kind} of another user or an ended one`, async () => {
    await reserve(logic)
    const [owner, other] = [uid, `${uid}-other`]
    uid = other
    expect(await run('findOpenAttempt', {}, logic)).toBeNull()
    uid = owner
    callFunction.mockResolvedValueOnce({ outcome: 'released' })
    await run('release', { attemptId: own.id }, logic)
    expect(await run('findOpenAttempt', {}, logic)).toBeNull()
    expect(deviceStore.get('openPayments')).toBeNull()
  })

  test(`the search for an open ${kind} fails if earlier rows are unreadable`, async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('', 'UnknownError')
    })
    await expect(run('findOpenAttempt', {}, logic)).rejects.toThrow('could not read')
  })
})

test('a copy keeps its PaymentIntent’s ID after a restart', async () => {
  await reserve()
  await run('findOpenAttempt')
  expect(deviceStore.get('openPayments')).toMatchObject([{ paymentIntentId: payment.paymentIntentId }])
})

test('second copies of open payments are deleted with the user’s data', async () => {
  await reserve()
  expect(deviceStore.get('openPayments')).toHaveLength(1)
  forgetUserData(uid)
  expect(deviceStore.get('openPayments')).toBeNull()
})

test.each(['record', 'release'] as const)(
  'a late answer to %s does not mark a card as uncharged',
  async (name) => {
    await reserve()
    const late = Promise.withResolvers()
    callFunction.mockReturnValueOnce(late.promise)
    const input = { uid, attemptId: attempt.id }
    const asking = createActor(transferLogic.implementations.actors[name] as AnyActorLogic, { input }).start()
    await vi.waitFor(() => expect(callFunction).toHaveBeenCalledTimes(2))
    asking.stop()
    // The user is paying the same attempt again.
    deviceStore.set('unconfirmed', null)
    late.resolve({ outcome: 'unpaid', status: 'requires_payment_method' })
    await vi.dynamicImportSettled()
    expect(await findOpenPayment(uid)).toEqual({ attemptId: attempt.id, isUnpaid: false })
  },
)

test('the server’s latest transfer resumes with its own form', async () => {
  const { id: attemptId, order: transfer } = attempt
  const found: LatestAttempt = { attemptId, transfer, invoice: null }
  callFunction.mockResolvedValueOnce({ attempt: found })
  const draft = buildTransferDraft(transfer, 'fr')
  expect(await run('findLatestAttempt', { draftId: null })).toEqual({ ...attempt, draft })
  expect(draft).toEqual({ ...attempt.draft, phoneConfirmed: false })
  expect(callFunction.mock.calls[0]).toMatchObject([
    { name: 'latest-attempt' },
    { kind: 'transfer', draftId: null },
  ])
})

test('the server’s latest invoice resumes with its own form', async () => {
  const { id: attemptId, order: invoice } = invoiceAttempt
  callFunction.mockResolvedValueOnce({ attempt: { attemptId, transfer: null, invoice } })
  expect(await run('findLatestAttempt', { draftId: null }, invoiceLogic)).toEqual(invoiceAttempt)
})

test('a transfer whose end this device knows is not resumed', async () => {
  callFunction.mockResolvedValueOnce({ outcome: 'refunded' })
  await run('record', { attemptId: attempt.id })
  const { id: attemptId, order: transfer } = attempt
  callFunction.mockResolvedValueOnce({ attempt: { attemptId, transfer, invoice: null } })
  expect(await run('findLatestAttempt', { draftId: null })).toBeNull()
})

test('a form finds its own attempt, even an ended one', async () => {
  const { id: attemptId, order: transfer } = attempt
  deviceStore.set('endedAttempt', attemptId)
  callFunction.mockResolvedValueOnce({ attempt: { attemptId, transfer, invoice: null } })
  expect(await run('findLatestAttempt', { draftId: 'd1' })).toMatchObject({ id: attemptId })
  expect(callFunction.mock.calls[0]?.[1]).toEqual({ kind: 'transfer', draftId: 'd1' })
})

test('no latest attempt is found if the server has none', async () => {
  callFunction.mockResolvedValueOnce({ attempt: null })
  expect(await run('findLatestAttempt', { draftId: null })).toBeNull()
})

test.each([
  ['a reservation', () => reserve(), buildReserveAnswer()],
  [
    'a receipt',
    () => {
      const receipt = 'receipt' in paidAnswer ? paidAnswer.receipt : null
      callFunction.mockResolvedValueOnce({ outcome: 'paid', transaction: receipt })
      return run('record', { attemptId: 'a1' })
    },
    paidAnswer,
  ],
])('%s waits three seconds at most for a device’s storage', async (_, act, answer) => {
  device.isStuck = true
  const begun = Date.now()
  expect(await act()).toEqual(answer)
  expect(Date.now() - begun).toBeLessThan(3500)
})
