import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../domain/common/duration.ts'
import type { DeliveryState } from '../../../domain/payouts/deliveryOrder.ts'
import { SCREENING_ANSWER_PERIOD } from '../../../domain/payouts/screening.ts'
import { createDelivery } from '../../../machines/delivery.ts'
import { payTransfer } from '../../testing/deliveries.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../testing/payments.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { closeIdentityReviews } from '../accounts/identityQueue.ts'
import type { Refund } from '../platform/documents.ts'
import { findOverdue, WAIT_KINDS, WAITS, type WaitKind } from './waits.ts'

resetWorldForEachTest()

type Sample = (since: number) => readonly [path: string, data: object]

const refundSample =
  (status: Refund['status']): Sample =>
  (since) => [
    'refunds/pi_1',
    { uid: 'ada', reason: 'userGone', status, refundId: null, createdAt: 0, since, checkAt: null },
  ]
const deliverySample =
  (state: DeliveryState): Sample =>
  (since) => [
    'deliveries/pi_1',
    { ...createDelivery({ isByHand: true, cancelableUntil: null }), state, since, checkAt: null },
  ]
const checkSample =
  (path: string): Sample =>
  (since) => [path, { checkAt: since }]

const SAMPLES: Record<WaitKind, Sample> = {
  'refund.due': refundSample('due'),
  'refund.failing': refundSample('failing'),
  'refund.unfunded': refundSample('unfunded'),
  'refund.pending': refundSample('pending'),
  'refund.disputed': refundSample('disputed'),
  'attempt.reserved': (since) => ['attempts/key', { status: 'reserved', createdAt: since }],
  'unknownPayment.open': (since) => [
    'unknownPayments/pi_1',
    { uid: 'ada', createdAt: since, decidedAt: null },
  ],
  'delivery.due': deliverySample('due'),
  'delivery.handingOver': deliverySample('handingOver'),
  'delivery.handedOver': deliverySample('handedOver'),
  'delivery.waiting': deliverySample('waiting'),
  'delivery.claimed': deliverySample('claimed'),
  'delivery.held': deliverySample('held'),
  'delivery.answer': (since) => [
    'deliveries/pi_1',
    {
      ...createDelivery({ isByHand: true, cancelableUntil: null }),
      ...{ uid: 'ada', persons: [], state: 'held', provider: 'byHand', attemptKey: 'key', phone: '' },
      ...{ amount: { minor: 1, currency: 'GNF' }, wallet: 'mtn_money', createdAt: since, since },
      ...{ net: { minor: 1, currency: 'EUR' }, fee: { minor: 0, currency: 'EUR' } },
      holds: ['screening'],
      screening: { answerBy: since, hits: [] },
    },
  ],
  'notice.held': (since) => ['supplierNotices/pi_1', { state: 'held', paidAt: since, checkAt: null }],
  'document.pending': (since) => [
    'files/one',
    { userId: 'ada', category: 'identity', status: 'pending', createdAt: new Date(since) },
  ],
  'deletion.due': (since) => ['deletions/ada', { uid: 'ada', status: 'due', createdAt: since }],
  'check.refunds': checkSample('refunds/pi_1'),
  'check.deliveries': checkSample('deliveries/pi_1'),
  'check.supplierNotices': checkSample('supplierNotices/pi_1'),
  'check.customers': checkSample('customers/ada'),
  'check.deletions': checkSample('deletions/ada'),
}

async function listOverdue() {
  const found = await Promise.all(WAIT_KINDS.map((kind) => findOverdue(world.context, kind)))
  return found.filter((one) => one !== null)
}

test.each(WAIT_KINDS)('%s is overdue from its limit on, and not a millisecond before', async (kind) => {
  const [path, data] = SAMPLES[kind](world.now())
  await world.context.db.doc(path).set(data)
  world.pass(WAITS[kind].limit - 1)
  const early = (await listOverdue()).map((one) => one.kind)
  expect(early).not.toContain(kind)
  world.pass(1)
  const found = await findOverdue(world.context, kind)
  expect(found).toMatchObject({ kind, items: 1 })
  expect(found?.said).toMatch(/^1 \w.+\.$/)
  expect(found?.remedy).toMatch(/\.$/)
})

test('the limits of waiting are named in the sentences', async () => {
  const { db } = world.context
  for (const kind of ['refund.unfunded', 'attempt.reserved', 'deletion.due'] as const) {
    const [path, data] = SAMPLES[kind](world.now() - 60 * DAY)
    await db.doc(path).set(data)
  }
  expect((await listOverdue()).map(({ said }) => said)).toEqual([
    '1 refunds have waited for money on the Stripe balance for more than a day.',
    '1 payments have been neither settled nor ended for more than 90 minutes.',
    '1 deletions of accounts have not been completed for more than 125 minutes.',
  ])
})

test('a document of a deleted account does not wait', async () => {
  const { db } = world.context
  const [path, data] = SAMPLES['document.pending'](0)
  await db.doc(path).set(data)
  expect(await findOverdue(world.context, 'document.pending')).toMatchObject({ items: 1 })
  await closeIdentityReviews(world.context, 'ada')
  expect(await findOverdue(world.context, 'document.pending')).toBeNull()
})

const alerts = () => world.logged.filter(({ event }) => event === 'waitsTooLong')

test('a refund waiting a day for our balance alerts hourly', async () => {
  world.sandbox.stripe.setBalanceEmpty(true)
  const uid = await world.person()
  const request = buildTransferRequest(uid)
  const { paymentIntentId } = await expectTransferPaymentStarted(request)
  await world.pay(paymentIntentId)
  await world.context.db.doc(`users/${uid}`).delete()
  await recordPayment(uid, request.attemptId)
  const runHour = async () => {
    for (let quarters = 0; quarters < 4; quarters += 1) {
      await world.invoke('due-work', {})
      world.pass(15 * MINUTE)
    }
  }
  await runHour()
  expect(alerts()).toEqual([])
  world.pass(DAY - HOUR)
  await runHour()
  expect(alerts()).toMatchObject([{ level: 'error', kind: 'refund.unfunded', items: 1 }])
})

test('a case of the list of sanctions waits until the promised answer', async () => {
  world.payOutBy(world.payouts.provider)
  world.screenByFile()
  await payTransfer()
  world.pass(MINUTE)
  await world.invoke('due-work', {})
  world.pass(SCREENING_ANSWER_PERIOD - MINUTE - 1)
  expect(await findOverdue(world.context, 'delivery.answer')).toBeNull()
  world.pass(1)
  expect(await findOverdue(world.context, 'delivery.answer')).toMatchObject({ items: 1 })
})
