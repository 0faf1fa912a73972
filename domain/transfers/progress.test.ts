import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../common/duration.ts'
import {
  computeProgress,
  findUnderWay,
  getReceiptStatus,
  getStateColor,
  getTransferState,
} from './progress.ts'
import { buildTimeline } from './timeline.ts'
import { ARRIVED_DELIVERY, HANDED_OVER_DELIVERY, SENT_TRANSFER } from './transaction.samples.ts'
import type { Transaction } from './transaction.ts'

const PAID = SENT_TRANSFER.createdAt
const ORDERED = { ...HANDED_OVER_DELIVERY, stage: 'ordered', handedOverAt: null } as const

function buildProgress(change: Partial<Transaction>, now = PAID) {
  const timeline = buildTimeline({ ...SENT_TRANSFER, ...change }, now)
  return timeline && computeProgress(timeline)
}

const listNames = (...[change, now]: Parameters<typeof buildProgress>) =>
  buildProgress(change, now)?.stages.map(({ name }) => name)

test('an untracked transfer’s arch ends at paid, with the expected time', () => {
  expect(buildProgress({})).toEqual({
    reached: 0,
    state: 'untracked',
    stages: [
      { name: 'paid', at: PAID },
      { name: 'expected', at: PAID + HOUR },
    ],
  })
})

test('the arch of a transfer waiting for handover stays at paid', () => {
  expect(buildProgress({ delivery: ORDERED })).toMatchObject({ reached: 0, state: 'moving' })
  expect(listNames({ delivery: ORDERED })).toEqual(['paid', 'handingOver', 'expected'])
  expect(listNames({ delivery: { ...ORDERED, isChecked: true } })).toEqual(['paid', 'checked', 'expected'])
})

test('the arch of a transfer that was handed over reaches its top', () => {
  expect(buildProgress({ delivery: HANDED_OVER_DELIVERY })).toEqual({
    reached: 50,
    state: 'moving',
    stages: [
      { name: 'paid', at: PAID },
      { name: 'handedOver', provider: 'MTN', at: HANDED_OVER_DELIVERY.handedOverAt },
      { name: 'expected', at: PAID + HOUR },
    ],
  })
})

test('a transfer that is called on its way is at the arch’s top', () => {
  const delivery = { delivery: HANDED_OVER_DELIVERY }
  expect(getTransferState({ ...SENT_TRANSFER, ...delivery }, PAID)).toBe('onItsWay')
  expect(buildProgress(delivery)?.reached).toBe(50)
})

test('the arch of a late transfer shows no time of arrival', () => {
  const late = { delivery: { ...ORDERED, isLate: true } }
  expect(buildProgress(late)?.stages.at(-1)).toEqual({ name: 'late', at: null })
  expect(listNames({ delivery: HANDED_OVER_DELIVERY }, PAID + 2 * HOUR)?.at(-1)).toBe('late')
})

test('the arch of a delivered transfer reaches its end', () => {
  expect(buildProgress({ delivery: ARRIVED_DELIVERY })).toMatchObject({ reached: 100, state: 'delivered' })
  expect(buildProgress({ delivery: ARRIVED_DELIVERY })?.stages.at(-1)).toEqual({
    name: 'delivered',
    at: ARRIVED_DELIVERY.deliveredAt,
  })
})

test('the arch shows no handover of a transfer delivered by hand', () => {
  const byHand = { ...ARRIVED_DELIVERY, by: 'byHand' }
  expect(listNames({ delivery: byHand })).toEqual(['paid', 'delivered'])
})

test.each([
  ['failed', 'failed', 'toRefund'],
  ['paidBack', 'refunded', 'refunded'],
] as const)('the money of a %s delivery turns back at the top', (stage, state, last) => {
  const delivery = { ...HANDED_OVER_DELIVERY, stage, failure: 'expired' } as const
  expect(buildProgress({ delivery, status: 'failed' })).toMatchObject({ reached: 50, state })
  expect(listNames({ delivery, status: 'failed' })).toEqual(['paid', 'notDelivered', last])
})

test.each([
  ['canceled', 'failed', 'toRefund'],
  ['paidBack', 'refunded', 'refunded'],
] as const)('the arch shows when the sender canceled a transfer that is %s', (stage, state, last) => {
  const delivery = { ...ORDERED, stage, canceledAt: PAID + MINUTE } as const
  expect(buildProgress({ delivery, status: 'canceled' })).toMatchObject({
    state,
    stages: [{ name: 'paid' }, { name: 'canceled', at: PAID + MINUTE }, { name: last, at: null }],
  })
})

test('the arch of an open payment has not left its bank', () => {
  expect(buildProgress({ status: 'pending' })).toEqual({
    reached: 0,
    state: 'moving',
    stages: [{ name: 'paying', at: PAID }],
  })
})

const buildRow = (id: string, change: Partial<Transaction>): Transaction => ({
  ...SENT_TRANSFER,
  id,
  ...change,
})
const findId = (now: number, ...rows: Transaction[]) => findUnderWay(rows, now)?.row.id

test('the newest tracked transfer is under way until delivered or refunded', () => {
  const handedOver = buildRow('handedOver', { delivery: HANDED_OVER_DELIVERY })
  const failed = buildRow('failed', { status: 'failed', delivery: { ...ORDERED, stage: 'failed' } })
  const delivered = buildRow('delivered', { delivery: ARRIVED_DELIVERY })
  const refunded = buildRow('refunded', { status: 'failed', delivery: { ...ORDERED, stage: 'paidBack' } })
  expect(findId(PAID, delivered, refunded, handedOver, failed)).toBe('handedOver')
  expect(findId(PAID + DAY, handedOver)).toBe('handedOver')
  expect(findId(PAID, failed)).toBe('failed')
  expect(findId(PAID, delivered, refunded)).toBeUndefined()
})

test('a transfer without news for a month is not under way', () => {
  const old = buildRow('old', { delivery: HANDED_OVER_DELIVERY })
  expect(findId(PAID + 31 * DAY, old)).toBeUndefined()
})

test('an untracked transfer is under way until its expected time', () => {
  expect(findId(PAID + HOUR - MINUTE, buildRow('untracked', {}))).toBe('untracked')
  expect(findId(PAID + HOUR, buildRow('untracked', {}))).toBeUndefined()
})

test.each([
  { type: 'received', delivery: HANDED_OVER_DELIVERY },
  { status: 'pending' },
  { status: 'failed' },
  { status: 'canceled' },
] as const)('no transfer is under way that is received, unpaid or failed: %j', (change) => {
  expect(findId(PAID, buildRow('other', change))).toBeUndefined()
})

test.each([
  ['completed', {}, 'green'],
  ['pending', { status: 'processing' }, 'yellow'],
  ['canceled', { status: 'canceled' }, 'red'],
  ['unknown', { status: 'held' }, 'grey'],
  ['received', { type: 'received' }, 'green'],
  ['failed', { type: 'received', status: 'failed' }, 'red'],
  ['completed', { delivery: ORDERED }, 'green'],
  ['onItsWay', { delivery: HANDED_OVER_DELIVERY }, 'river'],
  ['late', { delivery: { ...ORDERED, isLate: true } }, 'yellow'],
  ['delivered', { delivery: ARRIVED_DELIVERY }, 'green'],
  ['notDelivered', { status: 'failed', delivery: { ...ORDERED, stage: 'failed' } }, 'red'],
  ['refunded', { status: 'failed', delivery: { ...ORDERED, stage: 'paidBack' } }, 'red'],
  ['canceled', { status: 'canceled', delivery: { ...ORDERED, stage: 'canceled', canceledAt: PAID } }, 'red'],
  ['canceled', { status: 'canceled', delivery: { ...ORDERED, stage: 'paidBack', canceledAt: PAID } }, 'red'],
] as const)('the most precise state is %s for %j, in %s', (state, change, color) => {
  expect(getTransferState({ ...SENT_TRANSFER, ...change }, PAID)).toBe(state)
  expect(getStateColor(state)).toBe(color)
})

test('an untracked transfer stays paid after its expected time', () => {
  expect(getTransferState(SENT_TRANSFER, PAID + DAY)).toBe('completed')
})

test.each([
  ['canceled', 'canceledRefundDue', 'canceled', { stage: 'canceled', canceledAt: PAID }],
  ['canceled', 'canceledRefunded', 'canceled', { stage: 'paidBack', canceledAt: PAID }],
  ['refunded', 'refunded', 'failed', { stage: 'paidBack' }],
] as const)('the history says %s, and the receipt %s: %s, %j', (state, onReceipt, status, change) => {
  const transfer = { ...SENT_TRANSFER, status, delivery: { ...ORDERED, ...change } }
  expect(getTransferState(transfer, PAID)).toBe(state)
  expect(getReceiptStatus(transfer)).toBe(onReceipt)
})

test.each(['ordered', 'handedOver', 'delivered'] as const)(
  'a receipt of a %s transfer says paid',
  (stage) => {
    const delivery = { ...ARRIVED_DELIVERY, stage }
    expect(getReceiptStatus({ ...SENT_TRANSFER, delivery })).toBe('completed')
  },
)

test('the receipt of received money promises its recipient no refund', () => {
  for (const [status, stage] of [
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ] as const) {
    const delivery = { ...ORDERED, stage }
    expect(getReceiptStatus({ ...SENT_TRANSFER, type: 'received', status, delivery })).toBe(status)
  }
})
