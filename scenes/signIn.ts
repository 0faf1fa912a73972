import { err } from '../domain/common/result.ts'
import type { Failure } from '../domain/errors/failure.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'
import {
  buildAuthFailure,
  type StartedActor,
  arrange as walkPhone,
} from '../machines/testing/phoneOtpSituations.ts'
import { arrange as walkPopup } from '../machines/testing/popupQueueSituations.ts'
import type { EndedSession } from '../src/browser/storage.ts'
import type { confirmAddress } from '../src/services/addressConfirmation.ts'
import { AWA, buildPlanProfile, failWith, PASSWORD_POLICY_FAILURE, PASSWORD_POLICY_TEXT } from './fixtures.ts'
import type { User } from './frame/user.ts'
import { captureSnapshot } from './machines.ts'
import { type Scene, SIGNED_OUT_STATES } from './scene.ts'

const signedOut = { at: SIGNED_OUT_STATES, account: null }
const unverified = { at: { session: 'unverified.awaitingVerification', update: 'upToDate' } }

const refused = (failure: Failure, message: string) => ({
  ...signedOut,
  answers: { auth: { signIn: failWith(failure) } },
  act: ({ submit }: User) =>
    submit({ 'Adresse e-mail': 'awa@example.com', 'Mot de passe': 'pas-le-bon' }, 'Se connecter'),
  shows: message,
})

/** The machine starts in the situation that `walk` reaches, after a further `step`. */
const byPhone = (
  state: string,
  walk: () => Promise<StartedActor>,
  step: (started: StartedActor) => unknown = () => {},
) => ({
  at: { ...SIGNED_OUT_STATES, phoneOtp: state },
  account: null,
  path: '/?signup&tab=phone',
  snapshots: { phoneOtp: captureSnapshot(walk, step) },
})

/** The address is verified, but another step must be taken to open the account. */
const heldFor = (step: Awaited<ReturnType<typeof confirmAddress>>) => ({
  ...unverified,
  account: AWA,
  device: { profile: null },
  answers: {
    addressConfirmation: { confirmAddress: async () => step },
    profiles: {
      fetchProfile: async () => ({ ...buildPlanProfile(EMPTY_SUBSCRIPTION), verifiedAddress: null }),
    },
  },
})

/** Returns the sign-in screen after a session that ended on another device or in another tab. */
const afterSession = (payment: EndedSession['payment']) => ({
  at: SIGNED_OUT_STATES,
  account: null,
  device: { ended: { uid: AWA.uid, payment, attemptId: payment === 'none' ? null : 'attempt' } },
})

export const SIGN_IN_SCENES: readonly Scene[] = [
  { name: 'sign-in', ...signedOut },
  { name: 'sign-in-verified', ...signedOut, path: '/?emailVerified=1' },
  {
    name: 'sign-in-refused',
    ...refused(buildAuthFailure('wrong-password'), 'Adresse e-mail ou mot de passe incorrect.'),
  },
  {
    name: 'sign-in-refused-google',
    ...refused(
      { kind: 'googleAccount', hasPassword: false },
      'Ce compte n’a pas de mot de passe. Connectez-vous avec Google.',
    ),
  },
  // With email enumeration protection, the service does not say whether the account exists.
  {
    name: 'sign-in-refused-protected',
    ...refused(buildAuthFailure('invalid-credential'), 'S’inscrire avec cette adresse'),
  },
  {
    name: 'sign-in-in-other-app',
    ...signedOut,
    at: { ...SIGNED_OUT_STATES, popupQueue: null },
    userAgent: 'iPhone Mobile/15E148 Instagram 405.0.0',
    shows: 'Google refuse de vous connecter ici',
  },
  { name: 'sign-in-storage-blocked', ...signedOut, isStorageBlocked: true },
  { name: 'forgotten-password-error', ...signedOut, act: ({ press }) => press('Mot de passe oublié ?') },
  {
    name: 'forgotten-password-sent',
    ...signedOut,
    path: '/?email=awa@example.com',
    answers: { auth: { sendPasswordReset: async () => {} } },
    act: ({ press }) => press('Mot de passe oublié ?'),
    shows: 'Si un compte existe à cette adresse, un e-mail vient de partir pour changer le mot de passe.',
  },
  { name: 'sign-up', ...signedOut, path: '/?signup' },
  {
    name: 'sign-up-errors',
    ...signedOut,
    path: '/?signup&email=aissatou@',
    act: ({ submit }) => submit({ 'Mot de passe': 'court' }, 'Créer mon compte'),
  },
  {
    name: 'sign-up-password-policy',
    ...signedOut,
    path: '/?signup&email=awa@example.com',
    answers: { signUp: { signUp: failWith(PASSWORD_POLICY_FAILURE) } },
    act: ({ submit }) =>
      submit({ 'Nom complet': 'Awa Diallo', 'Mot de passe': 'pas assez' }, 'Créer mon compte'),
    shows: PASSWORD_POLICY_TEXT,
  },
  {
    name: 'phone-sign-in',
    ...byPhone('editing', () => walkPhone.editing({ name: '', phone: '' })),
    path: '/?tab=phone',
  },
  {
    name: 'phone-no-account',
    ...byPhone('editing', walkPhone.checkingAccount, ({ checkAccount }) => checkAccount.answer('notFound')),
  },
  {
    name: 'phone-check-failed',
    ...byPhone('editing', walkPhone.checkingAccount, ({ checkAccount }) => checkAccount.fail()),
  },
  {
    name: 'phone-sign-up-errors',
    ...byPhone(
      'editing',
      () => walkPhone.editing({ purpose: 'signUp', name: '', phone: '620 00 00 00' }),
      ({ send }) => send({ type: 'code.request' }),
    ),
  },
  {
    name: 'phone-code',
    ...byPhone('enteringCode', () => walkPhone.enteringCode({ purpose: 'signUp', name: 'Awa Diallo' })),
  },
  {
    name: 'phone-code-wrong',
    ...byPhone(
      'enteringCode',
      () => walkPhone.verifying({ purpose: 'signUp' }),
      ({ confirmCode }) => confirmCode.answer(err(buildAuthFailure('invalid-verification-code'))),
    ),
  },
  {
    name: 'profile-missing',
    ...signedOut,
    path: '/?signup&tab=email&email=awa@example.com',
    device: { forceSignUp: 'account' },
  },
  { name: 'held-sign-in-again', ...heldFor('signedInAgain') },
  { name: 'held-by-address', ...heldFor('byAddress') },
  { name: 'held-by-number', ...heldFor('byPhone') },
  { name: 'held-by-former-address', ...heldFor({ present: 'a…@example.org' }) },
  {
    name: 'google-blocked',
    ...signedOut,
    snapshots: { popupQueue: captureSnapshot(walkPopup.loading, ({ block }) => block()) },
  },
  { name: 'verification', ...unverified, account: { ...AWA, emailVerified: false } },
  { name: 'sign-in-session-ended', ...afterSession('none') },
  { name: 'sign-in-session-ended-unpaid', ...afterSession('unpaid') },
  { name: 'sign-in-session-ended-maybe-paid', ...afterSession('maybePaid') },
]
