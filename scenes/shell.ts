import { HOUR } from '../domain/common/duration.ts'
import { arrange as appLock } from '../machines/testing/appLockSituations.ts'
import { arrange as update } from '../machines/testing/updateSituations.ts'
import { AWA, failWith, LOCK } from './fixtures.ts'
import { buildIdentityRows } from './identity.ts'
import { inState } from './machines.ts'
import { IN_APP_STATES, type Scene } from './scene.ts'

const atHome = { at: IN_APP_STATES, account: AWA } as const
const locked = { account: AWA, device: { lock: LOCK } } as const
/** The device remembers no profile, so the app opens only once the server has responded. */
const unknown = { account: AWA, device: { profile: null } } as const
const MENU = 'Menu du profil'
const support: Omit<Scene, 'name'> = { ...atHome, act: ({ press }) => press('Nous contacter') }

export const SHELL_SCENES: readonly Scene[] = [
  {
    name: 'opening',
    at: { session: 'starting', update: 'upToDate' },
    ...unknown,
    answers: { auth: { watchAccount: () => () => {} } },
  },
  {
    name: 'start-failed',
    at: { session: 'failed', update: 'upToDate' },
    ...unknown,
    answers: { profiles: { fetchProfile: failWith({ kind: 'network' }) } },
  },
  {
    name: 'crashed',
    at: { ...IN_APP_STATES, transfer: null },
    account: AWA,
    act: async () => breakMethod(String.prototype, 'toLocaleUpperCase'),
    shows: 'L’application a rencontré un problème.',
  },
  {
    name: 'part-broken',
    ...atHome,
    async act(user) {
      await user.see('Vous payez')
      breakMethod(String.prototype, 'padStart')
      await user.type('Vous payez', '1')
    },
    shows: 'Cette partie de l’écran n’a pas pu être affichée.',
  },
  {
    name: 'code-missing',
    at: { ...IN_APP_STATES, transfer: null },
    account: AWA,
    missingCode: 'Home',
    shows: 'Une partie de l’application n’a pas pu être chargée.',
  },
  {
    name: 'home-install',
    ...atHome,
    device: { install: 'earned' },
    installation: 'prompt',
    shows: 'Installer l’application',
  },
  {
    name: 'home-install-in-safari',
    ...atHome,
    device: { install: 'earned' },
    installation: 'safariMenu',
    shows: 'Touchez <0/> Partager dans Safari, puis « Sur l’écran d’accueil ».',
  },
  {
    name: 'home-update-ready',
    ...inState('update', 'ready.offered', update.offered),
    shows: 'Une nouvelle version est prête.',
  },
  { name: 'app-locked', ...locked, at: { ...IN_APP_STATES, appLock: 'locked' } },
  { name: 'app-lock-failed', ...locked, ...inState('appLock', 'failed', appLock.failed) },
  { name: 'profile-menu', ...atHome, act: (user) => user.press(MENU) },
  {
    name: 'profile-menu-verified',
    ...atHome,
    ...buildIdentityRows({ status: 'approved' }),
    act: (user) => user.press(MENU),
  },
  {
    name: 'device-keeps-nothing',
    ...atHome,
    hasBrokenStorage: true,
    shows:
      'Cet appareil ne peut rien enregistrer pour l’instant. Tout fonctionne avec le réseau, mais vos transferts et vos reçus ne seront pas disponibles hors ligne.',
  },
  { ...support, name: 'contact' },
  // The server's clock shows the evening, when the support desk is closed.
  { ...support, name: 'contact-closed', device: { serverAhead: 9 * HOUR } },
]

/** Makes the method throw, so that a screen that uses it can't be rendered. */
function breakMethod(target: object, name: string) {
  const get = () => {
    throw new Error('not foreseen')
  }
  Object.defineProperty(target, name, { get })
}
