import type { IdentityFile } from '../account/identity.ts'
import type { Profile } from '../account/profile.ts'
import { getPaidAmount, type InvoicePayment } from '../invoices/invoice.ts'
import { money } from '../money/money.ts'
import type { Contact } from '../people/contact.ts'
import type { MonthLedger } from '../prices/capUse.ts'
import { getAmounts, type Transaction } from '../transfers/transaction.ts'

export interface OwnDataParts {
  readonly profile: Profile
  readonly ledger: MonthLedger
  readonly contacts: readonly Contact[]
  readonly transactions: readonly Transaction[]
  readonly invoicePayments: readonly InvoicePayment[]
  readonly identityFiles: readonly IdentityFile[]
  readonly announcements: Readonly<Record<string, boolean>>
}

export interface ReceiptExporters {
  readonly ofTransfer: (transaction: Transaction) => unknown
  readonly ofInvoice: (payment: InvoicePayment) => unknown
}

/**
 * UTC instants (ISO 8601), amounts in minor units. Raise `version` if an older reader would misread it.
 * docs/own-data.md documents the fields.
 */
export function buildOwnData(
  parts: OwnDataParts,
  receipts: ReceiptExporters,
  { now }: { readonly now: number },
) {
  const { uid, name, email, phone, subscription } = parts.profile
  // A renewal's page opens without a sign-in, so a file that may be passed on omits it.
  const { startDate, lastReset, cancelAt, confirmation: _, ...plan } = subscription
  const { month, recordedCents, reservedCents } = parts.ledger
  return {
    format: 'passerelle.own-data',
    version: 1,
    createdAt: utc(now),
    profile: { id: uid, name, email, phone },
    plan: { ...plan, startDate: utc(startDate), lastReset: utc(lastReset), cancelAt: utc(cancelAt) },
    monthlyLimit: { month, sent: money(recordedCents, 'EUR'), underWay: money(reservedCents, 'EUR') },
    contacts: parts.contacts.map((one) => ({
      name: one.name,
      phone: one.phone,
      createdAt: utc(one.createdAt),
    })),
    transfers: parts.transactions.map((row) => transferData(row, receipts.ofTransfer(row))),
    invoices: parts.invoicePayments.map((payment) => ({
      id: payment.id,
      payer: { name: payment.payerName },
      supplier: payment.supplier,
      reference: payment.reference,
      type: payment.type,
      paid: getPaidAmount(payment),
      dueDate: payment.dueDate,
      status: payment.status,
      createdAt: utc(payment.createdAt),
      settledAt: utc(payment.settledAt),
      receipt: receipts.ofInvoice(payment),
    })),
    identity: parts.identityFiles.map(({ createdAt, ...file }) => ({ ...file, createdAt: utc(createdAt) })),
    notifications: parts.announcements,
  }
}

function transferData(row: Transaction, receipt: unknown) {
  const { gross, fee, net, converted } = getAmounts(row)
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    sender: { name: row.senderName },
    recipient: {
      name: row.recipientName,
      phone: row.recipientPhone,
      country: row.destination.code,
      receivingMethod: row.receivingMethod,
    },
    paid: gross,
    fee,
    sent: net,
    exchangeRate: row.exchangeRate,
    toReceive: converted,
    couponCode: row.couponCode,
    description: row.description,
    paymentMethod: row.paymentMethod,
    createdAt: utc(row.createdAt),
    settledAt: utc(row.settledAt),
    estimatedArrival: utc(row.estimatedArrival),
    promisedMinutes: row.promisedMinutes,
    delivery: row.delivery && {
      ...row.delivery,
      handedOverAt: utc(row.delivery.handedOverAt),
      deliveredAt: utc(row.delivery.deliveredAt),
    },
    receipt,
  }
}

function utc(ms: number): string
function utc(ms: number | null): string | null
function utc(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
