import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { formatAmountInput, money, SOURCE_CURRENCIES } from '../money/money.ts'
import { getDestination } from '../numbers/destinations.ts'
import { getTransferLimits } from '../prices/limits.ts'
import { EMPTY_SUBSCRIPTION } from '../prices/plans.ts'
import { quoteTransfer } from '../prices/quote.ts'
import { walletTariffsSchema } from '../prices/walletTariffsSchema.ts'
import type { TransferDraft } from './shapes/draftSchema.ts'
import { checkTransfer, EMPTY_TRANSFER_DRAFT } from './transfer.ts'
import { checkWalletLimit, estimateAmountInHand } from './walletTariffs.ts'

const now = Date.UTC(2026, 10, 20)
const since = '2026-11-01'
const destination = getDestination('GN')
const terms = { destination, coupon: null, subscription: EMPTY_SUBSCRIPTION, now }
const LIGHT_ACCOUNT = { mtn_money: { since, limit: 4_000_000 } }
const draft: TransferDraft = {
  ...EMPTY_TRANSFER_DRAFT,
  amount: '500',
  phone: '+224 660 00 00 00',
  receivingMethod: 'mtn_money',
  phoneConfirmed: true,
}
const context = { subscription: EMPTY_SUBSCRIPTION, now, walletTariffs: LIGHT_ACCOUNT }
const whole = quoteTransfer({ gross: money(50_000, 'EUR'), ...terms })

describe('the limit of a wallet @spec-wallet-limit', () => {
  test('a transfer above it is refused with the amount that fits', () => {
    expect(whole.converted).toEqual(money(5_141_000, 'GNF'))
    expect(checkTransfer(draft, context)).toEqual({
      ok: false,
      error: [
        {
          ...{ field: 'amount', kind: 'walletLimitExceeded', wallet: 'mtn_money' },
          ...{ limit: money(4_000_000, 'GNF'), fits: money(38_902, 'EUR') },
        },
      ],
    })
    expect(checkTransfer({ ...draft, amount: '389.02' }, context).ok).toBe(true)
  })

  test('it comes before other problems, even with an unusable coupon', () => {
    const wrong = { ...draft, coupon: '!', phoneConfirmed: false }
    const checked = checkTransfer(wrong, context)
    expect(checked.ok ? [] : checked.error.map(({ kind }) => kind)).toEqual([
      'walletLimitExceeded',
      'couponInvalid',
      'confirmPhoneRequired',
    ])
  })

  test('it applies neither to another wallet nor without the setting', () => {
    expect(checkTransfer({ ...draft, receivingMethod: 'orange_money' }, context).ok).toBe(true)
    expect(checkTransfer(draft, { subscription: EMPTY_SUBSCRIPTION, now }).ok).toBe(true)
  })

  test('the limit itself is accepted, and one franc more is not', () => {
    const check = (limit: number) =>
      checkWalletLimit(whole, 'mtn_money', terms, { mtn_money: { since, limit } }).ok
    expect([check(5_141_000), check(5_140_999)]).toEqual([true, false])
  })

  test('the proposed amount is the largest that fits and can be sent', () => {
    const plan = { tier: 'basic', status: 'active', startDate: now, lastReset: now, cancelAt: null } as const
    const subscriptions = [
      EMPTY_SUBSCRIPTION,
      { ...plan, transactionsLeft: 1, stripeSubscriptionId: 'sub_1' },
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...SOURCE_CURRENCIES).chain((currency) => {
          const { min, max } = getTransferLimits(currency)
          return fc.integer({ min: min.minor, max: max.minor }).map((minor) => money(minor, currency))
        }),
        // From the least limit that the setting accepts.
        fc.integer({ min: 106_738, max: 5_300_000 }),
        fc.constantFrom('', 'ZERO'),
        fc.constantFrom(...subscriptions),
        (gross, limit, coupon, subscription) => {
          const check = (minor: number) =>
            checkTransfer(
              {
                ...{ ...draft, coupon, currency: gross.currency },
                amount: formatAmountInput(money(minor, gross.currency), 'fr'),
              },
              { subscription, now, walletTariffs: { mtn_money: { since, limit } } },
            )
          const checked = check(gross.minor)
          if (checked.ok) {
            expect(checked.value.quote.converted.minor).toBeLessThanOrEqual(limit)
            return
          }
          const [problem] = checked.error
          if (problem?.kind !== 'walletLimitExceeded') throw new Error('The limit is the only problem here')
          expect(problem.fits.minor).toBeLessThan(gross.minor)
          expect(check(problem.fits.minor).ok).toBe(true)
          expect(check(problem.fits.minor + 1).ok).toBe(false)
        },
      ),
    )
  })
})

describe('estimating the amount in hand', () => {
  const steps = {
    steps: [
      { upTo: 100_000, fee: 2_000 },
      { upTo: 1_000_000, fee: 15_000 },
    ],
  }

  test.each([
    [100_000, 98_000],
    [100_001, 85_001],
    [1_000_000, 985_000],
    [1_000_001, null],
    [2_000, null],
  ])('by a tariff with steps, a withdrawal of %i francs leaves %s', (received, left) => {
    expect(estimateAmountInHand(money(received, 'GNF'), steps)).toEqual(left && money(left, 'GNF'))
  })

  test('a fee in percent is rounded like every amount', () => {
    const percent = (value: number) => ({ percent: value })
    expect(estimateAmountInHand(money(1_028_200, 'GNF'), percent(1))).toEqual(money(1_017_918, 'GNF'))
    expect(estimateAmountInHand(money(1_028_250, 'GNF'), percent(1.15))).toEqual(money(1_016_425, 'GNF'))
  })
})

describe('the setting VITE_WALLET_TARIFFS', () => {
  const parse = (value: unknown) => v.is(walletTariffsSchema, JSON.stringify(value))

  test.each<[string, unknown]>([
    ['no wallet', {}],
    ['a limit', { mtn_money: { since, limit: 4_000_000 } }],
    ['the least limit, that of the minimum transfer', { mtn_money: { since, limit: 106_738 } }],
    ['a limit in cents', { wero: { since, limit: 1_000 }, interac: { since, limit: 1_667 } }],
    ['a percentage', { mtn_money: { since, cashOut: { percent: 1.25 } } }],
    ['steps', { orange_money: { since, limit: 5_000_000, cashOut: { steps: [{ upTo: 9, fee: 1 }] } } }],
  ])('accepts %s', (_, value) => {
    expect(parse(value)).toBe(true)
  })

  test.each<[string, unknown]>([
    ['another wallet', { mtn: { since, limit: 4_000_000 } }],
    ['another field', { mtn_money: { since, limits: 4_000_000 } }],
    ['a limit below the minimum transfer', { mtn_money: { since, limit: 106_737 } }],
    ['a limit below the minimum transfer in cents', { wero: { since, limit: 999 } }],
    ['a limit with decimals', { mtn_money: { since, limit: 4_000_000.5 } }],
    ['a limit without its day', { mtn_money: { limit: 4_000_000 } }],
    ['fees without their day', { mtn_money: { cashOut: { percent: 1 } } }],
    ['a day that does not exist', { mtn_money: { since: '2026-02-30', limit: 4_000_000 } }],
    ['a fee of nothing', { mtn_money: { since, cashOut: { percent: 0 } } }],
    ['a fee of more than half', { mtn_money: { since, cashOut: { percent: 51 } } }],
    ['a percentage with three decimals', { mtn_money: { since, cashOut: { percent: 1.125 } } }],
    ['no step', { mtn_money: { since, cashOut: { steps: [] } } }],
    [
      'steps that do not ascend',
      {
        mtn_money: {
          since,
          cashOut: {
            steps: [
              { upTo: 9, fee: 1 },
              { upTo: 9, fee: 2 },
            ],
          },
        },
      },
    ],
    ['a step whose fee is its amount', { mtn_money: { since, cashOut: { steps: [{ upTo: 9, fee: 9 }] } } }],
    ['a list', []],
  ])('rejects %s', (_, value) => {
    expect(parse(value)).toBe(false)
  })

  test('rejects a text that is not JSON', () => {
    expect(v.is(walletTariffsSchema, 'mtn_money=4000000')).toBe(false)
  })
})
