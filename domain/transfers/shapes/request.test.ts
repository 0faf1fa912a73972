import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../../prices/plans.ts'
import { checkTransfer, EMPTY_TRANSFER_DRAFT } from '../transfer.ts'
import { buildPaymentRequest, checkRequest } from './request.ts'
import { transferRequestSchema } from './requestSchema.ts'

const SENT = {
  attemptId: '6f1b2a50-8f4e-4e0c-9d1a-0c5d7c1f2a3b',
  draftId: '0b7f9a44-55d6-4c6a-8a46-3f6a7a0b9c1d',
  senderId: 'ana',
  again: null,
  minutes: null,
}

const drafts = fc.record({
  amount: fc.constantFrom('10', '150,50', '500'),
  currency: fc.constantFrom('EUR', 'CAD'),
  country: fc.constantFrom('GN', 'FR', 'CA'),
  phone: fc.constantFrom('620 00 00 00', '+224 664 11 22 33', '06 12 34 56 78', '514 555 0123'),
  recipientName: fc.oneof(fc.constant('  Mariama\u0007 Bah'), fc.string({ unit: 'grapheme' })),
  receivingMethod: fc.constantFrom('orange_money', 'mtn_money', 'paylib', 'wero', 'interac'),
  coupon: fc.constantFrom('', ' ze\u0301ro ', 'MERCI-2026'),
})

test('the server reads the same transfer from the request of a valid form', () => {
  const context = { subscription: EMPTY_SUBSCRIPTION, now: Date.UTC(2026, 10, 20) }
  let valid = 0
  fc.assert(
    fc.property(drafts, (typed) => {
      const form = checkTransfer({ ...EMPTY_TRANSFER_DRAFT, ...typed, phoneConfirmed: true }, context)
      if (!form.ok) return
      valid += 1
      const request = v.parse(transferRequestSchema, buildPaymentRequest(form.value, SENT))
      const { quote, ...unpriced } = form.value
      expect(checkRequest(request, quote.gross.minor, false)).toEqual({ ok: true, value: unpriced })
    }),
    { numRuns: 1000 },
  )
  expect(valid).toBeGreaterThan(50)
})
