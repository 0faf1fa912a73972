import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from '../../netlify/server/endpoints/recordTransfer.ts'
import { sweep } from '../../netlify/server/endpoints/sweep.ts'
import { createWorld, MINUTE, requestOf, type World } from '../../netlify/testing/world.ts'
import { Usage } from './chosenSettings.ts'
import { payments } from './payments.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterEach(() => expect(world.sandbox.unknownCalls).toEqual([]))
afterAll(() => world.close())

const ask = (...command: string[]) => payments(world.context, ...command)
const begin = (uid: string, changes: Parameters<typeof requestOf>[1] = {}) =>
  createPaymentIntent(world.context, { uid }, requestOf(uid, changes))
const free = (couponCode: string) => ({ couponCode, expected: { fee: 0, converted: 1_060_000 } })

test('a deployment that nobody has paid with yet', async () => {
  expect(await ask('show')).toEqual([
    'People can pay.',
    'The records were never compared with Stripe.',
    'No coupon has ended.',
  ])
  await sweep(world.context)
  expect(await ask('show')).toContain('The records were compared with Stripe at 2026-11-20 12:00:00 UTC.')
})

test('payments closed by hand stay so until somebody opens them; what was begun is settled', async () => {
  const uid = await world.person()
  const request = requestOf(uid)
  const begun = await createPaymentIntent(world.context, { uid }, request)
  expect((await ask('close'))[0]).toBe(
    'Nobody can pay since 2026-11-20 12:00:00 UTC: somebody closed them by hand.',
  )
  expect(await begin(uid, { attemptId: crypto.randomUUID() })).toMatchObject({
    error: { code: 'paymentsClosed' },
  })
  await world.pay(begun.ok ? begun.value.paymentIntentId : '')
  expect(await recordTransfer(world.context, { uid }, { attemptId: request.attemptId })).toMatchObject({
    value: { outcome: 'paid' },
  })
  world.pass(15 * MINUTE)
  expect(await sweep(world.context)).toEqual({ closed: 1 })
  expect((await ask('open'))[0]).toBe('People can pay.')
  expect(await begin(uid)).toMatchObject({ ok: true })
})

test('payments are not opened over what the database does not know; rebuilt they are', async () => {
  await sweep(world.context)
  const uid = await world.person()
  const backup = world.sandbox.firestore.dump()
  const begun = await begin(uid)
  const id = begun.ok ? begun.value.paymentIntentId : ''
  await world.pay(id)
  world.sandbox.firestore.load(backup)
  await recordTransfer(world.context, { uid }, { paymentIntentId: id })
  expect(await ask('show')).toEqual([
    'Nobody can pay since 2026-11-20 12:00:00 UTC: Stripe has payments that the database does not know.',
    'The records were compared with Stripe at 2026-11-20 12:00:00 UTC.',
    `The database knows no attempt for ${id}.`,
    'No coupon has ended.',
  ])
  expect(await ask('open')).toEqual([
    'Payments stay closed: Stripe has payments or plans that the database does not know. Rebuild first.',
  ])
  expect(await begin(uid)).toMatchObject({ error: { code: 'paymentsClosed' } })
  expect(await ask('rebuild')).toEqual([
    'Payments that were written again or were open: 1 paid.',
    'Customers that were written again: 1. Plans that were compared: 0. Checkouts that were ended: 0.',
    'People can pay.',
    'The records were compared with Stripe at 2026-11-20 12:00:00 UTC.',
    'No coupon has ended.',
  ])
  expect((await world.checkInvariants({ quiet: true })).transactions.size).toBe(1)
})

test('a coupon that has ended is refused, however it is written; what was begun keeps its price', async () => {
  const uid = await world.person()
  const before = requestOf(uid, free('ZERO'))
  const begun = await createPaymentIntent(world.context, { uid }, before)
  expect(await ask('end-coupon', 'zéro')).toContain('Ended coupons: ZERO.')
  for (const written of ['ZERO', 'zero', 'Zéro'])
    expect(await begin(uid, free(written))).toMatchObject({ error: { code: 'couponEnded', status: 409 } })
  expect(await begin(uid, { couponCode: 'FRIENDS' })).toMatchObject({ ok: true })
  // Each call opens the saved cards anew.
  const again = { ...(begun.ok && begun.value), customerSession: expect.any(String) }
  expect(await createPaymentIntent(world.context, { uid }, before)).toEqual({ ok: true, value: again })
  await world.pay(begun.ok ? begun.value.paymentIntentId : '')
  expect(await recordTransfer(world.context, { uid }, { attemptId: before.attemptId })).toMatchObject({
    value: { outcome: 'paid', transaction: { fees: 0, couponCode: 'ZERO' } },
  })
  // The sweep, which writes the same document, leaves it ended.
  world.pass(15 * MINUTE)
  await sweep(world.context)
  expect(await begin(uid, free('ZERO'))).toMatchObject({ error: { code: 'couponEnded' } })
  expect(await ask('allow-coupon', 'ZERO')).toContain('No coupon has ended.')
  expect(await begin(uid, free('ZERO'))).toMatchObject({ ok: true })
})

test.each([[[]], [['shut']], [['end-coupon']]])('%j is no command', async (command: string[]) => {
  await expect(ask(...command)).rejects.toThrow(Usage)
})
