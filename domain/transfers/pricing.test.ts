import { describe, expect, test } from 'vitest'
import type { Subscription } from '../account/profileSchema.ts'
import { HOUR } from '../common/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../prices/plans.ts'
import { getTransferContext, isSamePrice, type PriceFacts, releaseTransferSlot } from './pricing.ts'
import { checkTransfer, EMPTY_TRANSFER_DRAFT, quoteDraft } from './transfer.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const basic: Subscription = {
  ...EMPTY_SUBSCRIPTION,
  tier: 'basic',
  status: 'active',
  transactionsLeft: 1,
  lastReset: NOW - HOUR,
}
const ledger = { month: '2026-11', recordedCents: 0, reservedCents: 10_000, reservedSlots: 1 }
const facts: PriceFacts = {
  subscription: basic,
  ledger: { ...ledger, reservedSlots: 0 },
  endedCoupon: null,
}
const draft = { ...EMPTY_TRANSFER_DRAFT, amount: '100', phone: '+224620000000', phoneConfirmed: true }

function orderAt(known: PriceFacts, now = NOW, coupon = '') {
  const checked = checkTransfer({ ...draft, coupon }, getTransferContext(known, null, now))
  if (!checked.ok) throw new Error('The form of this test is invalid')
  return checked.value
}
const feeAt = (known: PriceFacts, now?: number, coupon?: string) =>
  orderAt(known, now, coupon).quote.fee.minor

describe('getTransferContext', () => {
  test.each<[string, Partial<PriceFacts>, number, number]>([
    ['the plan’s fee while a transfer is left', {}, NOW, 100],
    ['the default fee if a payment elsewhere reserves the last transfer', { ledger }, NOW, 300],
    [
      'the plan’s fee despite last month’s reservations',
      { ledger: { ...ledger, month: '2026-10' } },
      NOW,
      100,
    ],
    [
      'the plan’s fee in a new month',
      { subscription: { ...basic, transactionsLeft: 0 } },
      Date.UTC(2026, 11, 1),
      100,
    ],
    [
      'the plan’s fee until a canceled plan ends',
      { subscription: { ...basic, status: 'canceled', cancelAt: NOW + 1 } },
      NOW,
      100,
    ],
    [
      'the default fee from the end of a canceled plan',
      { subscription: { ...basic, status: 'canceled', cancelAt: NOW } },
      NOW,
      300,
    ],
    [
      'the default fee before any data is known',
      { subscription: EMPTY_SUBSCRIPTION, ledger: null },
      NOW,
      300,
    ],
  ])('prices a transfer from the device’s data: %s', (_, known, now, fee) => {
    expect(feeAt({ ...facts, ...known }, now)).toBe(fee)
  })

  test('pricing keeps the slot that the form’s own attempt reserved', () => {
    const own = orderAt(facts)
    const pricing = getTransferContext({ ...facts, ledger }, own, NOW)
    expect(pricing.subscription.transactionsLeft).toBe(1)
    expect(getTransferContext({ ...facts, ledger: { ...ledger, reservedSlots: 2 } }, own, NOW)).toMatchObject(
      {
        subscription: { transactionsLeft: 0 },
      },
    )
    // An attempt at the default fee reserves no slot.
    const other = orderAt({ ...facts, ledger })
    expect(getTransferContext({ ...facts, ledger }, other, NOW).subscription.transactionsLeft).toBe(0)
  })

  test('releasing a transfer’s slot never releases more slots than are reserved', () => {
    const own = orderAt(facts)
    expect(releaseTransferSlot({ ...facts, ledger }, own).ledger?.reservedSlots).toBe(0)
    expect(releaseTransferSlot(facts, own).ledger?.reservedSlots).toBe(0)
    expect(releaseTransferSlot({ ...facts, ledger: null }, own).ledger).toBe(null)
  })

  test('compares prices by fee and received amount', () => {
    const one = orderAt(facts)
    expect(isSamePrice(one, orderAt(facts))).toBe(true)
    expect(isSamePrice(one, orderAt({ ...facts, ledger }))).toBe(false)
  })

  test.each(['fee', 'converted'] as const)('treats prices as different if only the %s differs', (part) => {
    const { quote } = orderAt(facts)
    const other = { quote: { ...quote, [part]: { ...quote[part], minor: quote[part].minor + 1 } } }
    expect(isSamePrice({ quote }, other)).toBe(false)
  })
})

describe('a coupon that has ended', () => {
  const ended = { ...facts, endedCoupon: 'zéro' }
  test.each(['ZERO', 'zero', ' ZÉRO '])(
    'refuses the ended coupon %j at its field, and quotes without it',
    (coupon) => {
      const pricing = getTransferContext(ended, null, NOW)
      const form = { ...draft, coupon }
      expect(checkTransfer(form, pricing)).toEqual({
        ok: false,
        error: [{ field: 'coupon', kind: 'couponEnded' }],
      })
      expect(quoteDraft(form, pricing)).toMatchObject({ ok: true, value: { fee: { minor: 100 } } })
      expect(feeAt(facts, NOW, coupon)).toBe(0)
    },
  )

  test('an ended coupon does not change the fee with another one', () => {
    expect(feeAt(ended, NOW, 'SUMMER')).toBe(100)
  })
})
