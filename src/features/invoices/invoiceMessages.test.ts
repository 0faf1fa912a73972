import { expect, test } from 'vitest'
import type { Failure } from '../../../domain/errors/failure.ts'
import { OPERATION_FAILURE_TEXTS } from '../../ui/failureText.ts'
import { getPaidInvoicesLoadFailureText } from './invoiceMessages.ts'

test.each<Failure>([
  { kind: 'authOther', message: 'The transaction was aborted' },
  { kind: 'data', operation: 'fetchInvoicePayments', cause: 'other' },
])('paid invoices that fail to load by $kind have their operation’s text', (failure) => {
  expect(getPaidInvoicesLoadFailureText(failure)).toEqual(OPERATION_FAILURE_TEXTS.fetchInvoicePayments)
})
