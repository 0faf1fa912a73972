import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { MINUTE } from '../../domain/common/duration.ts'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { runDueWork } from '../../netlify/server/endpoints/dueWork.ts'
import { recordTransfer } from '../../netlify/server/endpoints/recordTransfer.ts'
import { changePaymentsState } from '../../netlify/server/payments/paymentsState.ts'
import { buildTransferRequest, createWorld, type World } from '../../netlify/testing/world.ts'
import { CommandError } from './commandError.ts'
import { runCommand } from './commands.ts'
import { addSignature } from './testing/addSignature.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterEach(() => expect(world.sandbox.unknownCalls).toEqual([]))
afterAll(() => world.close())

const ask = async (command: string) => {
  const words = command.split(' ')
  return (await runCommand(world.context, words, addSignature(words))).lines
}
const begin = (uid: string, changes: Parameters<typeof buildTransferRequest>[1] = {}) =>
  createPaymentIntent(world.context, { uid }, buildTransferRequest(uid, changes))
const free = (couponCode: string) => ({ couponCode, expected: { fee: 0, converted: 1_060_000 } })

test('payments are open except between an operator’s closing and opening', async () => {
  const uid = await world.person()
  expect(await ask('payments show')).toEqual(['Payments are open.', 'No coupon has ended.'])
  expect((await ask('payments close'))[0]).toBe('Payments have been closed since 2026-11-20 12:00:00 UTC.')
  world.pass(MINUTE)
  expect((await ask('payments close'))[0]).toBe('Payments have been closed since 2026-11-20 12:00:00 UTC.')
  expect(await begin(uid)).toMatchObject({ error: { code: 'paymentsClosed' } })
  expect((await ask('payments open'))[0]).toBe('Payments are open.')
  expect(await begin(uid)).toMatchObject({ ok: true })
})

test('unknown payments are listed and refunded one by one', async () => {
  expect(await ask('unknown-payments list')).toEqual(['No payment of the last 30 days waits for a decision.'])
  const uid = await world.person()
  const backup = world.sandbox.firestore.dump()
  const begun = await begin(uid)
  const id = begun.ok ? begun.value.paymentIntentId : ''
  await world.pay(id)
  world.sandbox.firestore.load(backup)
  expect(await ask('unknown-payments list')).toEqual([
    `${id}: user ${uid} paid €100.00 at 2026-11-20 12:00:00 UTC.`,
  ])
  expect(await ask(`unknown-payments refund ${id}`)).toEqual([`${id}: Stripe has refunded it.`])
  expect(await ask('unknown-payments list')).toEqual(['No payment of the last 30 days waits for a decision.'])
  expect(await ask('unknown-payments refund pi_unlisted')).toEqual([
    'pi_unlisted: nothing was changed, because it is not an unknown payment.',
  ])
})

test('an ended coupon is refused, except for payments in progress', async () => {
  const uid = await world.person()
  const before = buildTransferRequest(uid, free('ZERO'))
  const begun = await createPaymentIntent(world.context, { uid }, before)
  expect(await ask('coupon end zéro')).toContain('Ended coupons: ZERO.')
  for (const written of ['ZERO', 'zero', 'Zéro'])
    expect(await begin(uid, free(written))).toMatchObject({ error: { code: 'couponEnded', status: 409 } })
  expect(await begin(uid, { couponCode: 'FRIENDS' })).toMatchObject({ ok: true })
  // Each call opens a new customer session.
  const again = { ...(begun.ok && begun.value), customerSession: expect.any(String) }
  expect(await createPaymentIntent(world.context, { uid }, before)).toEqual({ ok: true, value: again })
  await world.pay(begun.ok ? begun.value.paymentIntentId : '')
  expect(await recordTransfer(world.context, { uid }, { attemptId: before.attemptId })).toMatchObject({
    value: { outcome: 'paid', transaction: { fees: 0, couponCode: 'ZERO' } },
  })
  // The due-work job writes the same document, and must keep the ended coupons.
  world.pass(15 * MINUTE)
  await runDueWork(world.context)
  expect(await begin(uid, free('ZERO'))).toMatchObject({ error: { code: 'couponEnded' } })
  expect(await ask('coupon allow ZERO')).toContain('No coupon has ended.')
  expect(await begin(uid, free('ZERO'))).toMatchObject({ ok: true })
})

test('ending an unknown coupon is refused', async () => {
  await expect(ask('coupon end ZER0')).rejects.toThrow(
    "There is no coupon ZER0. The app has ZERO; 'payments show' lists ended coupons.",
  )
  await expect(ask('coupon allow ZER0')).rejects.toThrow(CommandError)
  expect(await ask('payments show')).toContain('No coupon has ended.')
})

test('a coupon ended in another version can be allowed again', async () => {
  await changePaymentsState(world.context, (state) => ({ ...state, endedCoupons: ['ZER0', 'FRIENDS'] }))
  expect(await ask('coupon allow zer0')).toContain('Ended coupons: FRIENDS.')
  await expect(ask('coupon end friends')).rejects.toThrow(CommandError)
})
