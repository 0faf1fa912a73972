import { describe, expect, test } from 'vitest'
import { DELIVERY_STATES, type DeliveryState } from './delivery.ts'
import { MINUTE } from './duration.ts'
import { type Tracking, trackingOf } from './tracking.ts'
import { SENT } from './transaction.samples.ts'

const { createdAt: paidAt, estimatedArrival: expectedBy } = SENT
const handedOverAt = paidAt + MINUTE
const deliveredAt = paidAt + 120_000
const orderIn = (state: DeliveryState) => ({
  state,
  handedOverAt,
  deliveredAt: state === 'delivered' ? deliveredAt : null,
})
const onItsWay: Tracking = { stage: 'onItsWay', paidAt, handedOverAt: null, expectedBy, isLate: false }

describe('what a recipient is told of a transfer that counts as paid', () => {
  const TOLD: Readonly<Record<DeliveryState, Tracking>> = {
    due: onItsWay,
    handingOver: onItsWay,
    handedOver: { ...onItsWay, handedOverAt },
    waiting: onItsWay,
    claimed: onItsWay,
    held: onItsWay,
    delivered: { stage: 'delivered', paidAt, handedOverAt, deliveredAt },
    failed: { stage: 'goingBack', paidAt },
    paidBack: { stage: 'wentBack', paidAt },
  }

  test.each(DELIVERY_STATES)('while its order is %s', (state) => {
    expect(trackingOf(SENT, orderIn(state), paidAt)).toEqual(TOLD[state])
  })

  test('without an order it is on its way', () => {
    expect(trackingOf(SENT, null, paidAt)).toEqual(onItsWay)
  })

  test('from the moment on at which it was expected it is late', () => {
    expect(trackingOf(SENT, orderIn('due'), expectedBy - 1)).toMatchObject({ isLate: false })
    expect(trackingOf(SENT, orderIn('due'), expectedBy)).toMatchObject({ isLate: true })
  })
})

test('what was promised is late somewhat before its time is over', () => {
  const promised = { ...SENT, promisedMinutes: 60 }
  const at = expectedBy - 6 * MINUTE
  expect(trackingOf(promised, orderIn('claimed'), at - 1)).toMatchObject({ isLate: false })
  expect(trackingOf(promised, orderIn('claimed'), at)).toMatchObject({ isLate: true })
})

describe('what the transfer says itself', () => {
  test.each([
    ['failed', 'goingBack'],
    ['canceled', 'goingBack'],
    ['processing', 'unclear'],
    ['of tomorrow', 'unclear'],
  ])('%s: %s, while its order waits', (status, stage) => {
    expect(trackingOf({ ...SENT, status }, orderIn('waiting'), paidAt)).toMatchObject({ stage })
  })

  test.each(['delivered', 'paidBack'] as const)('changes nothing once its order is %s', (state) => {
    for (const status of ['failed', 'processing'])
      expect(trackingOf({ ...SENT, status }, orderIn(state), paidAt)).toEqual(
        trackingOf(SENT, orderIn(state), paidAt),
      )
  })

  test('it was paid when it was settled', () => {
    const settledAt = paidAt + 5_000
    expect(trackingOf({ ...SENT, settledAt }, null, paidAt)).toMatchObject({ paidAt: settledAt })
  })
})
