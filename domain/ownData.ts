import type { MonthLedger } from './capUse.ts'
import type { Contact } from './contact.ts'
import type { IdentityFile } from './identity.ts'
import { type InvoicePayment, paidAmountOf } from './invoice.ts'
import { money } from './money.ts'
import type { Profile } from './profile.ts'
import { amountsOf, type Transaction } from './transaction.ts'

/** All that the product keeps of a person and that they may read. */
export interface OwnParts {
  readonly profile: Profile
  readonly ledger: MonthLedger
  readonly contacts: readonly Contact[]
  readonly transactions: readonly Transaction[]
  readonly invoicePayments: readonly InvoicePayment[]
  readonly identityFiles: readonly IdentityFile[]
  /** What this device announces, by name. */
  readonly announcements: Readonly<Record<string, boolean>>
}

/** What the receipt of a payment says. */
export interface OwnReceipts {
  readonly ofTransfer: (transaction: Transaction) => unknown
  readonly ofInvoice: (payment: InvoicePayment) => unknown
}

/**
 * The own data as the file that a person takes with them: instants in UTC (ISO 8601), amounts in minor units with their
 * currency. `version` goes up when an older reader would misread it. docs/own-data.md has the fields.
 */
export function ownData(parts: OwnParts, receipts: OwnReceipts, { now }: { readonly now: number }) {
  const { uid, name, email, phone, subscription } = parts.profile
  const { startDate, lastReset, cancelAt, ...plan } = subscription
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
      supplier: payment.supplier,
      reference: payment.reference,
      type: payment.type,
      paid: paidAmountOf(payment),
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
  const { gross, fee, net, converted } = amountsOf(row)
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    recipient: {
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
