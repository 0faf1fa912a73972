import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { getBalance, sumEntries } from './balances.ts'
import { type Entry, type JournalAccount, journalSchema } from './entry.ts'
import {
  bookCharge,
  bookFeeEarned,
  bookInvoicePaid,
  bookInvoiceReturned,
  bookKept,
  bookMoved,
  bookPayoutArrivedLate,
  bookPayoutConfirmed,
  bookPayoutFailed,
  bookPayoutSent,
  bookPlanPaid,
  bookPlanReturned,
} from './movements.ts'
import { bookTakenBack, NOTHING_TAKEN, type TakenBack } from './takenBack.ts'

const eur = (minor: number) => ({ minor, currency: 'EUR' })
const gnf = (minor: number) => ({ minor, currency: 'GNF' })
const PAYOUT = { rail: 'mtn', amount: gnf(1_028_200) }
const CHARGE = { charged: eur(10_000), booked: { ...eur(10_000), fee: 175 } }

const format = (entries: readonly Entry[]) =>
  entries.flatMap(({ kind, lines }) =>
    lines.map(({ debit, credit, minor, currency }) => `${kind}: ${debit} ← ${credit} ${minor} ${currency}`),
  )
const getAccounts = (entries: readonly Entry[]) =>
  Object.fromEntries([...sumEntries(entries)].map(([currency, sums]) => [currency, Object.fromEntries(sums)]))

test('a delivered transfer leaves our fee, the card fee and the conversion', () => {
  const entries = [
    ...bookCharge(CHARGE),
    ...bookPayoutSent(PAYOUT),
    ...bookPayoutConfirmed(PAYOUT, { net: eur(9_700), wasSent: true }),
    ...bookFeeEarned(eur(300)),
  ]
  expect(getAccounts(entries)).toEqual({
    EUR: { 'assets:stripe': 9_825, 'expenses:stripe': 175, 'revenues:fees': -300, 'equity:exchange': -9_700 },
    GNF: { 'assets:float:mtn': -1_028_200, 'equity:exchange': 1_028_200 },
  })
})

test('a payout that fails returns to its rail, and the claim stays', () => {
  const entries = [...bookCharge(CHARGE), ...bookPayoutSent(PAYOUT), ...bookPayoutFailed(PAYOUT)]
  expect(getAccounts(entries)).toEqual({
    EUR: { 'assets:stripe': 9_825, 'expenses:stripe': 175, 'liabilities:payers': -10_000 },
    GNF: {},
  })
})

test('a charge in francs reaches our balance in euros', () => {
  const charge = { charged: gnf(10_000), booked: { ...eur(94), fee: 26 } }
  expect(getAccounts([...bookCharge(charge), ...bookInvoicePaid(gnf(10_000))])).toEqual({
    EUR: { 'assets:stripe': 68, 'expenses:stripe': 26, 'equity:exchange': -94 },
    GNF: { 'equity:exchange': 10_000, 'liabilities:suppliers': -10_000 },
  })
})

test('a charge whose balance transaction is unknown has no fee yet', () => {
  expect(format(bookCharge({ charged: eur(10_000), booked: null }))).toEqual([
    'cardIn: assets:stripe ← liabilities:payers 10000 EUR',
  ])
})

test('the charge of a plan that never took effect is claimed back', () => {
  const entries = [...bookPlanPaid({ charged: eur(499), booked: null }), ...bookPlanReturned(eur(499))]
  expect(getAccounts(entries)).toEqual({ EUR: { 'assets:stripe': 499, 'liabilities:payers': -499 } })
})

const after = (changes: Partial<TakenBack>): TakenBack => ({ ...NOTHING_TAKEN, ...changes })
const EUR_CHANGE = { wasOwed: false, isOwed: false, currency: 'EUR', balanceCurrency: 'EUR' }

test.each<[string, TakenBack, TakenBack, Partial<typeof EUR_CHANGE>, readonly string[]]>([
  [
    'a refund of an owed charge',
    NOTHING_TAKEN,
    after({ refunded: 500, balance: -500 }),
    { wasOwed: true, isOwed: true },
    ['refund: liabilities:payers ← assets:stripe 500 EUR'],
  ],
  [
    'a refund that failed',
    after({ refunded: 500, balance: -500 }),
    NOTHING_TAKEN,
    { wasOwed: true, isOwed: true },
    ['refundFailed: assets:stripe ← liabilities:payers 500 EUR'],
  ],
  [
    'a refund by hand of a payment that stands',
    NOTHING_TAKEN,
    after({ refunded: 500, balance: -500 }),
    {},
    ['refund: expenses:reversals ← assets:stripe 500 EUR'],
  ],
  [
    'a payment that was refunded by hand and is owed now',
    after({ refunded: 500, balance: -500 }),
    after({ refunded: 500, balance: -500 }),
    { isOwed: true },
    ['reversalOwed: liabilities:payers ← expenses:reversals 500 EUR'],
  ],
  [
    'a dispute',
    NOTHING_TAKEN,
    after({ open: 900, balance: -900, fees: 1_500 }),
    {},
    [
      'disputeOpened: assets:disputes ← assets:stripe 900 EUR',
      'stripeFee: expenses:stripe ← assets:stripe 1500 EUR',
    ],
  ],
  [
    'a lost dispute',
    after({ open: 900, balance: -900 }),
    after({ lost: 900, balance: -900 }),
    {},
    ['disputeLost: expenses:reversals ← assets:disputes 900 EUR'],
  ],
  [
    'a won dispute',
    after({ open: 900, balance: -900 }),
    NOTHING_TAKEN,
    {},
    ['disputeWon: assets:stripe ← assets:disputes 900 EUR'],
  ],
  [
    'a part that comes back after a lost dispute',
    after({ lost: 900, balance: -900 }),
    after({ lost: 500, balance: -500 }),
    { wasOwed: true, isOwed: true },
    ['disputeReturned: assets:stripe ← liabilities:payers 400 EUR'],
  ],
  [
    'a lost dispute that the bank decides again',
    after({ lost: 900, balance: -900 }),
    after({ open: 900, balance: -900 }),
    {},
    ['disputeReopened: assets:disputes ← expenses:reversals 900 EUR'],
  ],
  [
    'a lost dispute that nobody saw open',
    NOTHING_TAKEN,
    after({ lost: 900, balance: -900 }),
    { wasOwed: true, isOwed: true },
    [
      'disputeOpened: assets:disputes ← assets:stripe 900 EUR',
      'disputeLost: liabilities:payers ← assets:disputes 900 EUR',
    ],
  ],
])('%s has its entries', (_, before, now, changes, expected) => {
  expect(format(bookTakenBack({ ...EUR_CHANGE, ...changes, before, after: now }))).toEqual(expected)
})

test('a refund of a charge in francs leaves our balance in euros', () => {
  const change = { ...EUR_CHANGE, currency: 'GNF', wasOwed: true, isOwed: true }
  const entries = bookTakenBack({
    ...change,
    before: NOTHING_TAKEN,
    after: after({ refunded: 10_000, balance: -94 }),
  })
  expect(getAccounts(entries)).toEqual({
    EUR: { 'assets:stripe': -94, 'equity:exchange': 94 },
    GNF: { 'liabilities:payers': 10_000, 'equity:exchange': -10_000 },
  })
})

const minor = fc.nat(2 ** 30)
const currency = fc.constantFrom('EUR', 'CAD', 'GNF')
const amount = fc.record({ minor, currency })
const stripeAmount = fc.record({
  charged: amount,
  booked: fc.option(fc.record({ minor, currency, fee: minor })),
})
const payout = fc.record({ rail: fc.constantFrom('mtn', 'byHand'), amount })
const takenBack = fc.record({
  refunded: minor,
  open: minor,
  lost: minor,
  balance: fc.integer({ min: -(2 ** 30), max: 2 ** 30 }),
  fees: minor,
})
const change = fc.record({
  before: takenBack,
  after: takenBack,
  wasOwed: fc.boolean(),
  isOwed: fc.boolean(),
  currency,
  balanceCurrency: currency,
})
const anyEntries = fc.oneof(
  stripeAmount.map(bookCharge),
  stripeAmount.map(bookPlanPaid),
  amount.map(bookPlanReturned),
  amount.map(bookInvoicePaid),
  amount.map(bookFeeEarned),
  fc.tuple(amount, fc.boolean()).map((all) => bookKept(...all)),
  fc.tuple(amount, fc.boolean()).map((all) => bookInvoiceReturned(...all)),
  fc.tuple(amount, amount).map((all) => bookMoved('assets:bank', 'assets:float:mtn', ...all)),
  payout.map(bookPayoutSent),
  payout.map(bookPayoutFailed),
  payout.map(bookPayoutArrivedLate),
  fc
    .tuple(payout, fc.record({ net: amount, wasSent: fc.boolean() }))
    .map((all) => bookPayoutConfirmed(...all)),
  change.map(bookTakenBack),
)

test('the entries of any movements are valid and add up to zero @spec-journal', () => {
  fc.assert(
    fc.property(fc.array(anyEntries), (several) => {
      const entries = several.flat()
      expect(v.is(journalSchema, { about: 'pi_1', at: 0, entries })).toBe(true)
      for (const sums of sumEntries(entries).values())
        expect([...sums.values()].reduce((sum, one) => sum + one, 0)).toBe(0)
    }),
  )
})

test('the entries of any steps lead from one state at Stripe to the other', () => {
  const path = fc.array(takenBack, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(path, fc.nat(5), (states, owedFrom) => {
      let before = NOTHING_TAKEN
      const entries = states.flatMap((next, step) => {
        const owed = { wasOwed: step > owedFrom, isOwed: step >= owedFrom }
        const made = bookTakenBack({ ...EUR_CHANGE, ...owed, before, after: next })
        before = next
        return made
      })
      const sums = sumEntries(entries)
      const back = before.refunded + before.lost
      const isOwed = states.length - 1 >= owedFrom
      const expected: Partial<Record<JournalAccount, number>> = {
        'assets:disputes': before.open,
        'expenses:reversals': isOwed ? 0 : back,
        'liabilities:payers': isOwed ? back : 0,
        'assets:stripe': before.balance - before.fees,
        'expenses:stripe': before.fees,
      }
      for (const [account, sum] of Object.entries(expected))
        expect(getBalance(sums, 'EUR', account as JournalAccount), account).toBe(sum)
    }),
  )
})

test('rejects an unknown account, a fraction and a negative amount', () => {
  const line = { debit: 'assets:stripe', credit: 'liabilities:payers', minor: 1, currency: 'EUR' }
  for (const wrong of [{ debit: 'assets:cash' }, { minor: 0.5 }, { minor: -1 }, { minor: 0 }]) {
    const entries = [{ kind: 'cardIn', lines: [{ ...line, ...wrong }] }]
    expect(v.is(journalSchema, { about: 'pi_1', at: 0, entries }), JSON.stringify(wrong)).toBe(false)
  }
})
