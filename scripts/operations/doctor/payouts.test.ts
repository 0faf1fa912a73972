import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/duration.ts'
import { sweep } from '../../../netlify/server/endpoints/sweep.ts'
import { updateDelivery } from '../../../netlify/server/payouts/deliver.ts'
import { claim } from '../../../netlify/server/payouts/handPayments.ts'
import { byHand } from '../../../netlify/server/payouts/providers/byHand.ts'
import { record, testInEmptyWorld, world } from '../../../netlify/testing/emptyWorld.ts'
import { started } from '../../../netlify/testing/payments.ts'
import { requestOf } from '../../../netlify/testing/world.ts'
import { checkPayouts } from './payouts.ts'

testInEmptyWorld({ isMoneyChecked: true })

const said = async () => (await checkPayouts(world)).map((finding) => `${finding.verdict}: ${finding.said}`)

const bad = async () => (await said()).filter((line) => line.startsWith('bad'))

async function paid(changes: Parameters<typeof requestOf>[1] = {}) {
  const uid = await world.person()
  const request = requestOf(uid, changes)
  const { paymentIntentId } = await started(request)
  await world.pay(paymentIntentId)
  expect(await record(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  return paymentIntentId
}

test('reports nothing without a provider', async () => {
  expect(await said()).toEqual([])
})

test('names the providers, and the balance of the account', async () => {
  world.payOutAsDeployed()
  expect(await said()).toEqual([
    'good: Transfers are paid out by mtn, byHand.',
    'good: The account at mtn has GNF 100,000,000.',
    'good: The names of wallet holders come from mtn (VITE_HOLDER_NAMES).',
  ])
})

test('reports a provider that does not answer', async () => {
  world.payOutBy(world.payouts.provider)
  world.payouts.fallSilent('before')
  expect(await said()).toContain('bad: mtn does not say what the account has.')
})

test('reports orders that wait for the operator, the staff or the sweep', async () => {
  world.payOutBy(world.payouts.provider, byHand)
  world.payouts.fill(1)
  await paid()
  await paid({
    recipientPhone: '+33612345678',
    receivingMethod: 'paylib',
    expected: { fee: 300, converted: 9_700 },
  })
  world.pass(MINUTE)
  await sweep(world.context)
  world.pass(25 * HOUR)
  expect(await bad()).toEqual([
    'bad: 1 deliveries wait for the sweep for more than an hour.',
    'bad: 1 deliveries wait for something of ours.',
    'bad: 1 deliveries are due to be paid by hand for more than a day.',
  ])
})

test('reports orders that are in the same state for more than a day', async () => {
  world.payOutBy(world.payouts.provider, byHand)
  world.payouts.will('pending')
  await paid()
  world.payOutBy(byHand)
  const [claimed, held] = [await paid(), await paid()]
  await claim(world.context, { batch: 'b1', by: 'Awa', ids: [claimed] })
  await updateDelivery(world.context, held, () => ({ type: 'order.hold', cause: 'operator' }))
  world.payOutBy(world.payouts.provider, byHand)
  await sweep(world.context)
  expect(await bad()).toEqual([])
  world.pass(24 * HOUR)
  await sweep(world.context)
  expect(await bad()).toEqual([
    'bad: 1 deliveries are with a provider for more than a day.',
    'bad: 1 deliveries are in hand for more than a day.',
    'bad: 1 deliveries are held for more than a day.',
  ])
})

test.each([[[]], [[byHand]]])(
  'reports orders of a provider that the settings do not name',
  async (providers) => {
    world.payOutBy(world.payouts.provider)
    world.payouts.will('pending')
    await paid()
    world.pass(MINUTE)
    world.payOutBy(...providers)
    expect(await bad()).toEqual(['bad: 1 deliveries belong to a provider that the settings do not name.'])
    world.payOutBy(world.payouts.provider)
  },
)
