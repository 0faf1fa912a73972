import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { money } from './money.ts'
import {
  balanceCharges,
  buildChargeEntry,
  type DiscrepancyReason,
  type MoneyLocation,
  type ReconciledCharge,
} from './reconciliation.ts'

const euros = (minor: number) => money(minor, 'EUR')
const transfer: ReconciledCharge = {
  id: 'pi_1',
  kind: 'transfer',
  charged: euros(10_000),
  refunded: 0,
  heldByBank: 0,
  recorded: euros(10_000),
  debt: null,
  payout: null,
  isNew: false,
}
const unrecorded = { ...transfer, recorded: null }
/** The record of a transfer is kept even if its order fails. */
const back = { refunded: 10_000, debt: 'done' } as const

test.each<[what: string, ReconciledCharge, Partial<Record<MoneyLocation, number>>]>([
  ['without a payout provider', transfer, { sent: 10_000 }],
  ['that waits to be paid out', { ...transfer, payout: 'underWay' }, { underWay: 10_000 }],
  ['that has arrived', { ...transfer, payout: 'delivered' }, { delivered: 10_000 }],
  ['for an invoice', { ...transfer, kind: 'invoice' }, { invoices: 10_000 }],
  ['for a plan', { ...transfer, kind: 'plan' }, { plans: 10_000 }],
  ['made a moment ago', { ...unrecorded, isNew: true }, { beingRecorded: 10_000 }],
  ['that is owed', { ...unrecorded, debt: 'due' }, { owed: 10_000 }],
  [
    'that was refunded in part',
    { ...unrecorded, debt: 'due', refunded: 4_000 },
    { refunded: 4_000, owed: 6_000 },
  ],
  ['that was refunded', { ...unrecorded, ...back }, { refunded: 10_000 }],
  ['that could not be paid out', { ...transfer, ...back, payout: 'calledOff' }, { refunded: 10_000 }],
  ['whose refund failed and is asked for again', { ...unrecorded, debt: 'checked' }, { owed: 10_000 }],
  [
    'that its bank has withdrawn',
    { ...unrecorded, debt: 'disputed', heldByBank: 10_000 },
    { heldByBank: 10_000 },
  ],
  [
    'settled by hand',
    { ...unrecorded, debt: 'settled', refunded: 1_000 },
    { refunded: 1_000, settledOtherwise: 9_000 },
  ],
  [
    'that was delivered and then disputed',
    { ...transfer, payout: 'delivered', heldByBank: 10_000 },
    { delivered: 10_000, heldByBank: 10_000, clawedBack: -10_000 },
  ],
  ['for a plan that was refunded', { ...transfer, kind: 'plan', refunded: 10_000 }, { refunded: 10_000 }],
  [
    'that waits to be paid out and is disputed',
    { ...transfer, payout: 'underWay', heldByBank: 10_000 },
    { heldByBank: 10_000 },
  ],
  [
    'that was sent, and given back in part by hand',
    { ...transfer, refunded: 3_000 },
    { sent: 10_000, refunded: 3_000, clawedBack: -3_000 },
  ],
])('locates the money of a charge %s', (_, charge, places) => {
  expect(Object.fromEntries(buildChargeEntry(charge).places)).toEqual(places)
  expect(balanceCharges([charge]).discrepancies).toEqual([])
})

describe('balanceCharges', () => {
  test.each<[DiscrepancyReason, ReconciledCharge, by: number]>([
    ['unrecorded', unrecorded, 10_000],
    ['notCharged', { ...transfer, charged: null }, -10_000],
    ['otherAmount', { ...transfer, recorded: euros(9_000) }, 1_000],
    ['otherAmount', { ...transfer, recorded: money(10_000, 'CAD') }, 0],
    ['deliveredAndOwed', { ...transfer, ...back, payout: 'delivered' }, -10_000],
    ['deliveredAndOwed', { ...transfer, debt: 'due', payout: 'delivered' }, 0],
    ['calledOffNotOwed', { ...transfer, payout: 'calledOff' }, 10_000],
    ['notFullyRefunded', { ...unrecorded, debt: 'done', refunded: 4_000 }, 6_000],
  ])('balancing the charges reports the difference %s', (reason, charge, by) => {
    expect(balanceCharges([transfer, charge]).discrepancies).toEqual([{ id: 'pi_1', reason, by: euros(by) }])
  })
})

test('balancing the charges returns separate balances for each currency', () => {
  const dollars = { ...transfer, charged: money(500, 'CAD'), recorded: money(500, 'CAD') }
  expect(balanceCharges([transfer, dollars, { ...transfer, payout: 'delivered' }]).balances).toEqual([
    { currency: 'EUR', charges: 2, charged: 20_000, places: { sent: 10_000, delivered: 10_000 } },
    { currency: 'CAD', charges: 1, charged: 500, places: { sent: 500 } },
  ])
})

const minor = fc.integer({ min: 0, max: 50_000 })
const anyCharge = fc
  .record({
    id: fc.string(),
    kind: fc.constantFrom('transfer' as const, 'invoice' as const, 'plan' as const),
    charged: fc.option(minor.map(euros)),
    refunded: minor,
    heldByBank: minor,
    recorded: fc.option(minor.map(euros)),
    debt: fc.option(fc.constantFrom('due', 'disputed', 'checked', 'done', 'settled')),
    payout: fc.option(fc.constantFrom('underWay', 'delivered', 'calledOff')),
    isNew: fc.boolean(),
  })
  .filter(({ charged, recorded }) => charged !== null || recorded !== null)

test('balancing accounts for the whole charged amount', () => {
  fc.assert(
    fc.property(fc.array(anyCharge as fc.Arbitrary<ReconciledCharge>, { maxLength: 8 }), (charges) => {
      const { balances, discrepancies } = balanceCharges(charges)
      const places = balances.flatMap(({ places: balance }) => Object.values(balance))
      const charged = charges.reduce((sum, charge) => sum + (charge.charged?.minor ?? 0), 0)
      const missing = discrepancies.reduce((sum, { by }) => sum + by.minor, 0)
      expect(places.reduce((sum, one) => sum + one, 0) + missing).toBe(charged)
    }),
  )
})
