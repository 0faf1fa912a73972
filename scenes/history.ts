import { MINUTE } from '../domain/common/duration.ts'
import { NO_COVERAGE } from '../domain/records/historyCoverage.ts'
import { AWA, failData, neverAnswer } from './fixtures.ts'
import { IN_APP_STATES, SCENE_TIME, type Scene, type SceneRows } from './scene.ts'
import { DELIVERIES, HISTORY } from './transactions.ts'

const atHome = { at: IN_APP_STATES, account: AWA }
const atHistory = { ...atHome, path: '/?view=history' }

const KEPT: SceneRows = {
  transactions: HISTORY,
  sync: [{ id: 'history', asOf: SCENE_TIME - 20 * MINUTE, newest: null, gaps: [] }],
}

/** Transfers that only a newer version of the app can read. */
const UNREAD: NonNullable<SceneRows['unread']> = [1, 2].map((number) => ({
  id: `pi_3Nnouveau000${number}`,
  list: 'transactions',
  build: '',
}))

const failing = {
  ...atHistory,
  rows: KEPT,
  answers: { transactions: { fetchHistory: failData('fetchHistory') } },
}

const deliveries = Object.values(DELIVERIES)

export const HISTORY_SCENES: readonly Scene[] = [
  { name: 'history', ...atHistory, rows: { transactions: HISTORY } },
  { name: 'history-empty', ...atHistory },
  { name: 'history-unread', ...atHistory, rows: { transactions: HISTORY, unread: UNREAD.slice(0, 1) } },
  { name: 'history-only-unread', ...atHistory, rows: { unread: UNREAD } },
  { name: 'home-only-unread', ...atHome, rows: { unread: UNREAD } },
  {
    name: 'history-nothing-found',
    ...atHistory,
    rows: { transactions: HISTORY },
    act: ({ type }) => type('Rechercher', 'Mariama'),
  },
  { name: 'history-offline', ...atHistory, isOffline: true, rows: KEPT },
  { name: 'history-failed', ...failing },
  {
    name: 'history-refreshing',
    ...atHistory,
    isBrief: true,
    rows: KEPT,
    answers: { transactions: { fetchHistory: neverAnswer } },
    act: ({ press }) => press('Actualiser l’historique'),
    shows: 'Actualisation…',
  },
  {
    name: 'history-refresh-failed',
    ...failing,
    // The toast stays.
    delays: { 4000: 600_000 },
    act: ({ press }) => press('Actualiser l’historique'),
    shows: 'L’actualisation a échoué. Réessayez dans un moment.',
  },
  {
    name: 'history-search-unfinished',
    ...failing,
    rows: { transactions: HISTORY, sync: [{ id: 'history', asOf: SCENE_TIME, ...NO_COVERAGE }] },
    act: ({ type }) => type('Rechercher', 'Mariama'),
    shows: 'L’historique des transferts n’a pas pu être chargé',
  },
  { name: 'history-deliveries', ...atHistory, rows: { transactions: deliveries } },
  {
    name: 'home-arrived',
    ...atHome,
    rows: {
      transactions: deliveries.map((row) =>
        row === DELIVERIES.delivered ? { ...row, arrivedSince: true } : row,
      ),
    },
  },
]
