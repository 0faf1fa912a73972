import { expect, type Page } from '@playwright/test'
import { DAY, HOUR } from '../../domain/common/duration.ts'
import { SENT_TRANSFER } from '../../domain/transfers/transaction.samples.ts'
import type { Transaction } from '../../domain/transfers/transaction.ts'
import { RECEIPT_TEXTS } from '../../print/receiptTexts.ts'
import type { Server } from '../server.ts'
import { buildTextPattern, defineTexts, getText } from '../texts.ts'
import { createPerson, type Person } from './person.ts'
import { openSignedInHome } from './signIn.ts'
import { receiptSheet } from './transfer.ts'

const TIME = '\\d\\d:\\d\\d'
const defineCountText = (id: string) => () => (count: number) => getText(id, { 0: count })

export const historyWords = defineTexts({
  history: 'Activité',
  all: 'Tout voir',
  upToDate: () => buildTextPattern('À jour à {text}', TIME),
  offline: () => buildTextPattern('Hors ligne : données de {text}', TIME),
  onlyHere: 'Sans réseau, seuls les transferts gardés sur cet appareil sont montrés.',
  inAll: defineCountText('{0, plural, one {# transfert en tout} other {# transferts en tout}}'),
  unread: () => (count: number) =>
    getText(
      '{count, plural, one {# transfert ne peut pas être affiché par cette version de l’application.} other {# transferts ne peuvent pas être affichés par cette version de l’application.}}',
      { count },
    ),
  found: defineCountText(
    '{0, plural, =0 {Aucun transfert trouvé} one {# transfert trouvé} other {# transferts trouvés}}',
  ),
  foundSoFar: defineCountText(
    '{0, plural, =0 {Aucun transfert trouvé parmi ceux déjà lus} one {# transfert trouvé parmi ceux déjà lus} other {# transferts trouvés parmi ceux déjà lus}}',
  ),
  noMatch: 'Aucun transfert ne correspond à votre recherche.',
  clear: 'Effacer la recherche',
  refresh: 'Actualiser l’historique',
  refreshing: 'Actualisation…',
  refreshed: 'Historique actualisé.',
  refreshWallet: 'Actualiser le portefeuille',
  walletRefreshed: 'Portefeuille actualisé.',
  refreshReceipt: 'Actualiser le reçu',
  receiptRefreshed: 'Reçu actualisé.',
  refreshFailed: 'L’actualisation a échoué. Réessayez dans un moment.',
  refreshNeedsNetwork: 'Pour actualiser, il faut du réseau. Réessayez quand il sera revenu.',
  search: 'Rechercher',
  status: 'Statut',
  pending: 'En cours',
  unknown: 'Inconnus',
  received: 'Argent reçu',
  amountReceived: { fr: RECEIPT_TEXTS.fr.labels.moneyReceived, en: RECEIPT_TEXTS.en.labels.moneyReceived },
  failed: 'L’historique des transferts n’a pas pu être chargé',
  preparing: 'Préparation de l’historique des transferts. Veuillez réessayer dans quelques instants.',
  signedOut: 'Connectez-vous pour voir l’historique de vos transferts',
  notFound: 'Ce transfert est introuvable.',
  sharing: 'Partager',
  share: 'Partager le reçu (PDF)',
  picture: 'Partager en image',
  pdfInstead: 'Ce navigateur fausse les images contre le pistage : le reçu est en PDF.',
  tapAgain: 'Le reçu est prêt. Touchez encore une fois « {button} ».',
  noFile: 'Le fichier n’a pas pu être créé. Votre paiement reste valable : réessayez.',
  keepsNothing:
    'Cet appareil ne peut rien enregistrer pour l’instant. Tout fonctionne avec le réseau, mais vos transferts et vos reçus ne seront pas disponibles hors ligne.',
  isFull:
    'La mémoire de cet appareil est pleine. Tout fonctionne avec le réseau, mais vos derniers transferts ne seront pas disponibles hors ligne.',
})

/** The middle of a month in any time zone. */
export const HISTORY_NOW = Date.UTC(2026, 10, 15, 12)

interface Member extends Person {
  readonly uid: string
}

/** `age`: in days. The number and the amounts depend on it. */
export function buildStoredTransfer(uid: string, age: number, change: Record<string, unknown> = {}) {
  const createdAt = new Date(HISTORY_NOW - age * DAY)
  const id = `pi_3Hist${String(age).padStart(5, '0')}${uid.slice(0, 8)}`
  const gross = 20 + (age % 400)
  const amount = gross - 3.5
  return {
    ...SENT_TRANSFER,
    id,
    senderId: uid,
    recipientPhone: `+22462${String(age).padStart(7, '0')}`,
    amount,
    fees: 3.5,
    convertedAmount: amount * SENT_TRANSFER.exchangeRate,
    createdAt,
    settledAt: createdAt,
    estimatedArrival: new Date(createdAt.getTime() + HOUR),
    ...change,
  }
}

export async function registerWithTransfers(server: Server, count: number): Promise<Member> {
  const person = createPerson()
  const uid = await server.register(person)
  const rows = Array.from({ length: count }, (_, index) =>
    buildStoredTransfer(uid, index, index === 3 ? { status: 'pending' } : {}),
  )
  await Promise.all(rows.map((row) => server.write(`transactions/${row.id}`, row)))
  return { ...person, uid }
}

export async function openHomeWithTransfers(page: Page, server: Server, count: number): Promise<Member> {
  const person = await registerWithTransfers(server, count)
  await openSignedInHome(page, server, person)
  return person
}

export async function openHistory(page: Page) {
  await page.getByRole('link', { name: historyWords.all }).click()
  await expect(page.getByRole('heading', { level: 1, name: historyWords.history })).toBeVisible()
}

export const openSharing = (page: Page) =>
  receiptSheet(page).getByRole('button', { name: historyWords.sharing, exact: true }).click()

export const historyRows = (page: Page) => page.locator('main ol > li')

/** The whole history in one answer. */
export const answerHistory = (transactions: readonly Transaction[]) => ({
  value: { transactions, unreadIds: [], stretch: { after: null, newest: null, oldest: null } },
})
