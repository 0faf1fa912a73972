import { describe, expect, test } from 'vitest'
import { destinationByCode } from './destinations.ts'
import { money } from './money.ts'
import { EMPTY_SUBSCRIPTION } from './plans.ts'
import { quoteTransfer } from './quote.ts'
import { err, ok } from './result.ts'
import {
  checkTransfer,
  draftTo,
  EMPTY_DRAFT,
  isEmptyDraft,
  isSameForm,
  quoteDraft,
  type TransferDraft,
  type TransferProblem,
  withCountry,
} from './transfer.ts'

const context = { subscription: EMPTY_SUBSCRIPTION, now: Date.UTC(2026, 10, 20) }
const draft: TransferDraft = {
  amount: '100',
  currency: 'EUR',
  country: 'GN',
  phone: '+224 620 00 00 00',
  receivingMethod: 'mtn_money',
  coupon: '',
  phoneConfirmed: true,
}
const quote = quoteTransfer({
  gross: money(10_000, 'EUR'),
  destination: destinationByCode('GN'),
  coupon: null,
  ...context,
})

test('a complete form is a transfer with its quote', () => {
  expect(checkTransfer(draft, context)).toEqual(
    ok({
      gross: { minor: 10_000, currency: 'EUR' },
      phone: '+224620000000',
      destination: destinationByCode('GN'),
      receivingMethod: 'mtn_money',
      coupon: null,
      quote,
    }),
  )
})

test('the coupon is part of the quote', () => {
  const checked = checkTransfer({ ...draft, coupon: ' ZE\u0301RO ' }, context)
  expect(checked).toMatchObject({
    ok: true,
    value: { coupon: 'ZÉRO', quote: { fee: { minor: 0 }, net: { minor: 10_000 }, feeRule: 'coupon' } },
  })
})

describe('each rule of the form', () => {
  const limit = (minor: number, currency: 'EUR' | 'CAD') => ({ minor, currency })

  test.each<[Partial<TransferDraft>, TransferProblem]>([
    [{ amount: '' }, { field: 'amount', kind: 'amountRequired' }],
    [{ amount: '1e2' }, { field: 'amount', kind: 'amountRequired' }],
    [{ amount: '-50' }, { field: 'amount', kind: 'amountRequired' }],
    [{ amount: '9,99' }, { field: 'amount', kind: 'amountTooLow', limit: limit(1_000, 'EUR') }],
    [{ amount: '500.01' }, { field: 'amount', kind: 'amountTooHigh', limit: limit(50_000, 'EUR') }],
    [
      { amount: '16.66', currency: 'CAD' },
      { field: 'amount', kind: 'amountTooLow', limit: limit(1_667, 'CAD') },
    ],
    [
      { amount: '833.34', currency: 'CAD' },
      { field: 'amount', kind: 'amountTooHigh', limit: limit(83_333, 'CAD') },
    ],
    [{ phone: ' ' }, { field: 'phone', kind: 'phoneRequired' }],
    [{ phone: '+224 620' }, { field: 'phone', kind: 'phoneInvalid', example: '+224 620 00 00 00' }],
    [{ phone: '+33612345678' }, { field: 'phone', kind: 'phonePrefix', prefix: '+224', country: 'GN' }],
    [{ phone: '+447911123456' }, { field: 'phone', kind: 'unsupportedDestination' }],
    [{ receivingMethod: null }, { field: 'receivingMethod', kind: 'walletRequired', country: 'GN' }],
    [{ receivingMethod: 'wero' }, { field: 'receivingMethod', kind: 'walletRequired', country: 'GN' }],
    [{ coupon: 'x' }, { field: 'coupon', kind: 'couponInvalid' }],
    [{ phoneConfirmed: false }, { field: 'phoneConfirmed', kind: 'confirmPhoneRequired' }],
  ])('%j', (change, problem) => {
    expect(checkTransfer({ ...draft, ...change }, context)).toEqual(err([problem]))
  })

  test('every problem is told at once, in the order of the form', () => {
    const wrong = { ...EMPTY_DRAFT, receivingMethod: null, coupon: '!!' }
    expect(checkTransfer(wrong, context)).toEqual(
      err([
        { field: 'amount', kind: 'amountRequired' },
        { field: 'phone', kind: 'phoneRequired' },
        { field: 'receivingMethod', kind: 'walletRequired', country: 'GN' },
        { field: 'coupon', kind: 'couponInvalid' },
        { field: 'phoneConfirmed', kind: 'confirmPhoneRequired' },
      ]),
    )
  })
})

describe('quoteDraft', () => {
  test('needs nothing but an amount', () => {
    expect(quoteDraft({ ...EMPTY_DRAFT, amount: '100' }, context)).toEqual(ok(quote))
  })

  test('takes a coupon that is half typed for none', () => {
    expect(quoteDraft({ ...draft, coupon: 'Z' }, context)).toEqual(ok(quote))
  })

  test('tells what is wrong with the amount', () => {
    expect(quoteDraft(EMPTY_DRAFT, context)).toEqual(err({ kind: 'amountRequired' }))
    expect(quoteDraft({ ...draft, amount: '5' }, context)).toEqual(
      err({ kind: 'amountTooLow', limit: { minor: 1_000, currency: 'EUR' } }),
    )
  })
})

test('another country preselects its first wallet and asks to confirm the number again', () => {
  expect(withCountry(draft, 'FR')).toEqual({
    ...draft,
    country: 'FR',
    receivingMethod: 'paylib',
    phoneConfirmed: false,
  })
  expect(EMPTY_DRAFT.receivingMethod).toBe('orange_money')
})

test.each([
  ['+33612345678', { country: 'FR', phone: '+33 6 12 34 56 78', phoneConfirmed: false }],
  ['+224620000000', { country: 'GN', phone: '+224 620 00 00 00', phoneConfirmed: false }],
  ['+447911123456', { phone: '+447911123456', phoneConfirmed: false }],
])('the form to %s has its country, where there is one, and the number to confirm', (phone, expected) => {
  expect(draftTo(phone)).toEqual(expected)
})

test.each<[Partial<TransferDraft>, boolean]>([
  [{}, true],
  [{ phone: '+224' }, true],
  [{ phone: '+224 6' }, false],
  [{ amount: '1' }, false],
  [{ coupon: 'Z' }, false],
  [{ currency: 'CAD', country: 'FR', receivingMethod: 'paylib' }, true],
])('a form with %j has nothing that somebody would miss: %s', (change, expected) => {
  expect(isEmptyDraft({ ...EMPTY_DRAFT, ...change })).toBe(expected)
})

test.each<[Partial<TransferDraft>, boolean]>([
  [{}, true],
  [{ coupon: 'ZERO', phoneConfirmed: false }, true],
  [{ amount: '101' }, false],
  [{ currency: 'CAD' }, false],
  [{ phone: '+224 620 00 00 01' }, false],
])('a form with %j is the same transfer: %s', (change, expected) => {
  expect(isSameForm(draft, { ...draft, ...change })).toBe(expected)
})
