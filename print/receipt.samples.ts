import type { InvoicePayment } from '../domain/invoices/invoice.ts'
import { SENT_TRANSFER } from '../domain/transfers/transaction.samples.ts'
import type { Transaction } from '../domain/transfers/transaction.ts'
import type { Operator } from './receiptTexts.ts'

export const SAMPLE_OPERATOR: Operator = {
  name: 'Passerelle Paiements SA',
  licence: 'établissement de paiement 00000',
  complaints: 'reclamations@passerelle.example',
}

export const SAMPLE_TRANSFER: Transaction = {
  ...SENT_TRANSFER,
  amount: 97,
  fees: 3,
  convertedAmount: 1_028_200,
  couponCode: 'MERCI-2026',
}

export const SAMPLE_INVOICE_PAYMENT: InvoicePayment = {
  id: 'pi_3QxYzInvoice',
  payerId: 'ana',
  payerName: 'Aïssatou Bâ',
  supplier: 'edg',
  reference: 'EDG-2026-0417',
  type: 'electricity',
  amount: 450_000,
  currency: 'GNF',
  dueDate: '2026-12-01',
  status: 'completed',
  description: 'Invoice EDG-2026-0417 of Électricité de Guinée (EDG)',
  paymentMethod: 'card',
  createdAt: Date.UTC(2026, 10, 20, 14, 5),
  settledAt: Date.UTC(2026, 10, 20, 14, 6),
}
