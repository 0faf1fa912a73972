import {
  type Auth,
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  reauthenticateWithCredential,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  updateEmail,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from 'firebase/auth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AuthTestServer,
  AWA_EMAIL,
  buildPasswordForm,
  CONTINUE_URL,
  getErrorCode,
  getLatestMail,
  getOobCode,
  HOUR_MS,
  MINUTE_MS,
  PASSWORD,
  serveAuth,
  signUpAwa,
  visitActionLink,
} from '../testing/auth.ts'
import type { AuthEmulator, AuthOptions } from './auth.ts'

let now: number
let served: AuthTestServer
let emulator: AuthEmulator
let auth: Auth

beforeEach(async () => {
  now = Date.UTC(2026, 10, 20, 12)
  await start()
})

afterEach(() => stop())

async function start(options: Partial<AuthOptions> = {}) {
  served = await serveAuth({ clock: { now: () => now }, ...options })
  emulator = served.emulator
  auth = client()
}

const stop = () => served.stop()
const client = () => served.client()

describe('verifying an address', () => {
  it('a verification link confirms the address and returns to the app', async () => {
    const user = await signUpAwa(auth)
    await updateProfile(user, { displayName: 'Awa' })
    await sendEmailVerification(user, { url: CONTINUE_URL })

    const { link } = getLatestMail(emulator)
    expect(emulator.mails()).toEqual([
      {
        to: AWA_EMAIL,
        subject: 'Confirmez votre adresse e-mail pour Demo',
        requestType: 'VERIFY_EMAIL',
        link,
        text: `Bonjour Awa,\n\nSuivez ce lien pour confirmer votre adresse e-mail :\n\n${link}\n\nSi vous n’avez pas demandé cette confirmation, ignorez ce message.\n\nL’équipe Demo`,
        createdAt: now,
      },
    ])
    expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
      mode: 'verifyEmail',
      lang: 'fr',
      oobCode: getOobCode(getLatestMail(emulator)),
      apiKey: 'any-key',
      continueUrl: CONTINUE_URL,
    })

    const opened = await fetch(link)
    expect([opened.status, emulator.dump().accounts[0]?.emailVerified]).toEqual([200, false])
    expect(await visitActionLink(link)).toEqual({
      status: 200,
      title: 'Adresse confirmée',
      text: `L’adresse ${AWA_EMAIL} est confirmée.`,
      continueUrl: CONTINUE_URL,
    })
    expect(user.emailVerified).toBe(false)
    await reload(user)
    expect(user.emailVerified).toBe(true)
    expect((await user.getIdTokenResult(true)).claims.email_verified).toBe(true)

    expect(await visitActionLink(link)).toEqual({
      status: 200,
      title: 'Adresse confirmée',
      text: `L’adresse ${AWA_EMAIL} est déjà confirmée.`,
      continueUrl: CONTINUE_URL,
    })
  })

  it('a verification mail follows the SDK’s English', async () => {
    auth.languageCode = 'en-GB'
    await sendEmailVerification(await signUpAwa(auth))
    const mail = getLatestMail(emulator)
    expect(mail.subject).toBe('Confirm your e-mail address for Demo')
    expect(await visitActionLink(mail.link)).toEqual({
      status: 200,
      title: 'Address confirmed',
      text: `The address ${AWA_EMAIL} is confirmed.`,
      continueUrl: undefined,
    })
  })

  it('the SDK applies a verification code once, within three days', async () => {
    const user = await signUpAwa(auth)
    await sendEmailVerification(user)
    const first = getOobCode(getLatestMail(emulator))
    now += 72 * HOUR_MS
    await applyActionCode(auth, first)
    expect(await getErrorCode(applyActionCode(auth, first))).toBe('auth/invalid-action-code')
    expect(await getErrorCode(applyActionCode(auth, 'made-up'))).toBe('auth/invalid-action-code')

    await user.getIdToken(true)
    await sendEmailVerification(user)
    const { link } = getLatestMail(emulator)
    now += 72 * HOUR_MS + 1
    expect(await getErrorCode(applyActionCode(auth, getOobCode(getLatestMail(emulator))))).toBe(
      'auth/expired-action-code',
    )
    expect(await visitActionLink(link)).toMatchObject({ status: 400, title: 'Lien expiré' })
  })

  it('the page rejects an incomplete link and escapes its URL', async () => {
    expect(await visitActionLink(`${served.origin}/emulator/action?mode=verifyEmail&lang=en`)).toMatchObject({
      status: 400,
      title: 'Link not valid',
    })
    const user = await signUpAwa(auth)
    const url = 'http://localhost/?"><script>alert(1)</script>'
    await sendEmailVerification(user, { url })
    const page = await (await fetch(getLatestMail(emulator).link, { method: 'POST' })).text()
    expect(page).toContain('Adresse confirmée')
    expect(page).not.toContain('<script>')
    expect(await getErrorCode(sendEmailVerification(user, { url: 'javascript:alert(1)' }))).toBe(
      'auth/invalid-continue-uri',
    )
  })

  it('the Auth emulator lists pending codes like the official emulator', async () => {
    const user = await signUpAwa(auth)
    await sendEmailVerification(user)
    await sendPasswordResetEmail(auth, AWA_EMAIL)
    const [reset, verification] = emulator.mails()
    const list = async (name: string) =>
      (await fetch(`${served.origin}/emulator/v1/projects/demo-test/${name}`)).json()

    const listed = [verification, reset].map(
      (mail) =>
        mail && {
          email: AWA_EMAIL,
          requestType: mail.requestType,
          oobCode: getOobCode(mail),
          oobLink: mail.link,
        },
    )
    expect(await list('oobCodes')).toEqual({ oobCodes: listed })
    await visitActionLink(listed[0]?.oobLink ?? '')
    expect(await list('oobCodes')).toEqual({ oobCodes: [listed[1]] })
    expect(await list('verificationCodes')).toEqual({ verificationCodes: [] })
  })
})

describe('resetting a password', () => {
  it('a reset link changes the password once and ends all sessions', async () => {
    const user = await signUpAwa(auth)
    now += 1000
    await sendPasswordResetEmail(auth, 'AWA@Example.com', { url: 'http://localhost:5173/' })
    const { link, subject } = getLatestMail(emulator)
    expect(subject).toBe('Réinitialisez votre mot de passe pour Demo')
    const wanted = {
      status: 200,
      title: 'Nouveau mot de passe',
      text: `Choisissez un nouveau mot de passe pour ${AWA_EMAIL}.`,
      continueUrl: undefined,
    }

    expect(await visitActionLink(link)).toEqual(wanted)
    for (const tooShort of ['', '12345']) {
      expect(await visitActionLink(link, buildPasswordForm(tooShort))).toEqual({
        ...wanted,
        text: 'Choisissez au moins 6 caractères.',
      })
    }
    expect(await visitActionLink(link, buildPasswordForm('secret2'))).toEqual({
      status: 200,
      title: 'Mot de passe modifié',
      text: `Connectez-vous à ${AWA_EMAIL} avec le nouveau mot de passe.`,
      continueUrl: 'http://localhost:5173/',
    })
    expect(await visitActionLink(link, buildPasswordForm('secret3'))).toMatchObject({
      status: 400,
      title: 'Lien déjà utilisé',
    })

    expect(await getErrorCode(signInWithEmailAndPassword(client(), AWA_EMAIL, PASSWORD))).toBe(
      'auth/wrong-password',
    )
    const { user: again } = await signInWithEmailAndPassword(client(), AWA_EMAIL, 'secret2')
    expect(again.emailVerified).toBe(true)
    expect(await getErrorCode(user.getIdToken(true))).toBe('auth/user-token-expired')
  })

  it('resetting a password invalidates older ID tokens', async () => {
    const user = await signUpAwa(auth)
    now += 1000
    await sendPasswordResetEmail(auth, AWA_EMAIL)
    await visitActionLink(getLatestMail(emulator).link, buildPasswordForm('secret2'))
    expect(await getErrorCode(reload(user))).toBe('auth/user-token-expired')
  })

  it('resetting the password through the SDK unlocks a locked account', async () => {
    await signUpAwa(auth)
    for (let attempt = 0; attempt < 10; attempt += 1)
      await getErrorCode(signInWithEmailAndPassword(auth, AWA_EMAIL, 'wrong!'))
    await sendPasswordResetEmail(auth, AWA_EMAIL)
    const code = getOobCode(getLatestMail(emulator))

    expect(await verifyPasswordResetCode(auth, code)).toBe(AWA_EMAIL)
    expect(await getErrorCode(applyActionCode(auth, code))).toBe('auth/invalid-action-code')
    expect(await getErrorCode(confirmPasswordReset(auth, code, '12345'))).toBe('auth/weak-password')
    await confirmPasswordReset(auth, code, 'secret2')
    expect(await getErrorCode(confirmPasswordReset(auth, code, 'secret3'))).toBe('auth/invalid-action-code')
    expect(await getErrorCode(signInWithEmailAndPassword(auth, AWA_EMAIL, 'secret2'))).toBe('no error')
  })

  it('a password reset code expires after an hour', async () => {
    await signUpAwa(auth)
    await sendPasswordResetEmail(auth, AWA_EMAIL)
    const code = getOobCode(getLatestMail(emulator))
    now += HOUR_MS
    expect(await getErrorCode(verifyPasswordResetCode(auth, code))).toBe('no error')
    now += 1
    expect(await getErrorCode(confirmPasswordReset(auth, code, 'secret2'))).toBe('auth/expired-action-code')
  })

  it.each([
    ['without', 'who@example.com', 'auth/user-not-found'],
    ['with', 'who@example.com', 'no error'],
    ['without', 'who', 'auth/invalid-email'],
    ['without', '', 'auth/missing-email'],
  ])('%s enumeration protection, a password reset for "%s" returns: %s', async (protection, email, code) => {
    emulator.setEmailEnumerationProtection(protection === 'with')
    expect(await getErrorCode(sendPasswordResetEmail(auth, email))).toBe(code)
    expect(emulator.mails()).toEqual([])
  })
})

describe('changing address or password', () => {
  it('changing the password ends the sessions of other devices only', async () => {
    const user = await signUpAwa(auth)
    const { user: elsewhere } = await signInWithEmailAndPassword(client(), AWA_EMAIL, PASSWORD)
    now += 1000
    await updatePassword(user, 'secret2')

    expect(await getErrorCode(reload(user))).toBe('no error')
    expect(await getErrorCode(user.getIdToken(true))).toBe('no error')
    expect(await getErrorCode(elsewhere.getIdToken(true))).toBe('auth/user-token-expired')
    expect(await getErrorCode(signInWithEmailAndPassword(client(), AWA_EMAIL, PASSWORD))).toBe(
      'auth/wrong-password',
    )
    expect(await getErrorCode(signInWithEmailAndPassword(client(), AWA_EMAIL, 'secret2'))).toBe('no error')
  })

  it('a changed address is unverified, and its old code invalid', async () => {
    const user = await signUpAwa(auth)
    await sendEmailVerification(user)
    const old = getOobCode(getLatestMail(emulator))
    await applyActionCode(auth, old)
    await sendEmailVerification(user)
    const waiting = getOobCode(getLatestMail(emulator))
    await updateEmail(user, 'Awa.D@example.com')

    expect([user.email, user.emailVerified]).toEqual(['awa.d@example.com', false])
    expect(await getErrorCode(applyActionCode(auth, waiting))).toBe('auth/invalid-action-code')
    expect(await getErrorCode(signInWithEmailAndPassword(client(), AWA_EMAIL, PASSWORD))).toBe(
      'auth/user-not-found',
    )
    expect(await getErrorCode(signInWithEmailAndPassword(client(), 'awa.d@example.com', PASSWORD))).toBe(
      'no error',
    )
  })

  it('a new address’s link changes the address and ends the session', async () => {
    const user = await signUpAwa(auth)
    now += 1000
    await verifyBeforeUpdateEmail(user, 'new@example.com', { url: CONTINUE_URL })
    const mail = getLatestMail(emulator)
    expect([mail.to, mail.subject]).toEqual([
      'new@example.com',
      'Confirmez votre nouvelle adresse e-mail pour Demo',
    ])
    expect((await checkActionCode(auth, getOobCode(mail))).data).toEqual({
      email: 'new@example.com',
      previousEmail: AWA_EMAIL,
      multiFactorInfo: null,
    })

    expect(await visitActionLink(mail.link)).toEqual({
      status: 200,
      title: 'Adresse modifiée',
      text: 'Connectez-vous désormais avec new@example.com.',
      continueUrl: CONTINUE_URL,
    })
    expect(await visitActionLink(mail.link)).toMatchObject({ status: 200, title: 'Adresse confirmée' })
    expect(await getErrorCode(reload(user))).toBe('auth/user-token-expired')
    const { user: again } = await signInWithEmailAndPassword(client(), 'new@example.com', PASSWORD)
    expect(again.emailVerified).toBe(true)
  })

  it('changing the address fails if it was taken meanwhile', async () => {
    const user = await signUpAwa(auth)
    await verifyBeforeUpdateEmail(user, 'new@example.com')
    const { link } = getLatestMail(emulator)
    await createUserWithEmailAndPassword(client(), 'new@example.com', PASSWORD)
    expect(await visitActionLink(link)).toMatchObject({ status: 400, title: 'Adresse déjà prise' })
  })

  it("re-authenticating requires the signed-in account's own address and password", async () => {
    const user = await signUpAwa(auth)
    await createUserWithEmailAndPassword(client(), 'other@example.com', PASSWORD)
    const reauthenticate = (email: string, password: string) =>
      getErrorCode(reauthenticateWithCredential(user, EmailAuthProvider.credential(email, password)))
    expect(await reauthenticate(AWA_EMAIL, 'wrong!')).toBe('auth/wrong-password')
    expect(await reauthenticate('other@example.com', PASSWORD)).toBe('auth/user-mismatch')
    expect(await reauthenticate(AWA_EMAIL, PASSWORD)).toBe('no error')
  })

  it('refuses to change the address or the password to an invalid value', async () => {
    const user = await signUpAwa(auth)
    await createUserWithEmailAndPassword(client(), 'taken@example.com', PASSWORD)
    expect(await getErrorCode(updateEmail(user, 'taken@example.com'))).toBe('auth/email-already-in-use')
    expect(await getErrorCode(verifyBeforeUpdateEmail(user, 'taken@example.com'))).toBe(
      'auth/email-already-in-use',
    )
    expect(await getErrorCode(verifyBeforeUpdateEmail(user, 'bad'))).toBe('auth/invalid-email')
    expect(await getErrorCode(updateEmail(user, 'bad'))).toBe('auth/invalid-email')
    expect(await getErrorCode(updatePassword(user, '12345'))).toBe('auth/weak-password')
  })

  it('enumeration protection changes the address only by mail', async () => {
    emulator.setEmailEnumerationProtection(true)
    const user = await signUpAwa(auth)
    expect(await getErrorCode(updateEmail(user, 'new@example.com'))).toBe('auth/operation-not-allowed')
    expect(await getErrorCode(verifyBeforeUpdateEmail(user, 'new@example.com'))).toBe('no error')
    expect(emulator.mails().map(({ to }) => to)).toEqual(['new@example.com'])
  })

  it('with enumeration protection, only a sign-up reveals that an address is taken', async () => {
    emulator.setEmailEnumerationProtection(true)
    const user = await signUpAwa(auth)
    const taken = 'taken@example.com'
    await createUserWithEmailAndPassword(client(), taken, PASSWORD)
    expect(await getErrorCode(verifyBeforeUpdateEmail(user, taken))).toBe('no error')
    expect(emulator.mails()).toEqual([])
    expect(await getErrorCode(createUserWithEmailAndPassword(client(), taken, PASSWORD))).toBe(
      'auth/email-already-in-use',
    )
  })

  it('/sandbox/auth/age moves the last login into the past', async () => {
    const user = await signUpAwa(auth)
    const before = (await user.getIdTokenResult()).claims.auth_time
    await served.post('/sandbox/auth/age', { localId: user.uid, minutes: 6 })
    expect((await user.getIdTokenResult(true)).claims.auth_time).toBe(Number(before) - 360)
    expect((await served.post('/sandbox/auth/age', { localId: user.uid })).status).toBe(400)
  })

  it('address, password and deletion require a login within five minutes', async () => {
    const user = await signUpAwa(auth)
    const credential = EmailAuthProvider.credential(AWA_EMAIL, PASSWORD)
    const sensitive = [
      () => updatePassword(user, 'secret2'),
      () => updateEmail(user, 'new@example.com'),
      () => verifyBeforeUpdateEmail(user, 'new@example.com'),
      () => deleteUser(user),
    ]
    now += 5 * MINUTE_MS + 1000
    await user.getIdToken(true)
    for (const change of sensitive) expect(await getErrorCode(change())).toBe('auth/requires-recent-login')
    expect(await getErrorCode(updateProfile(user, { displayName: 'Awa' }))).toBe('no error')

    await reauthenticateWithCredential(user, credential)
    now += 5 * MINUTE_MS
    expect(await getErrorCode(updatePassword(user, 'secret2'))).toBe('no error')
  })
})
