import { expect, test, vi } from 'vitest'
import { deleteOpenPayment, findOpenPaymentCopy } from './openPayments.ts'

test('an invalid copy of an open payment hides none of the others', () => {
  const copy = { uid: 'ada', kind: 'transfer', attempt: { id: 'a1' } } as const
  const stored = JSON.stringify([copy, null, { uid: 'ada', kind: 'transfer' }])
  vi.stubGlobal('localStorage', { getItem: () => stored, removeItem: () => undefined })
  expect(findOpenPaymentCopy('ada')).toEqual(copy)
  expect(() => deleteOpenPayment('a1')).not.toThrow()
  vi.unstubAllGlobals()
})
