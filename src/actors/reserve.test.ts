import { HOUR } from '../../domain/common/duration.ts'
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type AnyActorLogic, createActor, toPromise } from 'xstate'
import type { Subscription } from '../../domain/account/profileSchema.ts'
import { parseRefusal } from '../../domain/errors/refusals.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import { checkTransfer, EMPTY_TRANSFER_DRAFT } from '../../domain/transfers/transfer.ts'
import { ServiceError } from '../browser/failure.ts'
import { serverNow } from '../browser/serverTime.ts'
import { openUserDatabase } from '../cache/database.ts'
import { getDraftId } from '../cache/openWork.ts'
import { saveLedger } from '../cache/plans.ts'
import { transferLogic } from './transfer.ts'

const { callFunction } = vi.hoisted(() => ({ callFunction: vi.fn() }))
vi.mock('../services/functions.ts', () => ({ callFunction }))

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  callFunction.mockReset()
  return () => vi.unstubAllGlobals()
})

const uid = 'u1'
const draft = {
  ...EMPTY_TRANSFER_DRAFT,
  amount: '100',
  phone: '+224620000000',
  coupon: 'zéro',
  phoneConfirmed: true,
}
const checked = checkTransfer(draft, { subscription: EMPTY_SUBSCRIPTION, now: 0 })
if (!checked.ok) throw new Error('The form of this test is invalid')
const attempt = { id: 'a1', draft, order: checked.value, again: 'pi_0' }

const reserve = () => {
  const logic = transferLogic.implementations.actors.reserve as AnyActorLogic
  return toPromise(createActor(logic, { input: { uid, attempt } }).start())
}

const buildFailure = (code: string, details: object, status: number) => ({
  ...{ kind: 'function' as const, status, error: '', message: '' },
  ...parseRefusal(code, details),
})

const refuse = (code: string, details: object, status = 409) =>
  callFunction.mockRejectedValueOnce(new ServiceError(buildFailure(code, details, status)))

const basic: Subscription = { ...EMPTY_SUBSCRIPTION, tier: 'basic', status: 'active', transactionsLeft: 1 }
const buildLedger = (reservedSlots: number) => ({
  month: '2026-11',
  recordedCents: 0,
  reservedCents: 0,
  reservedSlots,
})

test('a reservation sends the ID of the duplicate that the user confirmed', async () => {
  callFunction.mockResolvedValueOnce({
    clientSecret: 's',
    paymentIntentId: 'pi_1',
    customerSession: null,
    status: 'x',
  })
  await reserve()
  expect(callFunction.mock.calls[0]).toMatchObject([
    { name: 'create-payment-intent' },
    { attemptId: 'a1', again: 'pi_0', expected: { fee: 0 } },
  ])
})

test('a refused price stores the plan and ledger of the refusal', async () => {
  const { profiles, ledgers, attempts } = await openUserDatabase(uid)
  await profiles.put({ uid, email: null, name: 'Awa', phone: null, subscription: EMPTY_SUBSCRIPTION })
  const facts = { at: serverNow(), subscription: basic, ledger: buildLedger(1) }
  refuse('quoteChanged', { fee: 300, net: 9700, converted: 1, feeRule: 'default', ...facts })
  expect(await reserve()).toEqual({ ok: false, error: { kind: 'quoteChanged', facts } })
  await vi.waitFor(async () =>
    expect(await ledgers.toArray()).toEqual([{ ...buildLedger(1), asOf: facts.at }]),
  )
  expect(await profiles.get(uid)).toMatchObject({ name: 'Awa', subscription: basic })
  expect(await attempts.get('a1')).toBe(undefined)
})

test('a refused duplicate is returned, and its attempt is forgotten', async () => {
  const duplicate = { id: 'pi_9', phone: '+224620000000', at: 5, isPaid: true }
  refuse('sentAlready', { ...duplicate, amount: 10_000, currency: 'EUR' })
  expect(await reserve()).toEqual({
    ok: false,
    error: { kind: 'sentAlready', duplicate: { ...duplicate, gross: { minor: 10_000, currency: 'EUR' } } },
  })
  expect(await (await openUserDatabase(uid)).attempts.get('a1')).toBe(undefined)
})

test('a refusal for another attempt of the form forgets this one', async () => {
  refuse('formSentAlready', {})
  expect(await reserve()).toEqual({ ok: false, error: { kind: 'formSentAlready', draftId: getDraftId() } })
  expect(callFunction.mock.calls[0]?.[1]).toMatchObject({ draftId: getDraftId() })
  expect(await (await openUserDatabase(uid)).attempts.get('a1')).toBe(undefined)
})

test.each([
  ['couponEnded', 409, {}, { coupon: 'zéro' }],
  ['walletMissing', 409, {}, {}],
  ['paymentsPaused', 403, {}, {}],
  ['paymentsClosed', 503, {}, {}],
  ['tooManyDeclines', 429, { retryAfterSeconds: 60 }, { retryAfterSeconds: 60 }],
])('a reservation returns the refusal %s', async (kind, status, details, more) => {
  refuse(kind, details, status)
  expect(await reserve()).toEqual({ ok: false, error: { kind, ...more } })
})

test.each([
  ['tooManyUndelivered', { retryAfterSeconds: 60, until: 5 }],
  ['movedToMars', {}],
  ['', {}],
])('a refusal that only needs a text is passed on: %s', async (code, details) => {
  const failure = { ...buildFailure(code, details, 429), error: 'No' }
  callFunction.mockRejectedValueOnce(new ServiceError(failure))
  expect(await reserve()).toEqual({ ok: false, error: { kind: 'refused', failure } })
})

test('a reservation recognizes the reached cap by its text', async () => {
  const [error, message] = ['MONTHLY_CAP_EXCEEDED', 'Plafond atteint.']
  callFunction.mockRejectedValueOnce(new ServiceError({ ...buildFailure('', {}, 409), error, message }))
  expect(await reserve()).toEqual({ ok: false, error: { kind: 'capReached', message } })
})

describe('the stored ledger', () => {
  const known = async () => (await openUserDatabase(uid)).ledgers.toArray()
  beforeEach(async () => (await openUserDatabase(uid)).ledgers.clear())

  test('the stored ledger is replaced only by a newer response', async () => {
    const at = serverNow() - 10_000
    await saveLedger(uid, buildLedger(1), at)
    await saveLedger(uid, buildLedger(0), at - 1)
    expect(await known()).toEqual([{ ...buildLedger(1), asOf: at }])
    await saveLedger(uid, { ...buildLedger(2), month: '2026-12' }, at + 1)
    expect(await known()).toEqual([{ ...buildLedger(2), month: '2026-12', asOf: at + 1 }])
  })

  test('a ledger dated in the future by a fast clock is replaced', async () => {
    await saveLedger(uid, buildLedger(1), serverNow() + HOUR)
    const at = serverNow()
    await saveLedger(uid, buildLedger(0), at)
    expect(await known()).toEqual([{ ...buildLedger(0), asOf: at }])
  })
})
