import { expect, test } from 'vitest'
import type { Failure } from '../../../domain/failure.ts'
import { BY_OPERATION } from '../../ui/failureText.ts'
import { paidListText } from './invoiceMessages.ts'

test.each<Failure>([
  { kind: 'authOther', message: 'The transaction was aborted' },
  { kind: 'data', operation: 'fetchInvoicePayments', cause: 'other' },
])('a list of paid invoices that can not be loaded says so, whatever it was: $kind', (failure) => {
  expect(paidListText(failure)).toEqual(BY_OPERATION.fetchInvoicePayments)
})
