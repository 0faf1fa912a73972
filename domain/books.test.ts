import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BookedCharge, balance, type DifferenceReason, entryOf, type Place } from './books.ts'
import { money } from './money.ts'

const euros = (minor: number) => money(minor, 'EUR')
const transfer: BookedCharge = {
  id: 'pi_1',
  kind: 'transfer',
  charged: euros(10_000),
  givenBack: 0,
  withBank: 0,
  recorded: euros(10_000),
  debt: null,
  payout: null,
  isNew: false,
}
const unrecorded = { ...transfer, recorded: null }
/** Of a transfer whose order failed the record stays. */
const back = { givenBack: 10_000, debt: 'done' } as const

test.each<[what: string, BookedCharge, Partial<Record<Place, number>>]>([
  ['that nobody pays out', transfer, { sent: 10_000 }],
  ['that waits to be paid out', { ...transfer, payout: 'underWay' }, { underWay: 10_000 }],
  ['that has arrived', { ...transfer, payout: 'delivered' }, { delivered: 10_000 }],
  ['for an invoice', { ...transfer, kind: 'invoice' }, { invoices: 10_000 }],
  ['for a plan', { ...transfer, kind: 'plan' }, { plans: 10_000 }],
  ['of a moment ago', { ...unrecorded, isNew: true }, { beingRecorded: 10_000 }],
  ['that is owed', { ...unrecorded, debt: 'due' }, { owed: 10_000 }],
  [
    'of which a part went back',
    { ...unrecorded, debt: 'due', givenBack: 4_000 },
    { givenBack: 4_000, owed: 6_000 },
  ],
  ['that went back', { ...unrecorded, ...back }, { givenBack: 10_000 }],
  ['that could not be paid out', { ...transfer, ...back, payout: 'calledOff' }, { givenBack: 10_000 }],
  ['whose refund failed and is asked for again', { ...unrecorded, debt: 'checked' }, { owed: 10_000 }],
  ['that its bank has', { ...unrecorded, debt: 'disputed', withBank: 10_000 }, { withBank: 10_000 }],
  [
    'settled by hand',
    { ...unrecorded, debt: 'settled', givenBack: 1_000 },
    { givenBack: 1_000, settledOtherwise: 9_000 },
  ],
  [
    'that was delivered and then disputed',
    { ...transfer, payout: 'delivered', withBank: 10_000 },
    { delivered: 10_000, withBank: 10_000, takenBack: -10_000 },
  ],
  ['for a plan that was refunded', { ...transfer, kind: 'plan', givenBack: 10_000 }, { givenBack: 10_000 }],
  [
    'that waits to be paid out and is disputed',
    { ...transfer, payout: 'underWay', withBank: 10_000 },
    { withBank: 10_000 },
  ],
  [
    'that was sent, and given back in part by hand',
    { ...transfer, givenBack: 3_000 },
    { sent: 10_000, givenBack: 3_000, takenBack: -3_000 },
  ],
])('the money of a charge %s', (_, charge, places) => {
  expect(Object.fromEntries(entryOf(charge).places)).toEqual(places)
  expect(balance([charge]).differences).toEqual([])
})

describe('what differs', () => {
  test.each<[DifferenceReason, BookedCharge, by: number]>([
    ['unrecorded', unrecorded, 10_000],
    ['notCharged', { ...transfer, charged: null }, -10_000],
    ['otherAmount', { ...transfer, recorded: euros(9_000) }, 1_000],
    ['otherAmount', { ...transfer, recorded: money(10_000, 'CAD') }, 0],
    ['paidOutAndBack', { ...transfer, ...back, payout: 'delivered' }, -10_000],
    ['paidOutAndBack', { ...transfer, debt: 'due', payout: 'delivered' }, 0],
    ['calledOffUnowed', { ...transfer, payout: 'calledOff' }, 10_000],
    ['notGivenBack', { ...unrecorded, debt: 'done', givenBack: 4_000 }, 6_000],
  ])('%s', (reason, charge, by) => {
    expect(balance([transfer, charge]).differences).toEqual([{ id: 'pi_1', reason, by: euros(by) }])
  })
})

test('each currency has books of its own', () => {
  const dollars = { ...transfer, charged: money(500, 'CAD'), recorded: money(500, 'CAD') }
  expect(balance([transfer, dollars, { ...transfer, payout: 'delivered' }]).books).toEqual([
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
    givenBack: minor,
    withBank: minor,
    recorded: fc.option(minor.map(euros)),
    debt: fc.option(fc.constantFrom('due', 'disputed', 'checked', 'done', 'settled')),
    payout: fc.option(fc.constantFrom('underWay', 'delivered', 'calledOff')),
    isNew: fc.boolean(),
  })
  .filter(({ charged, recorded }) => charged !== null || recorded !== null)

test('whatever the records say, the places come to what was charged, or the charge is named', () => {
  fc.assert(
    fc.property(fc.array(anyCharge as fc.Arbitrary<BookedCharge>, { maxLength: 8 }), (charges) => {
      const { books, differences } = balance(charges)
      const places = books.flatMap(({ places: mine }) => Object.values(mine))
      const charged = charges.reduce((sum, charge) => sum + (charge.charged?.minor ?? 0), 0)
      const missing = differences.reduce((sum, { by }) => sum + by.minor, 0)
      expect(places.reduce((sum, one) => sum + one, 0) + missing).toBe(charged)
    }),
  )
})
