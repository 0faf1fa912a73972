import { describe, expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../prices/plans.ts'
import { parseRefusal } from './refusals.ts'

const FACTS = {
  ...{ fee: 300, net: 9700, converted: 1_028_200, feeRule: 'default', at: 1 },
  subscription: EMPTY_SUBSCRIPTION,
  ledger: { month: '2026-11', recordedCents: 0, reservedCents: 0, reservedSlots: 0 },
}

describe('a refusal', () => {
  test.each([
    ['paymentsPaused', {}, {}],
    ['paymentsPaused', null, {}],
    ['movedToMars', {}, {}],
    ['toString', {}, {}],
    ['tooManyHolds', { retryAfterSeconds: 60, more: 1 }, { retryAfterSeconds: 60 }],
    ['quoteChanged', FACTS, FACTS],
  ])('parses the refusal %s with its details', (code, details, expected) => {
    expect(parseRefusal(code, details)).toEqual({ code, details: expected })
  })

  test.each([
    ['without its required details', 'tooManyRequests', {}],
    ['with details of another type', 'monthlyCapExceeded', { leftCents: '50', resetsAt: 1 }],
    ['whose details lack the plan', 'quoteChanged', { ...FACTS, subscription: undefined }],
    ['whose details have an unknown plan', 'quoteChanged', { ...FACTS, subscription: { tier: 'gold' } }],
    ['whose details have an incomplete ledger', 'quoteChanged', { ...FACTS, ledger: { month: '2026-11' } }],
  ])('treats a refusal %s as unknown', (_, code, details) => {
    expect(parseRefusal(code, details)).toEqual({ code: 'unknown', details: {} })
  })

  test.each([[undefined], [''], [7], [null]])('a refusal without a code has an empty code: %j', (code) => {
    expect(parseRefusal(code, {})).toEqual({ code: '', details: {} })
  })
})
