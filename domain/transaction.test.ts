import { expect, test } from 'vitest'
import { HOUR } from './duration.ts'
import { money } from './money.ts'
import { EMPTY_SUBSCRIPTION } from './plans.ts'
import { SENT } from './transaction.samples.ts'
import { amountsOf, draftLike, transactionOf } from './transaction.ts'
import { checkTransfer, EMPTY_DRAFT } from './transfer.ts'

const now = Date.UTC(2026, 10, 20)
const recordOf = (minor: number) => {
  const draft = { ...EMPTY_DRAFT, amount: `${minor / 100}`, phone: '+224620000000', phoneConfirmed: true }
  const checked = checkTransfer(draft, { subscription: EMPTY_SUBSCRIPTION, now })
  if (!checked.ok) throw new Error('The form of this test is not valid')
  const details = { id: 'pi_1', senderId: 'user1', now, delivery: null }
  return { quote: checked.value.quote, transaction: transactionOf(checked.value, details) }
}

test('the record of 100 EUR sent to Guinea @spec-transfer-record', () => {
  expect(recordOf(10_000).transaction).toEqual({
    id: 'pi_1',
    senderId: 'user1',
    type: 'sent',
    recipientPhone: '+224620000000',
    amount: 97,
    fees: 3,
    exchangeRate: 10_600,
    convertedAmount: 1_028_200,
    sourceCurrency: 'EUR',
    destinationCurrency: 'GNF',
    destination: { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳' },
    status: 'completed',
    createdAt: now,
    settledAt: now,
    estimatedArrival: now + HOUR,
    description: 'Transfer to +224*******00',
    paymentMethod: 'card',
    couponCode: null,
    receivingMethod: 'orange_money',
    delivery: null,
    promisedMinutes: null,
    recipientLink: null,
  })
})

test('the amounts of a record are those of its quote, for every cent from 10.00 to 500.00 @spec-transfer-record-amounts', () => {
  for (let cents = 1_000; cents <= 50_000; cents++) {
    const { quote, transaction } = recordOf(cents)
    const { gross, fee, net, converted } = quote
    expect(amountsOf(transaction)).toEqual({ gross, fee, net, converted })
  }
})

test('the same transfer once more is the same form, without its coupon and with the number to be confirmed', () => {
  const draft = draftLike({ ...SENT, couponCode: 'ZERO', receivingMethod: 'mtn_money' }, 'fr')
  expect(draft).toEqual({
    amount: '150',
    currency: 'EUR',
    country: 'GN',
    phone: '+224 620 00 00 00',
    receivingMethod: 'mtn_money',
    coupon: '',
    phoneConfirmed: false,
  })
})

test.each([
  ['fr', '42,50'],
  ['en', '42.50'],
] as const)('in %s its amount is typed %s, and a wallet that is none is the first', (language, amount) => {
  const sent = { ...SENT, amount: 41.22, fees: 1.28, sourceCurrency: 'CAD', receivingMethod: null } as const
  const draft = draftLike(sent, language)
  expect(draft).toMatchObject({ amount, currency: 'CAD', receivingMethod: 'orange_money' })
  const checked = checkTransfer({ ...draft, phoneConfirmed: true }, { subscription: EMPTY_SUBSCRIPTION, now })
  expect(checked).toMatchObject({ ok: true, value: { gross: money(4_250, 'CAD') } })
})
