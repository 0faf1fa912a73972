import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { err, ok } from '../common/result.ts'
import { money } from '../money/money.ts'
import { getDestination } from '../numbers/destinations.ts'
import { checkWallet } from '../numbers/wallets.ts'
import type { NameQuestion } from '../people/recipientName.ts'
import { EMPTY_SUBSCRIPTION } from '../prices/plans.ts'
import { quoteTransfer } from '../prices/quote.ts'
import type { TransferDraft } from './shapes/draftSchema.ts'
import { mapSenderTexts } from './shapes/fields.ts'
import type { UnpricedTransfer } from './shapes/orderSchema.ts'
import {
  buildRecipientDraft,
  buildTransferDraft,
  changeCountry,
  changeTransferDraft,
  checkTransfer,
  EMPTY_TRANSFER_DRAFT,
  isEmptyTransferDraft,
  isSameTransfer,
  isSameTransferDraft,
  parseWantedAmount,
  quoteDraft,
  type TransferContext,
  type TransferProblem,
} from './transfer.ts'

const context = { subscription: EMPTY_SUBSCRIPTION, now: Date.UTC(2026, 10, 20) }
const draft: TransferDraft = {
  ...EMPTY_TRANSFER_DRAFT,
  amount: '100',
  phone: '+224 620 00 00 00',
  receivingMethod: 'mtn_money',
  phoneConfirmed: true,
}
const buildFacts = (name: string | null, nameQuestion: NameQuestion) => ({
  phone: '+224620000000',
  name,
  nameQuestion,
})
const quote = quoteTransfer({
  gross: money(10_000, 'EUR'),
  destination: getDestination('GN'),
  coupon: null,
  ...context,
})

test('checking a complete form returns the transfer with its quote', () => {
  expect(checkTransfer(draft, context)).toEqual(
    ok({
      gross: { minor: 10_000, currency: 'EUR' },
      phone: '+224620000000',
      ...mapSenderTexts(() => null),
      destination: getDestination('GN'),
      receivingMethod: 'mtn_money',
      coupon: null,
      quote,
    }),
  )
})

test.each<[string, Partial<TransferDraft>, TransferContext['recipient'], string | null]>([
  ['typed, before anything is known of the number', { recipientName: ' Mariama  Bah ' }, null, 'Mariama Bah'],
  ['typed for a new number', { recipientName: 'Mariama' }, buildFacts(null, 'optional'), 'Mariama'],
  ['left out', {}, buildFacts(null, 'optional'), null],
  [
    'typed before the number became a contact’s',
    { recipientName: 'Awa' },
    buildFacts('Mariama', 'none'),
    'Mariama',
  ],
  [
    'typed before the number became one without a question',
    { recipientName: 'Awa' },
    buildFacts(null, 'none'),
    null,
  ],
  ['known of an earlier number', {}, { ...buildFacts('Awa', 'none'), phone: '+224620000001' }, null],
])('the transfer has the recipient’s name: %s', (_, change, recipient, recipientName) => {
  expect(checkTransfer({ ...draft, ...change }, { ...context, recipient: recipient ?? null })).toMatchObject({
    ok: true,
    value: { recipientName },
  })
})

test('a transfer needs the recipient’s name where it is required', () => {
  const recipient = buildFacts(null, 'required')
  expect(checkTransfer({ ...draft, recipientName: ' ' }, { ...context, recipient })).toEqual(
    err([{ field: 'recipientName', kind: 'recipientNameRequired' }]),
  )
  expect(checkTransfer({ ...draft, recipientName: 'Awa' }, { ...context, recipient })).toMatchObject({
    ok: true,
  })
})

test('applies the coupon of the form to the quote', () => {
  const checked = checkTransfer({ ...draft, coupon: ' ZE\u0301RO ' }, context)
  expect(checked).toMatchObject({
    ok: true,
    value: { coupon: 'ZÉRO', quote: { fee: { minor: 0 }, net: { minor: 10_000 }, feeRule: 'coupon' } },
  })
})

describe('checkTransfer @spec-form-rules @spec-form-order', () => {
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
  ])('reports the problem of a transfer form with %j', (change, problem) => {
    expect(checkTransfer({ ...draft, ...change }, context)).toEqual(err([problem]))
  })

  test('reports all problems of the transfer form together, in field order', () => {
    const wrong = { ...EMPTY_TRANSFER_DRAFT, receivingMethod: null, coupon: '!!' }
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
  test('a quote of the draft needs only an amount', () => {
    expect(quoteDraft({ ...EMPTY_TRANSFER_DRAFT, amount: '100' }, context)).toEqual(ok(quote))
  })

  test('a quote of the draft ignores a partly typed coupon', () => {
    expect(quoteDraft({ ...draft, coupon: 'Z' }, context)).toEqual(ok(quote))
  })

  test('a quote of the draft reports a problem of the amount', () => {
    expect(quoteDraft(EMPTY_TRANSFER_DRAFT, context)).toEqual(err({ kind: 'amountRequired' }))
    expect(quoteDraft({ ...draft, amount: '5' }, context)).toEqual(
      err({ kind: 'amountTooLow', limit: { minor: 1_000, currency: 'EUR' } }),
    )
  })
})

test('changing the country preselects its first wallet and unconfirms the number @spec-country-change', () => {
  expect(changeCountry(draft, 'FR')).toEqual({
    ...draft,
    country: 'FR',
    receivingMethod: 'paylib',
    phoneConfirmed: false,
  })
  expect(EMPTY_TRANSFER_DRAFT.receivingMethod).toBe('orange_money')
})

describe('changeDraft', () => {
  const after = (...patches: Partial<TransferDraft>[]) =>
    patches.reduce(changeTransferDraft, EMPTY_TRANSFER_DRAFT).receivingMethod
  const MTN = { phone: '664 11 22 33' }
  const ORANGE = { phone: '+224 620 00 00 00' }

  test.each<[string, readonly Partial<TransferDraft>[], string]>([
    ['a number selects its wallet', [MTN], 'mtn_money'],
    ['another number selects another wallet', [MTN, ORANGE], 'orange_money'],
    ['half a number selects no wallet', [{ phone: '664 11 22' }], 'orange_money'],
    ['deleting the number also removes its wallet', [MTN, { phone: '' }], 'orange_money'],
    ['an earlier choice stays', [{ receivingMethod: 'mtn_money' }, { phone: '62' }, ORANGE], 'mtn_money'],
    [
      'a later choice stays',
      [MTN, { receivingMethod: 'orange_money' }, { phone: '664 11 22 34' }],
      'orange_money',
    ],
    ['a wallet given with the number stays', [{ ...MTN, receivingMethod: 'orange_money' }], 'orange_money'],
    ['a country preselects its first wallet', [MTN, { country: 'FR' }], 'paylib'],
    [
      'a country with a number of it selects the wallet of the number',
      [{ country: 'FR' }, { country: 'GN', ...MTN }],
      'mtn_money',
    ],
    [
      'a wallet chosen for another country is dropped',
      [{ country: 'FR' }, { receivingMethod: 'wero' }, { country: 'GN', ...MTN }],
      'mtn_money',
    ],
    [
      'a number of another country selects no wallet',
      [{ country: 'FR' }, { phone: '+224 664 11 22 33' }],
      'paylib',
    ],
    ['an amount changes no wallet', [{ receivingMethod: 'mtn_money' }, { amount: '20' }], 'mtn_money'],
  ])('changing the draft selects the wallet: %s', (_, patches, wallet) => {
    expect(after(...patches)).toBe(wallet)
  })

  test('changing a draft changes only given fields, wallet and confirmation', () => {
    const patch: fc.Arbitrary<Partial<TransferDraft>> = fc.record(
      {
        country: fc.constantFrom('GN', 'FR', 'CA'),
        phone: fc.constantFrom('', '66', '+224664112233', '+224620000000', '+33612345678'),
        receivingMethod: fc.constantFrom('orange_money', 'mtn_money', 'wero', 'interac'),
        amount: fc.constantFrom('', '20'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(patch), patch, (before, last) => {
        const was = before.reduce(changeTransferDraft, { ...EMPTY_TRANSFER_DRAFT, phoneConfirmed: true })
        const is = changeTransferDraft(was, last)
        const { receivingMethod, phoneConfirmed } = is
        expect(is).toEqual({ ...was, ...last, receivingMethod, phoneConfirmed })
        expect(phoneConfirmed).toBe(was.phoneConfirmed && is.country === was.country)
        if (last.receivingMethod) expect(receivingMethod).toBe(last.receivingMethod)
        else if (is.country !== was.country) expect(checkWallet(receivingMethod, is.country).ok).toBe(true)
      }),
    )
  })
})

test.each([
  ['+33612345678', { country: 'FR', phone: '+33 6 12 34 56 78' }],
  ['+224620000000', { country: 'GN', phone: '+224 620 00 00 00' }],
  ['+447911123456', { phone: '+447911123456' }],
])('builds a draft with the number %s, unconfirmed and without a name', (phone, expected) => {
  expect(buildRecipientDraft(phone)).toEqual({ ...expected, recipientName: '', phoneConfirmed: false })
})

test.each<[Partial<TransferDraft>, boolean]>([
  [{}, true],
  [{ phone: '+224' }, true],
  [{ phone: '+224 6' }, false],
  [{ amount: '1' }, false],
  [{ coupon: 'Z' }, false],
  [{ currency: 'CAD', country: 'FR', receivingMethod: 'paylib' }, true],
])('a form with %j is empty: %s', (change, expected) => {
  expect(isEmptyTransferDraft({ ...EMPTY_TRANSFER_DRAFT, ...change })).toBe(expected)
})

test.each<[Partial<TransferDraft>, boolean]>([
  [{}, true],
  [{ coupon: 'ZERO', phoneConfirmed: false }, true],
  [{ amount: '101' }, false],
  [{ currency: 'CAD' }, false],
  [{ phone: '+224 620 00 00 01' }, false],
])('changing the form by %j leaves the same transfer: %s', (change, expected) => {
  expect(isSameTransferDraft(draft, { ...draft, ...change })).toBe(expected)
})

describe('isSameTransfer', () => {
  const checked = checkTransfer(draft, context)
  if (!checked.ok) throw new Error('The form is valid')
  const order = checked.value

  test.each<[string, Partial<UnpricedTransfer>]>([
    ['amount', { gross: money(10_001, 'EUR') }],
    ['currency', { gross: money(10_000, 'CAD') }],
    ['number', { phone: '+224620000001' }],
    ['name', { recipientName: 'Fatou Bah' }],
    ['wallet', { receivingMethod: 'orange_money' }],
    ['coupon', { coupon: 'ZERO' }],
  ])('another %s is another transfer', (_, change) => {
    expect(isSameTransfer(order, { ...order, ...change })).toBe(false)
  })

  test('another price is the same transfer', () => {
    const repriced = { ...order, quote: { ...order.quote, fee: money(0, 'EUR') } }
    expect(isSameTransfer(order, repriced)).toBe(true)
  })

  test.each(['fr', 'en'] as const)('a form built in %s is that of the same transfer', (language) => {
    const rebuilt = buildTransferDraft(order, language)
    expect(isSameTransferDraft(rebuilt, draft)).toBe(true)
    expect(rebuilt.phoneConfirmed).toBe(false)
    expect(checkTransfer({ ...rebuilt, phoneConfirmed: true }, context)).toEqual(ok(order))
  })
})

describe('parseWantedAmount', () => {
  test.each<[string, string, Partial<TransferDraft>, Partial<TransferContext>, number, number]>([
    ['francs, which have no cents', '1 500 000', {}, {}, 1_500_000, 14_589],
    ['euros with a comma', '97,00', { country: 'FR' }, {}, 9_700, 10_000],
    ['under the coupon', '1 060 000', { coupon: 'zéro' }, {}, 1_060_000, 10_000],
    [
      'under a coupon that has ended',
      '1 028 200',
      { coupon: 'ZERO' },
      { endedCoupon: 'zéro' },
      1_028_200,
      10_000,
    ],
    ['with an invalid coupon', '1 028 200', { coupon: '!' }, {}, 1_028_200, 10_000],
    ['from dollars', '97', { country: 'CA', currency: 'CAD' }, {}, 9_700, 10_000],
  ])(
    'finds the amount to pay for the typed amount to receive: %s',
    (_, typed, change, facts, wanted, gross) => {
      expect(parseWantedAmount(typed, { ...draft, ...change }, { ...context, ...facts })).toMatchObject(
        ok({ wanted: { minor: wanted }, gross: { minor: gross } }),
      )
    },
  )

  test.each(['', 'abc', '1,5', '-1'])('refuses %j francs as the amount to receive', (typed) => {
    expect(parseWantedAmount(typed, draft, context)).toEqual(err({ kind: 'amountRequired' }))
  })
})
