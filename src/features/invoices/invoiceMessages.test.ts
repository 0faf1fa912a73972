import { expect, test } from 'vitest'
import type { Failure } from '../../../domain/errors/failure.ts'
import { OPERATION_FAILURE_TEXTS } from '../../ui/failureText.ts'
import { getPaidInvoicesLoadFailureText } from './invoiceMessages.ts'

test.each<Failure>([
  { kind: 'authOther', message: 'The transaction was aborted' },
  { kind: 'data', operation: 'fetchInvoicePayments', cause: 'other' },
])('a failed load of the paid invoices has the text of the operation for the failure $kind', (failure) => {
  expect(getPaidInvoicesLoadFailureText(failure)).toEqual(OPERATION_FAILURE_TEXTS.fetchInvoicePayments)
})
