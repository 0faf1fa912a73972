import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../../domain/duration.ts'
import { byHand } from '../../netlify/server/deliveries/byHand.ts'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from '../../netlify/server/endpoints/recordTransfer.ts'
import { sweep } from '../../netlify/server/endpoints/sweep.ts'
import { claim } from '../../netlify/server/operations/handPayments.ts'
import { rebuild } from '../../netlify/server/operations/rebuild.ts'
import { tellDelivery } from '../../netlify/server/payments/deliver.ts'
import { changeState } from '../../netlify/server/platform/closing.ts'
import { crashAt } from '../../netlify/testing/crashAt.ts'
import { createWorld, requestOf, type World } from '../../netlify/testing/world.ts'
import { CommandError } from './commandError.ts'
import { runCommand } from './commands.ts'
import { openPayments } from './payments.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterEach(() => expect(world.sandbox.unknownCalls).toEqual([]))
afterAll(() => world.close())

const ask = async (command: string) => (await runCommand(world.context, command.split(' '))).lines
const begin = (uid: string, changes: Parameters<typeof requestOf>[1] = {}) =>
  createPaymentIntent(world.context, { uid }, requestOf(uid, changes))
const free = (couponCode: string) => ({ couponCode, expected: { fee: 0, converted: 1_060_000 } })

test('a deployment that nobody has paid with yet', async () => {
  expect(await ask('payments show')).toEqual([
    'People can pay.',
    'The records were never compared with Stripe.',
    'No coupon has ended.',
  ])
  await sweep(world.context)
  expect(await ask('payments show')).toContain(
    'The records were compared with Stripe at 2026-11-20 12:00:00 UTC.',
  )
})

test('payments closed by hand stay so until somebody opens them; what was begun is settled', async () => {
  const uid = await world.person()
  const request = requestOf(uid)
  const begun = await createPaymentIntent(world.context, { uid }, request)
  expect((await ask('payments close'))[0]).toBe(
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
  expect((await ask('payments open'))[0]).toBe('People can pay.')
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
  expect(await ask('payments show')).toEqual([
    'Nobody can pay since 2026-11-20 12:00:00 UTC: Stripe has payments that the database does not know.',
    'The records were compared with Stripe at 2026-11-20 12:00:00 UTC.',
    `The database knows no attempt for ${id}.`,
    'No coupon has ended.',
  ])
  expect(await ask('payments open')).toEqual([
    'Payments stay closed: Stripe has payments or plans that the database does not know. Rebuild first.',
  ])
  expect(await begin(uid)).toMatchObject({ error: { code: 'paymentsClosed' } })
  expect(await ask('payments rebuild')).toEqual([
    'Payments that were written again or were open: 1 paid.',
    'Customers that were written again: 1. Plans that were compared: 0. Checkouts that were ended: 0.',
    'People can pay.',
    'The records were compared with Stripe at 2026-11-20 12:00:00 UTC.',
    'No coupon has ended.',
  ])
  expect((await world.checkInvariants({ quiet: true })).transactions.size).toBe(1)
})

describe('a rebuilding that was cut off', () => {
  afterEach(() => world.payOutBy())

  /** A transfer that people paid, in a database that does not know; the rebuilding of it dies at that step. */
  async function cutOff(diesAt: number) {
    world.payOutBy(byHand)
    const uid = await world.person()
    const request = requestOf(uid)
    const begun = await createPaymentIntent(world.context, { uid }, request)
    const id = begun.ok ? begun.value.paymentIntentId : ''
    await world.pay(id)
    await recordTransfer(world.context, { uid }, { attemptId: request.attemptId })
    await sweep(world.context)
    const backup = world.sandbox.firestore.dump()
    await claim(world.context, { batch: 'b1', by: 'Awa', ids: [id] })
    await tellDelivery(world.context, id, () => ({ type: 'order.arrived', proof: 'PP1', at: world.now() }))
    world.sandbox.firestore.load(backup)
    await ask('payments close')
    const { context, life } = crashAt(world.context, diesAt, 'before')
    await rebuild(context).catch(() => null)
    expect(life.dead).toBe(true)
    const order = async () => (await world.context.db.doc(`deliveries/${id}`).get()).data()
    return { id, order, uid }
  }

  // The first step says that it has begun.
  test.each([2, 3, 4, 5, 6])(
    'before step %i opens nothing, and protects what people may have paid',
    async (step) => {
      const { id, order, uid } = await cutOff(step)
      const before = world.sandbox.firestore.dump()
      expect(await ask('payments open')).toEqual([
        'Payments stay closed: a rebuilding has begun and has not ended. Rebuild again: what was done stays done.',
      ])
      // Nor is anything taken for compared that the rebuilding has yet to look at.
      expect(world.sandbox.firestore.dump()).toEqual(before)
      expect(await begin(uid, { attemptId: crypto.randomUUID() })).toMatchObject({
        error: { code: 'paymentsClosed' },
      })
      expect(await claim(world.context, { batch: 'b2', by: 'Awa', ids: [id] })).toBe(null)
      expect(await ask('payments rebuild')).toContain('People can pay.')
      expect(await order()).toMatchObject({ state: 'held', holds: ['restored'] })
      expect(await claim(world.context, { batch: 'b3', by: 'Awa', ids: [id] })).toEqual(
        new Map([[id, 'notDue']]),
      )
    },
  )

  test('is what payments are closed for, whatever they were closed for before, and since then', async () => {
    await cutOff(2)
    world.pass(MINUTE)
    await ask('payments close')
    expect((await ask('payments show'))[0]).toBe(
      'Nobody can pay since 2026-11-20 12:00:00 UTC: the records are being rebuilt.',
    )
  })
})

test('payments are not opened over a rebuilding that begins while they are compared', async () => {
  await ask('payments close')
  const { stripe } = world.context
  const list = async (...asked: Parameters<typeof stripe.subscriptions.list>) => {
    await rebuild(crashAt(world.context, 2, 'before').context).catch(() => null)
    return stripe.subscriptions.list(...asked)
  }
  const subscriptions = Object.create(stripe.subscriptions, { list: { value: list } })
  const context = {
    ...world.context,
    stripe: Object.create(stripe, { subscriptions: { value: subscriptions } }),
  }
  expect((await openPayments(context))[0]).toMatch(/: the records are being rebuilt\.$/)
  expect(world.logged).not.toContainEqual(expect.objectContaining({ event: 'paymentsOpened' }))
})

test('a coupon that has ended is refused, however it is written; what was begun keeps its price', async () => {
  const uid = await world.person()
  const before = requestOf(uid, free('ZERO'))
  const begun = await createPaymentIntent(world.context, { uid }, before)
  expect(await ask('coupon end zéro')).toContain('Ended coupons: ZERO.')
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
  expect(await ask('coupon allow ZERO')).toContain('No coupon has ended.')
  expect(await begin(uid, free('ZERO'))).toMatchObject({ ok: true })
})

test('a coupon that does not exist is not ended: a slip of the pen would leave the real one good', async () => {
  await expect(ask('coupon end ZER0')).rejects.toThrow(
    "There is no coupon ZER0. The app knows ZERO; 'payments show' lists the ended ones.",
  )
  await expect(ask('coupon allow ZER0')).rejects.toThrow(CommandError)
  expect(await ask('payments show')).toContain('No coupon has ended.')
})

test('a coupon that was ended in another version can be allowed again', async () => {
  await changeState(world.context, (state) => ({ ...state, endedCoupons: ['ZER0', 'FRIENDS'] }))
  expect(await ask('coupon allow zer0')).toContain('Ended coupons: FRIENDS.')
  await expect(ask('coupon end friends')).rejects.toThrow(CommandError)
})
