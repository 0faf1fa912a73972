import { expect, test } from 'vitest'
import { HOUR } from '../common/duration.ts'
import { money } from '../money/money.ts'
import { EMPTY_SUBSCRIPTION } from '../prices/plans.ts'
import { mapSenderTexts } from './shapes/fields.ts'
import { buildTransaction } from './shapes/transaction.ts'
import { SENT_TRANSFER } from './transaction.samples.ts'
import { buildDraftFromTransaction, getAmounts } from './transaction.ts'
import { checkTransfer, EMPTY_TRANSFER_DRAFT } from './transfer.ts'

const now = Date.UTC(2026, 10, 20)
const buildRecord = (minor: number) => {
  const draft = {
    ...EMPTY_TRANSFER_DRAFT,
    amount: `${minor / 100}`,
    phone: '+224620000000',
    recipientName: 'Mariama Bah',
    phoneConfirmed: true,
  }
  const checked = checkTransfer(draft, { subscription: EMPTY_SUBSCRIPTION, now })
  if (!checked.ok) throw new Error('The form of this test is invalid')
  const facts = {
    ...{ id: 'pi_1', senderId: 'user1', senderName: 'Awa Ba', createdAt: now - HOUR, settledAt: now },
    ...{ promisedMinutes: null, delivery: null, recipientLink: null },
  }
  return { quote: checked.value.quote, transaction: buildTransaction(checked.value, facts) }
}

test('records 100 EUR sent to Guinea @spec-transfer-record', () => {
  expect(buildRecord(10_000).transaction).toEqual({
    id: 'pi_1',
    senderId: 'user1',
    type: 'sent',
    recipientPhone: '+224620000000',
    senderName: 'Awa Ba',
    ...mapSenderTexts(() => null),
    recipientName: 'Mariama Bah',
    amount: 97,
    fees: 3,
    exchangeRate: 10_600,
    convertedAmount: 1_028_200,
    sourceCurrency: 'EUR',
    destinationCurrency: 'GNF',
    destination: { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳' },
    status: 'completed',
    createdAt: now - HOUR,
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

test('a recorded transfer has its quote’s amounts, from 10.00 to 500.00 @spec-transfer-record-amounts', () => {
  for (let cents = 1_000; cents <= 50_000; cents++) {
    const { quote, transaction } = buildRecord(cents)
    const amounts = getAmounts(transaction)
    // One assertion per cent would take longer than the calculations.
    const isSame = (['gross', 'fee', 'net', 'converted'] as const).every(
      (name) => amounts[name].minor === quote[name].minor && amounts[name].currency === quote[name].currency,
    )
    if (!isSame) expect.fail(`${cents} cents: ${JSON.stringify({ amounts, quote })}`)
  }
})

test('repeating a transfer drops the coupon and unconfirms the number', () => {
  const draft = buildDraftFromTransaction(
    { ...SENT_TRANSFER, couponCode: 'ZERO', receivingMethod: 'mtn_money' },
    'fr',
  )
  expect(draft).toEqual({
    amount: '150',
    currency: 'EUR',
    country: 'GN',
    phone: '+224 620 00 00 00',
    ...mapSenderTexts(() => ''),
    receivingMethod: 'mtn_money',
    coupon: '',
    phoneConfirmed: false,
  })
})

test.each([
  ['fr', '42,50'],
  ['en', '42.50'],
] as const)('repeating a transfer in %s fills in %s and the first wallet', (language, amount) => {
  const sent = {
    ...SENT_TRANSFER,
    amount: 41.22,
    fees: 1.28,
    sourceCurrency: 'CAD',
    receivingMethod: null,
  } as const
  const draft = buildDraftFromTransaction(sent, language)
  expect(draft).toMatchObject({ amount, currency: 'CAD', receivingMethod: 'orange_money' })
  const checked = checkTransfer({ ...draft, phoneConfirmed: true }, { subscription: EMPTY_SUBSCRIPTION, now })
  expect(checked).toMatchObject({ ok: true, value: { gross: money(4_250, 'CAD') } })
})
