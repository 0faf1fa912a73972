import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { operator } from '../../services/operator.ts'
import { COUNTRY_NAMES } from '../../ui/countryNames.ts'
import { INVOICE_TYPE_NAMES } from '../../ui/invoiceTypes.ts'
import { STATUS_NAMES } from '../../ui/payment/statusNames.ts'
import type { ReceiptTexts } from './receiptContent.ts'

/** Returns the texts of a receipt in the language on screen. */
export function buildReceiptTexts(i18n: I18n): ReceiptTexts {
  return {
    title: i18n._(msg`Reçu de transfert`),
    status: {
      completed: i18n._(STATUS_NAMES.completed),
      pending: i18n._(STATUS_NAMES.pending),
      failed: i18n._(STATUS_NAMES.failed),
      canceled: i18n._(STATUS_NAMES.canceled),
      unknown: i18n._(STATUS_NAMES.unknown),
    },
    received: i18n._(STATUS_NAMES.received),
    headings: {
      amounts: i18n._(msg`Montants`),
      recipient: i18n._(msg`Bénéficiaire`),
      invoice: i18n._(msg`Facture`),
      payment: i18n._(msg`Paiement`),
    },
    labels: {
      amountReceived: i18n._(msg`Montant à recevoir`),
      moneyReceived: i18n._(msg`Montant reçu`),
      amountPaid: i18n._(msg`Montant payé`),
      fees: i18n._(msg`Frais`),
      amountSent: i18n._(msg`Montant envoyé`),
      exchangeRate: i18n._(msg`Taux de change`),
      expectedBy: i18n._(msg`Arrivée prévue`),
      late: i18n._(msg`Arrivée`),
      deliveredAt: i18n._(msg`Remis le`),
      recipientName: i18n._(msg`Nom`),
      recipient: i18n._(msg`Téléphone`),
      country: i18n._(msg`Pays`),
      wallet: i18n._(msg`Mode de réception`),
      walletReference: i18n._(msg`Référence du portefeuille`),
      sender: i18n._(msg`Envoyé par`),
      paymentMethod: i18n._(msg`Moyen de paiement`),
      coupon: i18n._(msg`Code promo`),
      description: i18n._(msg`Objet`),
      date: i18n._(msg`Ordre reçu le`),
      transactionId: i18n._(msg`Numéro du transfert`),
      supplier: i18n._(msg`Fournisseur`),
      invoiceType: i18n._(msg`Type de facture`),
      reference: i18n._(msg`Numéro de référence`),
      dueDate: i18n._(msg`Date limite`),
      payer: i18n._(msg`Payé par`),
      paymentId: i18n._(msg`Numéro du paiement`),
    },
    countries: {
      GN: i18n._(COUNTRY_NAMES.GN),
      FR: i18n._(COUNTRY_NAMES.FR),
      CA: i18n._(COUNTRY_NAMES.CA),
    },
    card: i18n._(msg`Carte bancaire`),
    later: i18n._(STATUS_NAMES.late),
    transferTo: (maskedPhone) => i18n._(msg`Transfert vers ${maskedPhone}`),
    support: i18n._(
      msg`Une question sur ce transfert ? Notre assistance répond en semaine de 9 h à 19 h. Indiquez le numéro du transfert.`,
    ),
    operator: i18n._(
      msg`Service fourni par ${operator.name}, ${operator.licence}. Réclamations : ${operator.complaints}. Délai maximal d’exécution : voir les conditions.`,
    ),
    invoiceTitle: i18n._(msg`Reçu de facture`),
    invoiceTypes: {
      electricity: i18n._(INVOICE_TYPE_NAMES.electricity),
      water: i18n._(INVOICE_TYPE_NAMES.water),
      phone: i18n._(INVOICE_TYPE_NAMES.phone),
      internet: i18n._(INVOICE_TYPE_NAMES.internet),
      school: i18n._(INVOICE_TYPE_NAMES.school),
    },
    invoiceSupport: i18n._(
      msg`Une question sur ce paiement ? Notre assistance répond en semaine de 9 h à 19 h. Indiquez le numéro du paiement.`,
    ),
  }
}
