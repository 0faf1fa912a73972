import { expect, type Page } from '@playwright/test'
import { SENT } from '../../domain/transaction.samples.ts'
import type { Server } from '../server.ts'
import { type Person, somebody } from './people.ts'

/** The words of the history, by language. */
export const HISTORY_WORDS = {
  fr: {
    history: 'Historique',
    all: 'Tout voir',
    activity: 'Activité',
    upToDate: /^À jour à \d\d:\d\d$/,
    offline: /^Hors ligne\s: données de \d\d:\d\d$/,
    onlyHere: 'Sans réseau, seuls les transferts gardés sur cet appareil sont montrés.',
    inAll: (count: string) => `${count} transferts en tout`,
    found: (count: string) => `${count} transferts trouvés`,
    foundOne: '1 transfert trouvé',
    foundNone: 'Aucun transfert trouvé',
    noMatch: 'Aucun transfert ne correspond à votre recherche.',
    clear: 'Effacer la recherche',
    search: 'Rechercher',
    status: 'Statut',
    pending: 'En cours',
    unknown: 'Inconnus',
    received: 'Argent reçu',
    amountReceived: 'Montant reçu',
    months: ['novembre 2026', 'octobre 2026', 'septembre 2026'],
    failed: 'L’historique des transferts n’a pas pu être chargé',
    preparing: 'Préparation de l’historique des transferts. Veuillez réessayer dans quelques instants.',
    signedOut: 'Connectez-vous pour voir l’historique de vos transferts',
    notFound: 'Ce transfert est introuvable.',
    share: 'Partager le reçu (PDF)',
    picture: 'Partager en image',
    tapAgain: 'Le reçu est prêt.',
    noFile: 'Le fichier n’a pas pu être créé.',
    keepsNothing: 'Cet appareil ne peut rien garder',
    isFull: 'La mémoire de cet appareil est pleine.',
  },
  en: {
    history: 'History',
    all: 'See all',
    activity: 'Activity',
    upToDate: /^Updated \d\d:\d\d$/,
    offline: /^Offline: as of \d\d:\d\d$/,
    onlyHere: 'Without a network, only the transfers kept on this device are shown.',
    inAll: (count: string) => `${count} transfers in all`,
    found: (count: string) => `${count} transfers found`,
    foundOne: '1 transfer found',
    foundNone: 'No transfer found',
    noMatch: 'No transfer matches your search.',
    clear: 'Clear the search',
    search: 'Search',
    status: 'Status',
    pending: 'Pending',
    unknown: 'Unknown',
    received: 'Money received',
    amountReceived: 'Amount received',
    months: ['November 2026', 'October 2026', 'September 2026'],
    failed: 'Failed to load transaction history',
    preparing: 'Setting up transaction history. Please try again in a few moments.',
    signedOut: 'Please sign in to view your transaction history',
    notFound: 'This transfer could not be found.',
    share: 'Share the receipt (PDF)',
    picture: 'Share as a picture',
    tapAgain: 'The receipt is ready.',
    noFile: 'The file could not be made.',
    keepsNothing: 'This device can’t keep anything right now.',
    isFull: 'This device’s storage is full.',
  },
} as const

type HistoryWords = (typeof HISTORY_WORDS)['fr' | 'en']

const DAY = 24 * 3_600_000

/** The middle of a month, so that no month begins near it in any time zone. */
export const NOW = Date.UTC(2026, 10, 15, 12)

interface Member extends Person {
  readonly uid: string
}

/** A transfer; `age` in days. Its amount, and with it the one received, tells it from the others. */
export function transferOf(uid: string, age: number, change: Record<string, unknown> = {}) {
  const createdAt = new Date(NOW - age * DAY)
  const id = `pi_3Hist${String(age).padStart(5, '0')}${uid.slice(0, 8)}`
  const gross = 20 + (age % 400)
  const amount = gross - 3.5
  return {
    ...SENT,
    id,
    senderId: uid,
    recipientPhone: `+22462${String(age).padStart(7, '0')}`,
    amount,
    fees: 3.5,
    convertedAmount: amount * SENT.exchangeRate,
    createdAt,
    settledAt: createdAt,
    estimatedArrival: new Date(createdAt.getTime() + 3_600_000),
    ...change,
  }
}

/** Somebody who sent a transfer each `every` days, `count` in all. */
export async function registerWith(server: Server, count: number, every = 1): Promise<Member> {
  const person = somebody()
  const uid = await server.register(person)
  const rows = Array.from({ length: count }, (_, index) =>
    transferOf(uid, index * every, index === 3 ? { status: 'pending' } : {}),
  )
  for (let from = 0; from < rows.length; from += 50)
    await Promise.all(rows.slice(from, from + 50).map((row) => server.write(`transactions/${row.id}`, row)))
  return { ...person, uid }
}

export async function openHistory(page: Page, said: HistoryWords) {
  await page.getByRole('link', { name: said.all }).click()
  await expect(page.getByRole('heading', { level: 1, name: said.history })).toBeVisible()
}

export const rowsOf = (page: Page) => page.locator('main ol > li')
