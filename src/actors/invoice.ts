import { PAY_INVOICE } from '../../domain/api/invoices.ts'
import {
  INVOICE_REFUSALS,
  type InvoiceParts,
  invoiceMachine,
  isInvoiceAttemptOver,
} from '../../machines/invoice.ts'
import { createCheckoutActors, withLoadedRows } from './checkout.ts'
import { pickRefusal } from './pickRefusal.ts'

export const invoiceLogic = invoiceMachine.provide({
  actors: createCheckoutActors<InvoiceParts>({
    kind: 'invoice',
    loadSchema: async () =>
      (await import('../../domain/transfers/shapes/attemptSchema.ts')).invoiceAttemptSchema,
    getAttempts: ({ invoiceAttempts }) => invoiceAttempts,

    parseAttempt: ({ attemptId, invoice }) => {
      if (!invoice) return null
      const { type, supplier, reference } = invoice
      return {
        id: attemptId,
        draft: { type, supplier, reference, invoice },
        order: invoice,
        again: null,
      }
    },

    reserve: (call, _, { id, order: { supplier, reference, amount, dueDate } }) =>
      call(PAY_INVOICE, {
        attemptId: id,
        supplier,
        reference,
        expected: { amount: amount.minor, currency: amount.currency, dueDate },
      }),
    toRefusal: (failure) =>
      failure.code === 'invoiceChanged' ? { kind: failure.code } : pickRefusal(failure, INVOICE_REFUSALS),
    isAttemptOver: isInvoiceAttemptOver,

    getReceipt: (paid) => ('invoicePayment' in paid ? paid.invoicePayment : null),
    keepReceipt: (uid, payment) => withLoadedRows(uid, ({ invoicePayments }) => invoicePayments.put(payment)),
  }),
})
