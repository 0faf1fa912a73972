import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { runDueWork } from '../../../netlify/server/endpoints/dueWork.ts'
import { updateDelivery } from '../../../netlify/server/payouts/deliver.ts'
import { byHandProvider } from '../../../netlify/server/payouts/providers/byHand.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../../netlify/testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../../netlify/testing/payments.ts'
import { buildTransferRequest } from '../../../netlify/testing/world.ts'
import { claimDueOrders } from '../handPayments.ts'
import { listFindings } from './findings.ts'
import { checkWaits } from './payments.ts'
import { checkPayouts } from './payouts.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const said = async () =>
  (await listFindings(checkPayouts(world))).map((finding) => `${finding.verdict}: ${finding.said}`)

const bad = async () =>
  [...(await listFindings(checkPayouts(world))), ...(await listFindings(checkWaits(world)))]
    .filter(({ verdict }) => verdict === 'bad')
    .map((finding) => finding.said)

async function paid(changes: Parameters<typeof buildTransferRequest>[1] = {}) {
  const uid = await world.person()
  const request = buildTransferRequest(uid, changes)
  const { paymentIntentId } = await expectTransferPaymentStarted(request)
  await world.pay(paymentIntentId)
  expect(await recordPayment(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  return paymentIntentId
}

test('the doctor reports nothing about payouts if no provider is set', async () => {
  expect(await said()).toEqual([])
})

test('the doctor names the payout providers, and the balance of the account', async () => {
  world.payOutAsDeployed()
  expect(await said()).toEqual([
    'good: Transfers are paid out by mtn, byHand.',
    'good: The account at mtn has GNF 100,000,000.',
    'good: The names of wallet holders come from mtn (VITE_HOLDER_NAMES).',
  ])
})

test('the doctor says that a transfer needs the name of its recipient', async () => {
  const context = { ...world.context, isRecipientNameRequired: true }
  expect((await listFindings(checkPayouts({ context }))).map(({ said: text }) => text)).toEqual([
    'A transfer needs the name of its recipient (VITE_RECIPIENT_NAME_REQUIRED).',
  ])
})

test('the doctor gives the age or problem of the sanctions list', async () => {
  const listed = async () => (await said()).filter((line) => line.includes('list of sanctions'))
  expect(await listed()).toEqual([])
  world.screenByFile()
  expect(await listed()).toEqual(['bad: The list of sanctions is missing, so every transfer is held.'])
  world.storeList('id,schema,name,aliases,birth_date,last_seen\na,Person,Ada One,,,2026-11-19T06:00:00')
  expect(await listed()).toEqual([
    'good: The list of sanctions has 1 persons and organizations, as of 2026-11-19 06:00:00 UTC.',
  ])
})

test('the doctor reports a sender who waits longer than promised', async () => {
  world.payOutBy(world.payouts.provider, byHandProvider)
  world.screenByFile()
  await paid()
  const waiting = '1 deliveries are held by the list of sanctions for longer than their senders were told.'
  expect(await bad()).not.toContain(waiting)
  world.pass(72 * HOUR)
  expect(await bad()).toContain(waiting)
})

test('the doctor reports a payout provider that does not respond', async () => {
  world.payOutBy(world.payouts.provider)
  world.payouts.fallSilent('before')
  expect(await said()).toContain('bad: mtn does not return the balance of the account.')
})

test('the doctor reports orders that wait for balance, hand or job', async () => {
  world.payOutBy(world.payouts.provider, byHandProvider)
  world.payouts.fill(1)
  await paid()
  await paid({
    recipientPhone: '+33612345678',
    receivingMethod: 'paylib',
    expected: { fee: 300, converted: 9_700 },
  })
  world.pass(MINUTE)
  await runDueWork(world.context)
  world.pass(25 * HOUR)
  expect(await bad()).toEqual([
    '1 deliveries have been due for more than a day.',
    '1 deliveries wait for an operator.',
    "1 documents in 'deliveries' have waited for the due-work job for more than an hour.",
  ])
})

test('the doctor reports orders unchanged for more than a day', async () => {
  world.payOutBy(world.payouts.provider, byHandProvider)
  world.payouts.will('pending')
  await paid()
  world.payOutBy(byHandProvider)
  const [claimed, held] = [await paid(), await paid()]
  await claimDueOrders(world.context, { batch: 'b1', by: 'Awa', ids: [claimed] })
  await updateDelivery(world.context, held, () => ({ type: 'order.hold', cause: 'operator' }))
  world.payOutBy(world.payouts.provider, byHandProvider)
  await runDueWork(world.context)
  expect(await bad()).toEqual([])
  world.pass(24 * HOUR)
  await runDueWork(world.context)
  expect(await bad()).toEqual([
    '1 deliveries have been with a provider for more than a day.',
    '1 deliveries have been claimed for more than a day.',
    '1 deliveries have been held for more than a day.',
  ])
})

test.each([[[]], [[byHandProvider]]])(
  'the doctor reports orders of a provider missing in the settings',
  async (providers) => {
    world.payOutBy(world.payouts.provider)
    world.payouts.will('pending')
    await paid()
    world.pass(MINUTE)
    world.payOutBy(...providers)
    expect(await bad()).toEqual(['1 deliveries belong to a provider that is not in the settings.'])
    world.payOutBy(world.payouts.provider)
  },
)
