import { SENT } from '../../domain/transaction.samples.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { ReceiptWords } from './receiptContent.ts'

export const FRENCH: ReceiptWords = {
  title: 'Reçu de transfert',
  status: {
    completed: 'Payé',
    pending: 'En cours',
    failed: 'Échoué',
    canceled: 'Annulé',
    unknown: 'Inconnu',
  },
  headings: { amounts: 'Détail du montant', recipient: 'Bénéficiaire', payment: 'Paiement' },
  labels: {
    amountReceived: 'Montant reçu',
    amountPaid: 'Montant payé',
    fees: 'Frais',
    amountSent: 'Montant envoyé',
    exchangeRate: 'Taux de change',
    expectedBy: 'Arrivée prévue',
    recipient: 'Numéro du bénéficiaire',
    country: 'Pays',
    wallet: 'Portefeuille',
    sender: 'Expéditeur',
    paymentMethod: 'Moyen de paiement',
    coupon: 'Code promo',
    description: 'Description',
    date: 'Date et heure',
    transactionId: 'Numéro de transaction',
  },
  countries: { GN: 'Guinée', FR: 'France', CA: 'Canada' },
  card: 'Carte bancaire',
  transferTo: (phone) => `Transfert → ${phone}`,
  support:
    'Une question\u202f? aide@passerelle.example, «\u00a0en semaine de 9\u00a0h à 19\u00a0h\u00a0» · cœur d’équipe',
}

export const ENGLISH: ReceiptWords = {
  title: 'Transfer receipt',
  status: {
    completed: 'Paid',
    pending: 'Pending',
    failed: 'Failed',
    canceled: 'Canceled',
    unknown: 'Unknown',
  },
  headings: { amounts: 'Amounts', recipient: 'Recipient', payment: 'Payment' },
  labels: {
    amountReceived: 'Amount received',
    amountPaid: 'Amount paid',
    fees: 'Fees',
    amountSent: 'Amount sent',
    exchangeRate: 'Exchange rate',
    expectedBy: 'Expected by',
    recipient: 'Recipient’s number',
    country: 'Country',
    wallet: 'Wallet',
    sender: 'Sender',
    paymentMethod: 'Payment method',
    coupon: 'Coupon',
    description: 'Description',
    date: 'Date and time',
    transactionId: 'Transaction number',
  },
  countries: { GN: 'Guinea', FR: 'France', CA: 'Canada' },
  card: 'Card',
  transferTo: (phone) => `Transfer to ${phone}`,
  support: 'Any question? help@passerelle.example, weekdays 9h to 19h',
}

export const TRANSFER: Transaction = {
  ...SENT,
  amount: 97,
  fees: 3,
  convertedAmount: 1_028_200,
  couponCode: 'MERCI-2026',
}
