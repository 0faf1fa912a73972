import type { Failure } from '../domain/errors/failure.ts'
import { NO_COVERAGE } from '../domain/records/historyCoverage.ts'
import { arrange as appLock } from '../machines/testing/appLockSituations.ts'
import { arrange } from '../machines/testing/pushSituations.ts'
import { AWA, failWith, LOCK, PASSWORD_POLICY_FAILURE, PASSWORD_POLICY_TEXT, refuseWith } from './fixtures.ts'
import type { User } from './frame/user.ts'
import { inState } from './machines.ts'
import { IN_APP_STATES, SCENE_TIME, type Scene, type SceneRows } from './scene.ts'
import { HISTORY } from './transactions.ts'

const onPage = { at: IN_APP_STATES, account: AWA } as const
const security = { ...onPage, page: 'security' } as const

const refusedPassword = (failure: Failure, message: string) => ({
  ...security,
  answers: { accountChanges: { changePassword: failWith(failure) } },
  async act({ press, submit }: User) {
    await press('Mot de passe')
    await submit(
      {
        'Mot de passe actuel': 'pas-le-bon',
        'Nouveau mot de passe': 'pas assez',
        'Confirmez le nouveau mot de passe': 'pas assez',
      },
      'Changer le mot de passe',
    )
  },
  shows: message,
})

const FETCHED: SceneRows = {
  transactions: HISTORY,
  sync: [{ id: 'history', asOf: SCENE_TIME, newest: null, gaps: [] }],
  fetched: [{ id: 'invoicePayments', asOf: SCENE_TIME }],
}

export const SETTINGS_SCENES: readonly Scene[] = [
  {
    name: 'security-refused',
    ...refusedPassword({ kind: 'auth', code: 'wrong-password' }, 'Adresse e-mail ou mot de passe incorrect.'),
  },
  { name: 'security-password-policy', ...refusedPassword(PASSWORD_POLICY_FAILURE, PASSWORD_POLICY_TEXT) },
  { ...onPage, name: 'settings', page: 'settings' },
  { ...onPage, name: 'settings-never-offline', page: 'settings', hasNoServiceWorkers: true },
  {
    ...onPage,
    name: 'statement',
    page: 'settings',
    rows: FETCHED,
    async act({ press, type, see }) {
      await press('Relevé mensuel')
      await see('Télécharger le relevé (PDF)')
      await type('Mois', '2026-11')
    },
    shows: 'Transferts, frais compris',
  },
  {
    ...onPage,
    name: 'statement-incomplete',
    page: 'settings',
    isOffline: true,
    rows: { ...FETCHED, sync: [{ id: 'history', asOf: SCENE_TIME, ...NO_COVERAGE }] },
    act: ({ press }) => press('Relevé mensuel'),
    shows: 'Ce relevé serait incomplet',
  },
  { ...inState('push', 'blocked', arrange.blocked), name: 'notifications', page: 'notifications' },
  { ...security, name: 'security' },
  { ...security, name: 'app-lock-off', act: ({ press }) => press('Verrouillage de l’application') },
  {
    ...security,
    name: 'app-lock-on',
    ...inState('appLock', 'open', appLock.open),
    device: { lock: LOCK },
    act: ({ press }) => press('Verrouillage de l’application'),
  },
  {
    ...security,
    name: 'app-lock-unsupported',
    hasNoPasskeys: true,
    act: ({ press }) => press('Verrouillage de l’application'),
    shows:
      'Ce navigateur ne peut pas vous reconnaître. Ajoutez d’abord un code ou une empreinte dans les réglages de cet appareil, ou prenez un autre navigateur récent.',
  },
  {
    ...security,
    name: 'security-errors',
    act: ({ press }) => press('Mot de passe', 'Changer le mot de passe'),
  },
  {
    ...security,
    name: 'sign-out-everywhere-failed',
    answers: { accountEnd: { signOutEverywhere: failWith({ kind: 'network' }) } },
    async act({ press, see }) {
      await press('Se déconnecter partout')
      await see('Se déconnecter partout ?')
      await press('Se déconnecter partout')
    },
    shows: 'Pas de réponse du réseau. Vérifiez votre connexion, puis réessayez.',
  },
  { ...security, name: 'delete-account', act: ({ press }) => press('Supprimer mon compte…') },
  {
    ...security,
    name: 'delete-account-refused',
    answers: { accountEnd: { deleteAccount: refuseWith('planRunning') } },
    act: ({ press }) =>
      press('Supprimer mon compte…', 'Je comprends que c’est définitif', 'Supprimer définitivement'),
    shows: 'Votre forfait court encore. Rien n’est supprimé. Résiliez-le d’abord dans le portefeuille.',
  },
]
