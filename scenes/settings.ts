import { startIn } from '../machines/testing/pushSituations.ts'
import { AWA, failWith, refuseWith } from './fixtures.ts'
import { captureSnapshot } from './machines.ts'
import { IN_APP_STATES, type Scene } from './scene.ts'

const onPage = { at: IN_APP_STATES, account: AWA } as const
const security = { ...onPage, page: 'security' } as const

export const SETTINGS_SCENES: readonly Scene[] = [
  {
    ...security,
    name: 'security-refused',
    answers: { accountChanges: { changePassword: failWith({ kind: 'auth', code: 'wrong-password' }) } },
    async act({ type, press, see }) {
      await press('Mot de passe')
      await type('Mot de passe actuel', 'pas-le-bon')
      await type('Nouveau mot de passe', 'Konkouré2026')
      await type('Confirmez le nouveau mot de passe', 'Konkouré2026')
      await press('Changer le mot de passe')
      await see('Adresse e-mail ou mot de passe incorrect.')
    },
  },
  { ...onPage, name: 'settings', page: 'settings' },
  { ...onPage, name: 'settings-never-offline', page: 'settings', hasNoServiceWorkers: true },
  {
    ...onPage,
    name: 'notifications',
    at: { ...IN_APP_STATES, push: 'blocked' },
    page: 'notifications',
    snapshots: { push: captureSnapshot(startIn.blocked) },
  },
  { ...security, name: 'security' },
  {
    ...security,
    name: 'security-errors',
    async act({ press }) {
      await press('Mot de passe')
      await press('Changer le mot de passe')
    },
  },
  {
    ...security,
    name: 'sign-out-everywhere-failed',
    answers: { accountEnd: { signOutEverywhere: failWith({ kind: 'network' }) } },
    async act({ press, see }) {
      await press('Se déconnecter partout')
      await see('Se déconnecter partout ?')
      await press('Se déconnecter partout')
      await see('Pas de réponse du réseau. Vérifiez votre connexion, puis réessayez.')
    },
  },
  {
    ...security,
    name: 'delete-account',
    act: ({ press }) => press('Supprimer mon compte…'),
  },
  {
    ...security,
    name: 'delete-account-refused',
    answers: { accountEnd: { deleteAccount: refuseWith('planRunning') } },
    async act({ press, see }) {
      await press('Supprimer mon compte…')
      await press('Je comprends que c’est définitif')
      await press('Supprimer définitivement')
      await see('Votre forfait court encore. Rien n’est supprimé. Résiliez-le d’abord dans le portefeuille.')
    },
  },
]
