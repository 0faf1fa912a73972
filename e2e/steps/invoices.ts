import { randomInt } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { DAY } from '../../domain/common/duration.ts'
import { RECEIPT_TEXTS } from '../../print/receiptTexts.ts'
import type { Server } from '../server.ts'
import { defineTexts, getText } from '../texts.ts'
import { words } from '../words.ts'
import { openFromBar } from './pages.ts'

export const invoiceWords = defineTexts({
  pay: 'Payer une facture',
  electricity: 'Électricité',
  supplier: 'Fournisseur',
  reference: 'Numéro de référence',
  see: 'Voir la facture',
  incomplete: 'Choisissez un fournisseur et saisissez un numéro de référence',
  referenceInvalid: 'Un numéro de référence a 4 à 24 lettres, chiffres ou tirets',
  notFetched: 'Les détails de la facture n’ont pas pu être obtenus',
  noSuchInvoice:
    'Ce fournisseur n’a pas de facture avec ce numéro. Comparez-le avec celui de la facture, chiffre par chiffre.',
  lookUpOffline:
    'Vous êtes hors ligne. Votre saisie est gardée : consultez la facture dès le retour du réseau.',
  due: 'À payer',
  alreadyPaid: 'Cette facture est déjà payée',
  notPaid: 'Le paiement de la facture n’a pas pu être effectué',
  justPaid: 'Cette facture vient d’être payée : il n’y a plus rien à payer.',
  justBegun:
    'Un paiement de cette facture est déjà en cours, de vous sur un autre appareil, ou d’un proche. Consultez-la à nouveau dans une demi-heure.',
  seemsPaid: 'Cette facture semble déjà payée',
  changed:
    'Le fournisseur a changé le montant ou la date limite de cette facture. Consultez-la à nouveau avant de payer.',
  refunded:
    'Votre carte a été débitée, et la totalité vous est remboursée, souvent en 5 à 10 jours. Si rien n’arrive en 14 jours, contactez notre assistance.',
  receipt: { fr: RECEIPT_TEXTS.fr.invoiceTitle, en: RECEIPT_TEXTS.en.invoiceTitle },
  paidList: 'Factures payées',
  showOlder: () =>
    getText(
      '{0, plural, one {Montrer # facture plus ancienne} other {Montrer les # factures plus anciennes}}',
      {
        0: 1,
      },
    ),
  none: 'Aucune facture payée',
  asOf: 'Hors ligne : données de {text}',
})

export async function issueInvoice(server: Server) {
  const reference = `6012-${randomInt(100_000_000, 999_999_999)}`
  const path = `invoices/edf_${reference}`
  const issued = {
    amount: 84.5,
    currency: 'EUR',
    dueDate: new Date(Date.now() + 10 * DAY).toISOString().slice(0, 10),
    status: 'due',
  }
  await server.write(path, issued)
  return { reference, path, issued }
}

export async function openInvoices(page: Page) {
  await openFromBar(page, words.invoices)
  await expect(page.getByRole('heading', { name: invoiceWords.pay })).toBeVisible()
}

export async function submitInvoiceLookup(page: Page, reference: string) {
  await page.getByRole('radio', { name: invoiceWords.electricity }).check()
  await page.getByLabel(invoiceWords.supplier).selectOption('edf')
  await page.getByLabel(invoiceWords.reference).fill(reference)
  await page.getByRole('button', { name: invoiceWords.see }).click()
}

export async function lookUpInvoice(page: Page, reference: string) {
  await openInvoices(page)
  await submitInvoiceLookup(page, reference)
}

export const payInvoiceButton = (page: Page) => page.locator('[data-pay]')
