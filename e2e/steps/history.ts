import { expect, type Page } from '@playwright/test'
import { SENT } from '../../domain/transaction.samples.ts'
import type { Server } from '../server.ts'
import { pattern, say, texts } from '../texts.ts'
import { type Person, somebody } from './people.ts'

const TIME = '\\d\\d:\\d\\d'
const countOf = (id: string) => () => (count: number) => say(id, { 0: count })

export const historyWords = texts({
  history: 'Historique',
  all: 'Tout voir',
  activity: 'Activité',
  upToDate: () => pattern('À jour à {text}', TIME),
  offline: () => pattern('Hors ligne : données de {text}', TIME),
  onlyHere: 'Sans réseau, seuls les transferts gardés sur cet appareil sont montrés.',
  inAll: countOf('{0, plural, one {# transfert en tout} other {# transferts en tout}}'),
  found: countOf(
    '{0, plural, =0 {Aucun transfert trouvé} one {# transfert trouvé} other {# transferts trouvés}}',
  ),
  noMatch: 'Aucun transfert ne correspond à votre recherche.',
  clear: 'Effacer la recherche',
  search: 'Rechercher',
  status: 'Statut',
  pending: 'En cours',
  unknown: 'Inconnus',
  received: 'Argent reçu',
  amountReceived: 'Montant reçu',
  failed: 'L’historique des transferts n’a pas pu être chargé',
  preparing: 'Préparation de l’historique des transferts. Veuillez réessayer dans quelques instants.',
  signedOut: 'Connectez-vous pour voir l’historique de vos transferts',
  notFound: 'Ce transfert est introuvable.',
  share: 'Partager le reçu (PDF)',
  picture: 'Partager en image',
  tapAgain: 'Le reçu est prêt. Touchez encore une fois « {button} ».',
  noFile: 'Le fichier n’a pas pu être créé. Votre paiement reste valable : réessayez.',
  keepsNothing:
    'Cet appareil ne peut rien garder pour l’instant. Tout fonctionne avec le réseau, mais vos transferts et vos reçus ne seront pas là hors ligne.',
  isFull:
    'La mémoire de cet appareil est pleine. Tout fonctionne avec le réseau, mais vos derniers transferts ne seront pas là hors ligne.',
})

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

export async function openHistory(page: Page) {
  await page.getByRole('link', { name: historyWords.all }).click()
  await expect(page.getByRole('heading', { level: 1, name: historyWords.history })).toBeVisible()
}

export const rowsOf = (page: Page) => page.locator('main ol > li')
