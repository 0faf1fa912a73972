import { HOUR } from '../../domain/duration.ts'
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type AnyActorLogic, createActor, toPromise } from 'xstate'
import { EMPTY_SUBSCRIPTION } from '../../domain/plans.ts'
import { readRefusal } from '../../domain/refusals.ts'
import type { Subscription } from '../../domain/schemas/profile.ts'
import { checkTransfer, EMPTY_DRAFT } from '../../domain/transfer.ts'
import { ServiceError } from '../browser/failure.ts'
import { serverNow } from '../browser/serverTime.ts'
import { databaseOf } from '../cache/database.ts'
import { keepLedger } from '../cache/plans.ts'
import { transfer } from './transfer.ts'

const { callFunction } = vi.hoisted(() => ({ callFunction: vi.fn() }))
vi.mock('../services/functions.ts', () => ({ callFunction }))

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  callFunction.mockReset()
  return () => vi.unstubAllGlobals()
})

const uid = 'u1'
const draft = {
  ...EMPTY_DRAFT,
  amount: '100',
  phone: '+224620000000',
  coupon: 'zéro',
  phoneConfirmed: true,
}
const checked = checkTransfer(draft, { subscription: EMPTY_SUBSCRIPTION, now: 0 })
if (!checked.ok) throw new Error('The form of this test is not valid')
const attempt = { id: 'a1', draft, order: checked.value, again: 'pi_0' }

const reserve = () => {
  const logic = transfer.implementations.actors.reserve as AnyActorLogic
  return toPromise(createActor(logic, { input: { uid, attempt } }).start())
}

const refuse = (code: string, details: object, status = 409) =>
  callFunction.mockRejectedValueOnce(
    new ServiceError({ kind: 'function', status, error: '', message: '', ...readRefusal(code, details) }),
  )

const basic: Subscription = { ...EMPTY_SUBSCRIPTION, tier: 'basic', status: 'active', transactionsLeft: 1 }
const ledgerOf = (reservedSlots: number) => ({
  month: '2026-11',
  recordedCents: 0,
  reservedCents: 0,
  reservedSlots,
})

test('what the person was asked about is named', async () => {
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

test('a price that is refused brings its facts, for the machine and for the next start', async () => {
  const { profiles, ledgers, attempts } = await databaseOf(uid)
  await profiles.put({ uid, email: null, name: 'Awa', phone: null, subscription: EMPTY_SUBSCRIPTION })
  const facts = { at: serverNow(), subscription: basic, ledger: ledgerOf(1) }
  refuse('quoteChanged', { fee: 300, net: 9700, converted: 1, feeRule: 'default', ...facts })
  expect(await reserve()).toEqual({ ok: false, error: { kind: 'quoteChanged', facts } })
  await vi.waitFor(async () => expect(await ledgers.toArray()).toEqual([{ ...ledgerOf(1), asOf: facts.at }]))
  expect(await profiles.get(uid)).toMatchObject({ name: 'Awa', subscription: basic })
  expect(await attempts.get('a1')).toBe(undefined)
})

test('the same that the server knows of is the question of the device', async () => {
  const duplicate = { id: 'pi_9', phone: '+224620000000', at: 5, isPaid: true }
  refuse('sentAlready', { ...duplicate, amount: 10_000, currency: 'EUR' })
  expect(await reserve()).toEqual({
    ok: false,
    error: { kind: 'sentAlready', duplicate: { ...duplicate, gross: { minor: 10_000, currency: 'EUR' } } },
  })
  expect(await (await databaseOf(uid)).attempts.get('a1')).toBe(undefined)
})

test.each([
  ['couponEnded', 409, {}, { coupon: 'zéro' }],
  ['paymentsPaused', 403, {}, {}],
  ['paymentsClosed', 503, {}, {}],
  ['tooManyDeclines', 429, { retryAfterSeconds: 60 }, { retryAfterSeconds: 60 }],
])('%s', async (kind, status, details, more) => {
  refuse(kind, details, status)
  expect(await reserve()).toEqual({ ok: false, error: { kind, ...more } })
})

test.each([
  [409, 'MONTHLY_CAP_EXCEEDED', 'Plafond atteint.', { kind: 'capReached', message: 'Plafond atteint.' }],
  [400, 'Minimum transfer amount is €10', '', { kind: 'refused', said: 'Minimum transfer amount is €10' }],
])('an answer of status %d with nothing but its words: %s', async (status, error, message, refusal) => {
  callFunction.mockRejectedValueOnce(
    new ServiceError({ kind: 'function', status, code: '', error, message, details: {} }),
  )
  expect(await reserve()).toEqual({ ok: false, error: refusal })
})

describe('what is known of a month', () => {
  const known = async () => (await databaseOf(uid)).ledgers.toArray()
  beforeEach(async () => (await databaseOf(uid)).ledgers.clear())

  test('gives way to what is newer, not to an answer that was asked for before', async () => {
    const at = serverNow() - 10_000
    await keepLedger(uid, ledgerOf(1), at)
    await keepLedger(uid, ledgerOf(0), at - 1)
    expect(await known()).toEqual([{ ...ledgerOf(1), asOf: at }])
    await keepLedger(uid, { ...ledgerOf(2), month: '2026-12' }, at + 1)
    expect(await known()).toEqual([{ ...ledgerOf(2), month: '2026-12', asOf: at + 1 }])
  })

  test('nor does it stand for as long as a clock was ahead', async () => {
    await keepLedger(uid, ledgerOf(1), serverNow() + HOUR)
    const at = serverNow()
    await keepLedger(uid, ledgerOf(0), at)
    expect(await known()).toEqual([{ ...ledgerOf(0), asOf: at }])
  })
})
