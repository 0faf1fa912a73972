import { expect, test } from 'vitest'
import { checkInvoiceLookup } from './invoice.ts'
import { err, ok } from './result.ts'

const missing = err({ kind: 'invoiceFieldsRequired' })

test.each([
  [{ supplier: 'edg', reference: ' F-1 ' }, ok({ supplier: 'edg', reference: 'F-1' })],
  [{ supplier: '', reference: 'F-1' }, missing],
  [{ supplier: 'edg', reference: '  ' }, missing],
])('%j', (lookup, result) => {
  expect(checkInvoiceLookup(lookup)).toEqual(result)
})
