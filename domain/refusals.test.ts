import { describe, expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from './plans.ts'
import { readRefusal } from './refusals.ts'

const FACTS = {
  ...{ fee: 300, net: 9700, converted: 1_028_200, feeRule: 'default', at: 1 },
  subscription: EMPTY_SUBSCRIPTION,
  ledger: { month: '2026-11', recordedCents: 0, reservedCents: 0, reservedSlots: 0 },
}

describe('a refusal', () => {
  test.each([
    ['paymentsPaused', {}, {}],
    ['paymentsPaused', null, {}],
    ['tooManyHolds', { retryAfterSeconds: 60, more: 1 }, { retryAfterSeconds: 60 }],
    ['quoteChanged', FACTS, FACTS],
  ])('%s is read with what it depends on', (code, details, expected) => {
    expect(readRefusal(code, details)).toEqual({ code, details: expected })
  })

  test.each([
    ['of a newer server', 'movedToMars', {}],
    ['that every object has', 'toString', {}],
    ['without what it depends on', 'tooManyRequests', {}],
    ['with something else instead', 'monthlyCapExceeded', { leftCents: '50', resetsAt: 1 }],
    ['with facts that lack the plan', 'quoteChanged', { ...FACTS, subscription: undefined }],
    ['with a plan that is none', 'quoteChanged', { ...FACTS, subscription: { tier: 'gold' } }],
    ['with another month', 'quoteChanged', { ...FACTS, ledger: { month: '2026-11' } }],
  ])('%s is one that nobody knows', (_, code, details) => {
    expect(readRefusal(code, details)).toEqual({ code: 'unknown', details: {} })
  })

  test.each([[undefined], [''], [7], [null]])('without a code has nothing but its words: %j', (code) => {
    expect(readRefusal(code, {})).toEqual({ code: '', details: {} })
  })
})
