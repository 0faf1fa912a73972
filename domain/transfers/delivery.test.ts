import { expect, test } from 'vitest'
import { HOUR } from '../common/duration.ts'
import { followDelivery, isSameDelivery, shouldPollDelivery } from './delivery.ts'
import type { DeliverySummary } from './deliverySchema.ts'
import { ARRIVED_DELIVERY, HANDED_OVER_DELIVERY, SENT_TRANSFER } from './transaction.samples.ts'

const CREATED = Date.UTC(2026, 10, 20, 12)
const NEWS: DeliverySummary = {
  stage: 'handedOver',
  by: 'mtn',
  isLate: false,
  isChecked: false,
  answerBy: null,
  isCancelable: false,
  cancelableUntil: null,
  canceledAt: null,
  handedOverAt: CREATED + 5_000,
  deliveredAt: null,
  proof: null,
  failure: null,
}

test('two deliveries are equal only if all their fields are equal', () => {
  expect(isSameDelivery(NEWS, { ...NEWS })).toBe(true)
  for (const change of [
    { stage: 'failed' },
    { by: 'byHand' },
    { isLate: true },
    { isChecked: true },
    { answerBy: 1 },
    { isCancelable: true },
    { cancelableUntil: 1 },
    { canceledAt: 1 },
    { proof: '1' },
  ] as const)
    expect(isSameDelivery(NEWS, { ...NEWS, ...change }), JSON.stringify(change)).toBe(false)
  for (const change of [{ handedOverAt: 1 }, { deliveredAt: 1 }, { failure: 'expired' }] as const)
    expect(isSameDelivery(NEWS, { ...NEWS, ...change }), JSON.stringify(change)).toBe(false)
})

test('a shown transfer takes a new delivery with the link that proves it', () => {
  const shown = { ...SENT_TRANSFER, delivery: HANDED_OVER_DELIVERY, recipientLink: '/t/before' }
  expect(followDelivery(shown, { ...shown, recipientLink: '/t/renewed' })).toBe(shown)
  const arrived = { delivery: ARRIVED_DELIVERY, recipientLink: '/t/arrived' }
  expect(followDelivery(shown, { ...shown, ...arrived })).toEqual({ ...shown, ...arrived })
})

test.each([
  ['ordered', 0, true],
  ['handedOver', 30 * 24 * HOUR - 1, true],
  ['failed', HOUR, true],
  ['canceled', HOUR, true],
  ['handedOver', 30 * 24 * HOUR, false],
  ['delivered', 0, false],
  ['paidBack', 0, false],
] as const)('polls a delivery in stage %s, %i ms after the payment: %s', (stage, age, expected) => {
  const row = { delivery: { ...NEWS, stage }, createdAt: CREATED }
  expect(shouldPollDelivery(row, CREATED + age)).toBe(expected)
})

test('does not poll a transfer without a delivery', () => {
  expect(shouldPollDelivery({ delivery: null, createdAt: CREATED }, CREATED)).toBe(false)
})
