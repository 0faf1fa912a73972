import { randomInt } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { Language } from '../../domain/language.ts'
import type { Server } from '../server.ts'
import { WORDS } from '../words.ts'
import { openFromBar } from './pages.ts'

/** The words of the invoice screen, beside those of `WORDS`. */
export const INVOICE_WORDS = {
  fr: {
    pay: 'Payer une facture',
    electricity: 'Électricité',
    supplier: 'Fournisseur',
    reference: 'Numéro de référence',
    see: 'Voir la facture',
    incomplete: 'Choisissez un fournisseur et saisissez un numéro de référence',
    referenceInvalid: 'Un numéro de référence a 4 à 24 lettres, chiffres ou tirets',
    notFetched: 'Les détails de la facture n’ont pas pu être obtenus',
    noSuchInvoice: 'Ce fournisseur n’a pas de facture avec ce numéro.',
    tooMany: 'Vous avez consulté beaucoup de factures en peu de temps.',
    lookUpOffline: 'Votre saisie est gardée : consultez la facture dès le retour du réseau.',
    due: 'À payer',
    overdue: 'La date limite est passée',
    underWay: 'Un paiement de cette facture est en cours',
    alreadyPaid: 'Cette facture est déjà payée',
    notPaid: 'Le paiement de la facture n’a pas pu être effectué',
    justPaid: 'Cette facture vient d’être payée',
    justBegun: 'Un paiement de cette facture est déjà en cours',
    heldOften: 'Vous avez commencé plusieurs fois à payer cette facture',
    seemsPaid: 'Cette facture semble déjà payée',
    changed: 'Le fournisseur a changé le montant ou la date limite de cette facture.',
    maximum: 'Montant maximum de paiement atteint',
    minimum: 'Montant minimum de paiement non atteint',
    payDirectly: 'Votre carte n’a pas été débitée. Payez cette facture directement au fournisseur.',
    refunded: 'la totalité vous est remboursée',
    receipt: 'Reçu de facture',
    paidList: 'Factures payées',
    showOlder: 'Montrer 1 facture plus ancienne',
    none: 'Aucune facture payée pour l’instant.',
    back: 'Revenir à la facture',
    asOf: /Hors ligne\s: données de/,
  },
  en: {
    pay: 'Pay an invoice',
    electricity: 'Electricity',
    supplier: 'Supplier',
    reference: 'Reference number',
    see: 'See the invoice',
    incomplete: 'Please select a supplier and enter a reference number',
    referenceInvalid: 'A reference number has 4 to 24 letters, digits or hyphens',
    notFetched: 'Failed to fetch invoice details',
    noSuchInvoice: 'This supplier has no invoice with this number.',
    tooMany: 'You have looked at many invoices in a short time.',
    lookUpOffline: 'What you typed is kept: look at the invoice as soon as the network is back.',
    due: 'Due',
    overdue: 'The due date has passed',
    underWay: 'A payment of this invoice is under way',
    alreadyPaid: 'This invoice is already paid',
    notPaid: 'Failed to process invoice payment',
    justPaid: 'This invoice has just been paid',
    justBegun: 'A payment of this invoice is already under way',
    heldOften: 'You have begun to pay this invoice several times',
    seemsPaid: 'This invoice seems to be paid already',
    changed: 'The supplier has changed the amount or the due date of this invoice.',
    maximum: 'Maximum payment amount reached',
    minimum: 'Minimum payment amount not reached',
    payDirectly: 'Your card was not charged. Pay this invoice directly to the supplier.',
    refunded: 'all of it is being refunded',
    receipt: 'Invoice receipt',
    paidList: 'Paid invoices',
    showOlder: 'Show 1 older invoice',
    none: 'No paid invoices yet.',
    back: 'Back to the invoice',
    asOf: /Offline: as of/,
  },
} as const

export type InvoiceWords = (typeof INVOICE_WORDS)['fr' | 'en']

const DAY = 24 * 3_600_000

/** An invoice of EDF that nobody else has, as its supplier issues it: 84.50 EUR unless something else is said. */
export async function issueInvoice(server: Server, changes: Record<string, unknown> = {}, dueInDays = 10) {
  const reference = `6012-${randomInt(100_000_000, 999_999_999)}`
  const path = `invoices/edf_${reference}`
  const issued = { amount: 84.5, currency: 'EUR', dueDate: dayIn(dueInDays), status: 'due', ...changes }
  await server.write(path, issued)
  return { reference, path, issued, claim: path.replace('invoices', 'invoiceClaims') }
}

/** The day in so many days as suppliers write it. */
export const dayIn = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

export async function openInvoices(page: Page, language: Language) {
  await openFromBar(page, WORDS[language].invoices)
  await expect(page.getByRole('heading', { name: INVOICE_WORDS[language].pay })).toBeVisible()
}

/** From the invoice screen to an answer about an invoice of EDF. */
export async function lookUp(page: Page, said: InvoiceWords, reference: string) {
  await page.getByText(said.electricity, { exact: true }).click()
  await page.getByLabel(said.supplier).selectOption('edf')
  await page.getByLabel(said.reference).fill(reference)
  await page.getByRole('button', { name: said.see }).click()
}

/** The button below an invoice in sight. */
export const payInvoiceButton = (page: Page) => page.locator('[data-pay]')
