import { arrange } from '../machines/testing/phoneOtpSituations.ts'
import { AWA, AWA_BY_PHONE, failWith } from './fixtures.ts'
import type { User } from './frame/user.ts'
import { captureSnapshot } from './machines.ts'
import { IN_APP_STATES as at, type Scene } from './scene.ts'

const onPage = { at, account: AWA, page: 'profile' } as const
const byPhone = { ...onPage, account: AWA_BY_PHONE } as const

async function changeAddress({ type, press }: User) {
  await press('Adresse e-mail')
  await type('Adresse e-mail', 'aissatou.barry@example.com')
  await press('Changer l’adresse e-mail')
}

/** Lets the check for a recent sign-in succeed. */
const recent = { accountChanges: { ensureRecentSignIn: async () => {} } }

async function changeNumber({ press, see }: User) {
  await press('Téléphone', 'Changer de numéro')
  await see('Avec l’indicatif du pays : +33 6 12 34 56 78')
}

export const PROFILE_SCENES: readonly Scene[] = [
  {
    ...byPhone,
    name: 'profile-password-for-address',
    answers: { accountChanges: { changeEmail: async () => 'passwordNeeded' } },
    act: changeAddress,
    shows: 'Choisissez un mot de passe pour cette adresse',
  },
  { ...onPage, name: 'profile' },
  { ...byPhone, name: 'profile-by-phone' },
  {
    ...onPage,
    name: 'profile-errors',
    async act({ type, press }) {
      await press('Adresse e-mail')
      await type('Adresse e-mail', 'aissatou@')
      await press('Changer l’adresse e-mail')
    },
    shows: 'Adresse e-mail invalide',
  },
  {
    ...onPage,
    name: 'profile-link-sent',
    answers: { accountChanges: { changeEmail: async () => 'linkSent' } },
    act: changeAddress,
    shows: 'Ouvrez le lien envoyé à {sentTo}',
  },
  {
    ...onPage,
    name: 'proof',
    answers: { accountChanges: { changeEmail: failWith({ kind: 'auth', code: 'requires-recent-login' }) } },
    act: changeAddress,
    shows: 'Mot de passe actuel',
  },
  {
    ...byPhone,
    name: 'change-number',
    at: { ...at, phoneOtp: 'editing' },
    answers: recent,
    act: changeNumber,
  },
  {
    ...byPhone,
    name: 'change-number-code',
    at: { ...at, phoneOtp: 'enteringCode' },
    answers: recent,
    snapshots: {
      phoneOtp: captureSnapshot(() => arrange.enteringCode({ purpose: 'changeNumber', name: '' })),
    },
    act: ({ press }) => press('Téléphone', 'Changer de numéro'),
  },
]
