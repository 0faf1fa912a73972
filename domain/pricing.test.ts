import { describe, expect, test } from 'vitest'
import { HOUR } from './duration.ts'
import { EMPTY_SUBSCRIPTION } from './plans.ts'
import { freed, isSamePrice, type PriceFacts, pricingOf } from './pricing.ts'
import type { Subscription } from './schemas/profile.ts'
import { checkTransfer, EMPTY_DRAFT, quoteDraft } from './transfer.ts'

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
const draft = { ...EMPTY_DRAFT, amount: '100', phone: '+224620000000', phoneConfirmed: true }

function orderAt(known: PriceFacts, now = NOW, coupon = '') {
  const checked = checkTransfer({ ...draft, coupon }, pricingOf(known, null, now))
  if (!checked.ok) throw new Error('The form of this test is not valid')
  return checked.value
}
const feeAt = (known: PriceFacts, now?: number, coupon?: string) =>
  orderAt(known, now, coupon).quote.fee.minor

describe('what a transfer costs, as far as the device knows', () => {
  test.each<[string, Partial<PriceFacts>, number, number]>([
    ['the plan’s fee while one is left', {}, NOW, 100],
    ['the default when a payment elsewhere holds the last one', { ledger }, NOW, 300],
    ['what was held last month holds nothing', { ledger: { ...ledger, month: '2026-10' } }, NOW, 100],
    [
      'a new month begins whole',
      { subscription: { ...basic, transactionsLeft: 0 } },
      Date.UTC(2026, 11, 1),
      100,
    ],
    [
      'the plan’s fee up to the end of a canceled one',
      { subscription: { ...basic, status: 'canceled', cancelAt: NOW + 1 } },
      NOW,
      100,
    ],
    [
      'the default from its end on',
      { subscription: { ...basic, status: 'canceled', cancelAt: NOW } },
      NOW,
      300,
    ],
    ['the default before anything is known', { subscription: EMPTY_SUBSCRIPTION, ledger: null }, NOW, 300],
  ])('%s', (_, known, now, fee) => {
    expect(feeAt({ ...facts, ...known }, now)).toBe(fee)
  })

  test('what the own attempt holds is not taken from itself', () => {
    const own = orderAt(facts)
    const pricing = pricingOf({ ...facts, ledger }, own, NOW)
    expect(pricing.subscription.transactionsLeft).toBe(1)
    expect(pricingOf({ ...facts, ledger: { ...ledger, reservedSlots: 2 } }, own, NOW)).toMatchObject({
      subscription: { transactionsLeft: 0 },
    })
    // One that pays the default fee holds none.
    const other = orderAt({ ...facts, ledger })
    expect(pricingOf({ ...facts, ledger }, other, NOW).subscription.transactionsLeft).toBe(0)
  })

  test('what is given back is there again, and never more than that', () => {
    const own = orderAt(facts)
    expect(freed({ ...facts, ledger }, own).ledger?.reservedSlots).toBe(0)
    expect(freed(facts, own).ledger?.reservedSlots).toBe(0)
    expect(freed({ ...facts, ledger: null }, own).ledger).toBe(null)
  })

  test('a price is what is paid for it and what arrives', () => {
    const one = orderAt(facts)
    expect(isSamePrice(one, orderAt(facts))).toBe(true)
    expect(isSamePrice(one, orderAt({ ...facts, ledger }))).toBe(false)
  })

  test.each(['fee', 'converted'] as const)('a price of which only the %s differs is another one', (part) => {
    const { quote } = orderAt(facts)
    const other = { quote: { ...quote, [part]: { ...quote[part], minor: quote[part].minor + 1 } } }
    expect(isSamePrice({ quote }, other)).toBe(false)
  })
})

describe('a coupon that has ended', () => {
  const ended = { ...facts, endedCoupon: 'zéro' }
  test.each(['ZERO', 'zero', ' ZÉRO '])(
    '%j is refused at its field, and the quote is that without',
    (coupon) => {
      const pricing = pricingOf(ended, null, NOW)
      const form = { ...draft, coupon }
      expect(checkTransfer(form, pricing)).toEqual({
        ok: false,
        error: [{ field: 'coupon', kind: 'couponEnded' }],
      })
      expect(quoteDraft(form, pricing)).toMatchObject({ ok: true, value: { fee: { minor: 100 } } })
      expect(feeAt(facts, NOW, coupon)).toBe(0)
    },
  )

  test('says nothing of another one', () => {
    expect(feeAt(ended, NOW, 'SUMMER')).toBe(100)
  })
})
