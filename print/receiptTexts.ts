import type { Language } from '../domain/common/language.ts'
import type { InvoiceType } from '../domain/invoices/suppliers.ts'
import type { CountryCode } from '../domain/numbers/destinations.ts'
import type { SenderText } from '../domain/transfers/shapes/fields.ts'
import type { ReceiptStatus } from '../domain/transfers/status.ts'

/** `complaints`: the address for complaints. */
export interface Operator {
  readonly name: string
  readonly licence: string
  readonly complaints: string
}

export type ReceiptGroupName = 'amounts' | 'recipient' | 'invoice' | 'payment'

export type ReceiptItem =
  | SenderText
  | 'amountReceived'
  | 'moneyReceived'
  | 'amountPaid'
  | 'fees'
  | 'amountSent'
  | 'exchangeRate'
  | 'expectedBy'
  | 'late'
  | 'deliveredAt'
  | 'recipient'
  | 'country'
  | 'wallet'
  | 'walletReference'
  | 'sender'
  | 'paymentMethod'
  | 'coupon'
  | 'description'
  | 'date'
  | 'transactionId'
  | 'supplier'
  | 'invoiceType'
  | 'reference'
  | 'dueDate'
  | 'payer'
  | 'paymentId'

export interface ReceiptTexts {
  readonly title: string
  readonly status: Readonly<Record<ReceiptStatus, string>>
  readonly headings: Readonly<Record<ReceiptGroupName, string>>
  readonly labels: Readonly<Record<ReceiptItem, string>>
  readonly countries: Readonly<Record<CountryCode, string>>
  readonly card: string
  /** Replaces the expected time of a late transfer. */
  readonly later: string
  readonly transferTo: (maskedPhone: string) => string
  readonly support: string
  readonly operator: (operator: Operator) => string
  readonly trackingTitle: string
  readonly tracking: (host: string) => string
  readonly invoiceTitle: string
  readonly invoiceTypes: Readonly<Record<InvoiceType, string>>
  readonly invoiceSupport: string
}

/** The functions make receipts without the app's catalogs. The texts contain their own no-break spaces. */
export const RECEIPT_TEXTS: Readonly<Record<Language, ReceiptTexts>> = {
  fr: {
    title: 'Reçu de transfert',
    status: {
      completed: 'Payé',
      pending: 'En cours',
      failed: 'Échoué',
      canceled: 'Annulé',
      unknown: 'Inconnu',
      received: 'Reçu',
      refunded: 'Remboursé',
      refundDue: 'Remboursement en cours',
      canceledRefunded: 'Annulé et remboursé',
      canceledRefundDue: 'Annulé, à rembourser',
    },
    headings: {
      amounts: 'Montants',
      recipient: 'Bénéficiaire',
      invoice: 'Facture',
      payment: 'Paiement',
    },
    labels: {
      amountReceived: 'Montant à recevoir',
      moneyReceived: 'Montant reçu',
      amountPaid: 'Montant payé',
      fees: 'Frais',
      amountSent: 'Montant envoyé',
      exchangeRate: 'Taux de change',
      expectedBy: 'Arrivée prévue',
      late: 'Arrivée',
      deliveredAt: 'Remis le',
      recipientName: 'Nom',
      recipient: 'Téléphone',
      country: 'Pays',
      wallet: 'Mode de réception',
      walletReference: 'Référence du portefeuille',
      sender: 'Envoyé par',
      paymentMethod: 'Moyen de paiement',
      coupon: 'Code promo',
      description: 'Objet',
      date: 'Ordre reçu le',
      transactionId: 'Numéro du transfert',
      supplier: 'Fournisseur',
      invoiceType: 'Type de facture',
      reference: 'Numéro de référence',
      dueDate: 'Date limite',
      payer: 'Payé par',
      paymentId: 'Numéro du paiement',
    },
    countries: { GN: 'Guinée', FR: 'France', CA: 'Canada' },
    card: 'Carte bancaire',
    later: 'Plus tard que prévu',
    transferTo: (maskedPhone) => `Transfert vers ${maskedPhone}`,
    support:
      'Une question sur ce transfert\u202f? Notre assistance répond en semaine de 9\u00a0h à 19\u00a0h. Indiquez le numéro du transfert.',
    operator: ({ name, licence, complaints }) =>
      `Service fourni par ${name}, ${licence}. Réclamations\u00a0: ${complaints}. Délai maximal d’exécution\u00a0: voir les conditions.`,
    trackingTitle: 'Vérifier ce reçu',
    tracking: (host) =>
      `Ce code ouvre une page de ${host}, qui dit où en est ce transfert. Ne vous y fiez que si vous connaissez cette adresse.`,
    invoiceTitle: 'Reçu de facture',
    invoiceTypes: {
      electricity: 'Électricité',
      water: 'Eau',
      phone: 'Téléphone',
      internet: 'Internet',
      school: 'École',
    },
    invoiceSupport:
      'Une question sur ce paiement\u202f? Notre assistance répond en semaine de 9\u00a0h à 19\u00a0h. Indiquez le numéro du paiement.',
  },
  en: {
    title: 'Transfer receipt',
    status: {
      completed: 'Paid',
      pending: 'Pending',
      failed: 'Failed',
      canceled: 'Cancelled',
      unknown: 'Unknown',
      received: 'Received',
      refunded: 'Refunded',
      refundDue: 'Refund in progress',
      canceledRefunded: 'Cancelled and refunded',
      canceledRefundDue: 'Cancelled, refund due',
    },
    headings: { amounts: 'Amounts', recipient: 'Recipient', invoice: 'Invoice', payment: 'Payment' },
    labels: {
      amountReceived: 'Recipient gets',
      moneyReceived: 'Amount received',
      amountPaid: 'Amount paid',
      fees: 'Fee',
      amountSent: 'Amount sent',
      exchangeRate: 'Exchange rate',
      expectedBy: 'Expected arrival',
      late: 'Arrival',
      deliveredAt: 'Delivered on',
      recipientName: 'Name',
      recipient: 'Phone',
      country: 'Country',
      wallet: 'Receiving method',
      walletReference: 'Wallet reference',
      sender: 'Sent by',
      paymentMethod: 'Payment method',
      coupon: 'Promo code',
      description: 'Description',
      date: 'Order received',
      transactionId: 'Transfer number',
      supplier: 'Supplier',
      invoiceType: 'Type of invoice',
      reference: 'Reference number',
      dueDate: 'Due date',
      payer: 'Paid by',
      paymentId: 'Payment number',
    },
    countries: { GN: 'Guinea', FR: 'France', CA: 'Canada' },
    card: 'Card',
    later: 'Later than expected',
    transferTo: (maskedPhone) => `Transfer to ${maskedPhone}`,
    support:
      'Questions about this transfer? Our support team replies on weekdays, 9 am to 7 pm. Please give the transfer number.',
    operator: ({ name, licence, complaints }) =>
      `Provided by ${name}, ${licence}. Complaints: ${complaints}. Maximum execution time: see the terms of use.`,
    trackingTitle: 'Check this receipt',
    tracking: (host) =>
      `This code opens a page on ${host} that shows the status of this transfer. Trust it only if you know that address.`,
    invoiceTitle: 'Invoice receipt',
    invoiceTypes: {
      electricity: 'Electricity',
      water: 'Water',
      phone: 'Phone',
      internet: 'Internet',
      school: 'School',
    },
    invoiceSupport:
      'Questions about this payment? Our support team replies on weekdays, 9 am to 7 pm. Please give the payment number.',
  },
}
