import { expect, test } from 'vitest'
import { byHand } from '../../netlify/server/deliveries/byHand.ts'
import { sweep } from '../../netlify/server/endpoints/sweep.ts'
import { record, testInEmptyWorld, world } from '../../netlify/testing/emptyWorld.ts'
import { started } from '../../netlify/testing/payments.ts'
import { HOUR, MINUTE, requestOf } from '../../netlify/testing/world.ts'
import { deliveriesGoOn } from './doctor.ts'

testInEmptyWorld({ isMoneyChecked: true })

const said = async () => (await deliveriesGoOn(world)).map((finding) => `${finding.verdict}: ${finding.said}`)

async function paid(changes: Parameters<typeof requestOf>[1] = {}) {
  const uid = await world.person()
  const request = requestOf(uid, changes)
  const { paymentIntentId } = await started(request)
  await world.pay(paymentIntentId)
  expect(await record(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
}

test('nothing is said where nobody pays out', async () => {
  expect(await said()).toEqual([])
})

test('it says who pays out, and what the account has', async () => {
  world.payOutAsDeployed()
  expect(await said()).toEqual([
    'good: Transfers are paid out by mtn, byHand.',
    'good: The account at mtn has GNF\u00a0100,000,000.',
  ])
})

test('a provider that does not answer is wrong', async () => {
  world.payOutBy(world.payouts.provider)
  world.payouts.fallSilent('before')
  expect(await said()).toContain('bad: mtn does not say what our account there has.')
})

test('what waits for us, for people or for the sweep is told', async () => {
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
  expect((await said()).filter((line) => line.startsWith('bad'))).toEqual([
    'bad: Deliveries wait for the sweep for more than an hour.',
    'bad: 1 deliveries wait for something of ours.',
    'bad: 1 transfers are due to be paid by hand since yesterday or before.',
  ])
})
