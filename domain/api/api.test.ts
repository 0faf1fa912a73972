import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { SENT_TRANSFER } from '../transfers/transaction.samples.ts'
import { API, type FunctionName } from './api.ts'

const PAID = {
  ...{
    id: 'pi_1',
    payerId: 'ana',
    payerName: 'Ana',
    supplier: 'edf',
    reference: '6012-1001',
    type: 'electricity',
  },
  ...{ amount: 84.5, currency: 'EUR', dueDate: '2026-11-30', status: 'completed', description: '' },
  ...{ paymentMethod: 'card', createdAt: 1, settledAt: 2 },
}
const INVOICE = {
  ...{ supplier: 'edf', reference: '6012-1001', type: 'electricity', dueDate: '2026-11-30', status: 'due' },
  amount: { minor: 8450, currency: 'EUR' },
}
const STARTED = {
  paymentIntentId: 'pi_1',
  clientSecret: 's',
  customerSession: 'cuss_1',
  status: 'requires_payment_method',
}

const read = (name: FunctionName, said: unknown) => {
  const schema: v.GenericSchema<unknown, object> = API[name].response
  const parsed = v.safeParse(schema, said)
  return parsed.success ? parsed.output : null
}

describe('the schema of a response', () => {
  test.each<[FunctionName, object]>([
    ['create-payment-intent', STARTED],
    ['pay-invoice', STARTED],
    ['record-transfer', { outcome: 'paid', transaction: SENT_TRANSFER }],
    ['record-transfer', { outcome: 'paid', invoicePayment: PAID }],
    ['record-transfer', { outcome: 'unpaid', status: 'canceled' }],
    ['record-transfer', { outcome: 'unclear', status: 'processing' }],
    ['record-transfer', { outcome: 'refunded' }],
    ['cancel-payment-intent', { outcome: 'released' }],
    ['cancel-payment-intent', { outcome: 'disputed' }],
    ['cancel-transfer', { transaction: SENT_TRANSFER }],
    ['wallet-holder', { kind: 'named', name: 'Mariama B.' }],
    ['wallet-holder', { kind: 'none' }],
    ['wallet-holder', { kind: 'silent' }],
    ['lookup-invoice', { invoice: INVOICE }],
    ['create-subscription', { url: 'https://checkout.example' }],
    ['verify-subscription', { success: true, tier: 'basic', subscriptionId: 'sub_1' }],
    ['verify-subscription', { success: false, tier: 'basic', subscriptionId: null, status: 'open' }],
    [
      'verify-subscription',
      { success: false, tier: 'basic', subscriptionId: 'sub_1', status: 'unconfirmed' },
    ],
    ['refresh-plan', {}],
    ['cancel-subscription', { cancelAt: 1 }],
    ['change-card', { url: 'https://checkout.example' }],
    ['check-phone-user', {}],
    ['confirm-address', { signInAgain: false }],
    ['sign-out-everywhere', {}],
    ['delete-account', { outcome: 'deleted' }],
    ['report-error', {}],
  ])('accepts a response of %s and drops unknown fields', (name, said) => {
    expect(read(name, { ...said, more: 'of a newer server' })).toEqual(said)
  })

  test('reads the missing URL of a checkout as null', () => {
    expect(read('create-subscription', {})).toEqual({ url: null })
  })

  test.each<[FunctionName, unknown]>([
    ['create-payment-intent', { ...STARTED, clientSecret: undefined }],
    ['record-transfer', { outcome: 'paid' }],
    ['record-transfer', { outcome: 'paid', transaction: { ...SENT_TRANSFER, amount: '145.5' } }],
    [
      'record-transfer',
      { outcome: 'paid', transaction: { ...SENT_TRANSFER, createdAt: '2026-11-20T12:00:00Z' } },
    ],
    ['record-transfer', { outcome: 'paid', invoicePayment: { ...PAID, currency: 'USD' } }],
    ['record-transfer', { outcome: 'unpaid' }],
    ['record-transfer', { outcome: 'released' }],
    ['record-transfer', { outcome: 'kept' }],
    ['record-transfer', null],
    ['wallet-holder', { kind: 'named' }],
    ['wallet-holder', { kind: 'named', name: null }],
    ['wallet-holder', { kind: 'closed' }],
    ['lookup-invoice', { invoice: { ...INVOICE, amount: 84.5 } }],
    ['lookup-invoice', { invoice: { ...INVOICE, status: 'lost' } }],
    ['verify-subscription', { success: 'true', tier: 'basic', subscriptionId: 'sub_1' }],
    ['verify-subscription', { success: true, tier: 'gold', subscriptionId: 'sub_1' }],
    ['cancel-subscription', { cancelAt: null }],
    ['confirm-address', {}],
    ['sign-out-everywhere', 'Welcome to the airport'],
    ['delete-account', {}],
  ])('rejects a response of %s with another shape: %j', (name, said) => {
    expect(read(name, said)).toBe(null)
  })
})
