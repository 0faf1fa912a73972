import { describe, expect, test } from 'vitest'
import { MINUTE } from '../common/duration.ts'
import { SENT_TRANSFER } from '../transfers/transaction.samples.ts'
import { DELIVERY_STATES, type DeliveryState } from './deliveryOrder.ts'
import { deriveTrackingState, type TrackingState } from './trackingState.ts'

const { createdAt: paidAt, estimatedArrival: expectedBy } = SENT_TRANSFER
const handedOverAt = paidAt + MINUTE
const deliveredAt = paidAt + 120_000
const buildOrder = (state: DeliveryState) => ({
  state,
  handedOverAt,
  deliveredAt: state === 'delivered' ? deliveredAt : null,
})
const onItsWay: TrackingState = { stage: 'onItsWay', paidAt, handedOverAt: null, expectedBy, isLate: false }

describe('the recipient’s view of a paid transfer', () => {
  const TOLD: Readonly<Record<DeliveryState, TrackingState>> = {
    due: onItsWay,
    handingOver: onItsWay,
    handedOver: { ...onItsWay, handedOverAt },
    waiting: onItsWay,
    claimed: onItsWay,
    held: onItsWay,
    delivered: { stage: 'delivered', paidAt, handedOverAt, deliveredAt },
    failed: { stage: 'goingBack', paidAt },
    canceled: { stage: 'goingBack', paidAt },
    paidBack: { stage: 'wentBack', paidAt },
  }

  test.each(DELIVERY_STATES)('shows the recipient the stage of an order that is %s', (state) => {
    expect(deriveTrackingState(SENT_TRANSFER, buildOrder(state), paidAt)).toEqual(TOLD[state])
  })

  test('shows the recipient a transfer without an order as on its way', () => {
    expect(deriveTrackingState(SENT_TRANSFER, null, paidAt)).toEqual(onItsWay)
  })

  test('shows the recipient a transfer as late from its expected time', () => {
    expect(deriveTrackingState(SENT_TRANSFER, buildOrder('due'), expectedBy - 1)).toMatchObject({
      isLate: false,
    })
    expect(deriveTrackingState(SENT_TRANSFER, buildOrder('due'), expectedBy)).toMatchObject({ isLate: true })
  })
})

test('shows a transfer promised within an hour as late after 54 minutes', () => {
  const promised = { ...SENT_TRANSFER, promisedMinutes: 60 }
  const at = expectedBy - 6 * MINUTE
  expect(deriveTrackingState(promised, buildOrder('claimed'), at - 1)).toMatchObject({ isLate: false })
  expect(deriveTrackingState(promised, buildOrder('claimed'), at)).toMatchObject({ isLate: true })
})

describe('the recipient’s view of the transfer’s own status', () => {
  test.each([
    ['failed', 'goingBack'],
    ['canceled', 'goingBack'],
    ['processing', 'unclear'],
    ['newStatus', 'unclear'],
  ])('shows a transfer with status %s as %s while its order waits', (status, stage) => {
    expect(deriveTrackingState({ ...SENT_TRANSFER, status }, buildOrder('waiting'), paidAt)).toMatchObject({
      stage,
    })
  })

  test.each(['delivered', 'paidBack'] as const)(
    'the recipient’s view ignores the transfer’s status once the order is %s',
    (state) => {
      for (const status of ['failed', 'processing'])
        expect(deriveTrackingState({ ...SENT_TRANSFER, status }, buildOrder(state), paidAt)).toEqual(
          deriveTrackingState(SENT_TRANSFER, buildOrder(state), paidAt),
        )
    },
  )

  test('the recipient’s view dates the payment to the instant of its settlement', () => {
    const settledAt = paidAt + 5_000
    expect(deriveTrackingState({ ...SENT_TRANSFER, settledAt }, null, paidAt)).toMatchObject({
      paidAt: settledAt,
    })
  })
})
