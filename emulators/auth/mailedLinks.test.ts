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
import type { AuthEmulator, AuthOptions } from './auth.ts'
import {
  AWA,
  CONTINUE,
  codeOf,
  HOUR,
  latestMail,
  MINUTE,
  oobCodeOf,
  PASSWORD,
  type ServedAuth,
  serveAuth,
  signUpAwa,
  typePassword,
  visit,
} from './testing.ts'

let now: number
let served: ServedAuth
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
  it('sends a link that confirms the address and leads back', async () => {
    const user = await signUpAwa(auth)
    await updateProfile(user, { displayName: 'Awa' })
    await sendEmailVerification(user, { url: CONTINUE })

    const { link } = latestMail(emulator)
    expect(emulator.mails()).toEqual([
      {
        to: AWA,
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
      oobCode: oobCodeOf(latestMail(emulator)),
      apiKey: 'any-key',
      continueUrl: CONTINUE,
    })

    expect(await visit(link)).toEqual({
      status: 200,
      title: 'Adresse confirmée',
      text: `L’adresse ${AWA} est confirmée.`,
      continueUrl: CONTINUE,
    })
    expect(user.emailVerified).toBe(false)
    await reload(user)
    expect(user.emailVerified).toBe(true)
    expect((await user.getIdTokenResult(true)).claims.email_verified).toBe(true)

    expect(await visit(link)).toEqual({
      status: 200,
      title: 'Adresse confirmée',
      text: `L’adresse ${AWA} est déjà confirmée.`,
      continueUrl: CONTINUE,
    })
  })

  it('writes in English when the device speaks it', async () => {
    auth.languageCode = 'en-GB'
    await sendEmailVerification(await signUpAwa(auth))
    const mail = latestMail(emulator)
    expect(mail.subject).toBe('Confirm your e-mail address for Demo')
    expect(await visit(mail.link)).toEqual({
      status: 200,
      title: 'Address confirmed',
      text: `The address ${AWA} is confirmed.`,
      continueUrl: undefined,
    })
  })

  it('works through the SDK too, once, for three days', async () => {
    const user = await signUpAwa(auth)
    await sendEmailVerification(user)
    const first = oobCodeOf(latestMail(emulator))
    now += 72 * HOUR
    await applyActionCode(auth, first)
    expect(await codeOf(applyActionCode(auth, first))).toBe('auth/invalid-action-code')
    expect(await codeOf(applyActionCode(auth, 'made-up'))).toBe('auth/invalid-action-code')

    await user.getIdToken(true)
    await sendEmailVerification(user)
    const { link } = latestMail(emulator)
    now += 72 * HOUR + 1
    expect(await codeOf(applyActionCode(auth, oobCodeOf(latestMail(emulator))))).toBe(
      'auth/expired-action-code',
    )
    expect(await visit(link)).toMatchObject({ status: 400, title: 'Lien expiré' })
  })

  it('shows a clear page for a link that is not whole, and escapes what it prints', async () => {
    expect(await visit(`${served.origin}/emulator/action?mode=verifyEmail&lang=en`)).toMatchObject({
      status: 400,
      title: 'Link not valid',
    })
    const user = await signUpAwa(auth)
    const url = 'http://localhost/?"><script>alert(1)</script>'
    await sendEmailVerification(user, { url })
    const page = await (await fetch(latestMail(emulator).link)).text()
    expect(page).not.toContain('<script>')
    expect(await codeOf(sendEmailVerification(user, { url: 'javascript:alert(1)' }))).toBe(
      'auth/invalid-continue-uri',
    )
  })

  it('lists the codes that wait as the official emulator does', async () => {
    const user = await signUpAwa(auth)
    await sendEmailVerification(user)
    await sendPasswordResetEmail(auth, AWA)
    const [reset, verification] = emulator.mails()
    const list = async (name: string) =>
      (await fetch(`${served.origin}/emulator/v1/projects/demo-test/${name}`)).json()

    const listed = [verification, reset].map(
      (mail) =>
        mail && { email: AWA, requestType: mail.requestType, oobCode: oobCodeOf(mail), oobLink: mail.link },
    )
    expect(await list('oobCodes')).toEqual({ oobCodes: listed })
    await visit(listed[0]?.oobLink ?? '')
    expect(await list('oobCodes')).toEqual({ oobCodes: [listed[1]] })
    expect(await list('verificationCodes')).toEqual({ verificationCodes: [] })
  })
})

describe('resetting a password', () => {
  it('asks for the new password on the page, and ends all sessions', async () => {
    const user = await signUpAwa(auth)
    now += 1000
    await sendPasswordResetEmail(auth, 'AWA@Example.com', { url: 'http://localhost:5173/' })
    const { link, subject } = latestMail(emulator)
    expect(subject).toBe('Réinitialisez votre mot de passe pour Demo')
    const wanted = {
      status: 200,
      title: 'Nouveau mot de passe',
      text: `Choisissez un nouveau mot de passe pour ${AWA}.`,
      continueUrl: undefined,
    }

    expect(await visit(link)).toEqual(wanted)
    for (const tooShort of ['', '12345']) {
      expect(await visit(link, typePassword(tooShort))).toEqual({
        ...wanted,
        text: 'Choisissez au moins 6 caractères.',
      })
    }
    expect(await visit(link, typePassword('secret2'))).toEqual({
      status: 200,
      title: 'Mot de passe modifié',
      text: `Connectez-vous à ${AWA} avec le nouveau mot de passe.`,
      continueUrl: 'http://localhost:5173/',
    })
    expect(await visit(link, typePassword('secret3'))).toMatchObject({
      status: 400,
      title: 'Lien déjà utilisé',
    })

    expect(await codeOf(signInWithEmailAndPassword(client(), AWA, PASSWORD))).toBe('auth/wrong-password')
    const { user: again } = await signInWithEmailAndPassword(client(), AWA, 'secret2')
    expect(again.emailVerified).toBe(true)
    expect(await codeOf(user.getIdToken(true))).toBe('auth/user-token-expired')
  })

  it('refuses old ID tokens from then on', async () => {
    const user = await signUpAwa(auth)
    now += 1000
    await sendPasswordResetEmail(auth, AWA)
    await visit(latestMail(emulator).link, typePassword('secret2'))
    expect(await codeOf(reload(user))).toBe('auth/user-token-expired')
  })

  it('works through the SDK, and opens a locked account', async () => {
    await signUpAwa(auth)
    for (let attempt = 0; attempt < 10; attempt += 1)
      await codeOf(signInWithEmailAndPassword(auth, AWA, 'wrong!'))
    await sendPasswordResetEmail(auth, AWA)
    const code = oobCodeOf(latestMail(emulator))

    expect(await verifyPasswordResetCode(auth, code)).toBe(AWA)
    expect(await codeOf(applyActionCode(auth, code))).toBe('auth/invalid-action-code')
    expect(await codeOf(confirmPasswordReset(auth, code, '12345'))).toBe('auth/weak-password')
    await confirmPasswordReset(auth, code, 'secret2')
    expect(await codeOf(confirmPasswordReset(auth, code, 'secret3'))).toBe('auth/invalid-action-code')
    expect(await codeOf(signInWithEmailAndPassword(auth, AWA, 'secret2'))).toBe('no error')
  })

  it('is possible for an hour', async () => {
    await signUpAwa(auth)
    await sendPasswordResetEmail(auth, AWA)
    const code = oobCodeOf(latestMail(emulator))
    now += HOUR
    expect(await codeOf(verifyPasswordResetCode(auth, code))).toBe('no error')
    now += 1
    expect(await codeOf(confirmPasswordReset(auth, code, 'secret2'))).toBe('auth/expired-action-code')
  })

  it.each([
    [false, 'who@example.com', 'auth/user-not-found'],
    [true, 'who@example.com', 'no error'],
    [false, 'who', 'auth/invalid-email'],
    [false, '', 'auth/missing-email'],
  ])('with enumeration protection %s, for "%s": %s', async (isProtected, email, code) => {
    emulator.setEmailEnumerationProtection(isProtected)
    expect(await codeOf(sendPasswordResetEmail(auth, email))).toBe(code)
    expect(emulator.mails()).toEqual([])
  })
})

describe('changing address or password', () => {
  it('keeps this device signed in and ends the others', async () => {
    const user = await signUpAwa(auth)
    const { user: elsewhere } = await signInWithEmailAndPassword(client(), AWA, PASSWORD)
    now += 1000
    await updatePassword(user, 'secret2')

    expect(await codeOf(reload(user))).toBe('no error')
    expect(await codeOf(user.getIdToken(true))).toBe('no error')
    expect(await codeOf(elsewhere.getIdToken(true))).toBe('auth/user-token-expired')
    expect(await codeOf(signInWithEmailAndPassword(client(), AWA, PASSWORD))).toBe('auth/wrong-password')
    expect(await codeOf(signInWithEmailAndPassword(client(), AWA, 'secret2'))).toBe('no error')
  })

  it('makes a new address unverified', async () => {
    const user = await signUpAwa(auth)
    await sendEmailVerification(user)
    const old = oobCodeOf(latestMail(emulator))
    await applyActionCode(auth, old)
    await sendEmailVerification(user)
    const waiting = oobCodeOf(latestMail(emulator))
    await updateEmail(user, 'Awa.D@example.com')

    expect([user.email, user.emailVerified]).toEqual(['awa.d@example.com', false])
    expect(await codeOf(applyActionCode(auth, waiting))).toBe('auth/invalid-action-code')
    expect(await codeOf(signInWithEmailAndPassword(client(), AWA, PASSWORD))).toBe('auth/user-not-found')
    expect(await codeOf(signInWithEmailAndPassword(client(), 'awa.d@example.com', PASSWORD))).toBe('no error')
  })

  it('changes the address through a mail to the new one', async () => {
    const user = await signUpAwa(auth)
    now += 1000
    await verifyBeforeUpdateEmail(user, 'new@example.com', { url: CONTINUE })
    const mail = latestMail(emulator)
    expect([mail.to, mail.subject]).toEqual([
      'new@example.com',
      'Confirmez votre nouvelle adresse e-mail pour Demo',
    ])
    expect((await checkActionCode(auth, oobCodeOf(mail))).data).toEqual({
      email: 'new@example.com',
      previousEmail: AWA,
      multiFactorInfo: null,
    })

    expect(await visit(mail.link)).toEqual({
      status: 200,
      title: 'Adresse modifiée',
      text: 'Connectez-vous désormais avec new@example.com.',
      continueUrl: CONTINUE,
    })
    expect(await visit(mail.link)).toMatchObject({ status: 200, title: 'Adresse confirmée' })
    expect(await codeOf(reload(user))).toBe('auth/user-token-expired')
    const { user: again } = await signInWithEmailAndPassword(client(), 'new@example.com', PASSWORD)
    expect(again.emailVerified).toBe(true)
  })

  it('refuses an address that somebody took in the meantime', async () => {
    const user = await signUpAwa(auth)
    await verifyBeforeUpdateEmail(user, 'new@example.com')
    const { link } = latestMail(emulator)
    await createUserWithEmailAndPassword(client(), 'new@example.com', PASSWORD)
    expect(await visit(link)).toMatchObject({ status: 400, title: 'Adresse déjà prise' })
  })

  it('asks for the password of this account, not of another one', async () => {
    const user = await signUpAwa(auth)
    await createUserWithEmailAndPassword(client(), 'other@example.com', PASSWORD)
    const reauthenticate = (email: string, password: string) =>
      codeOf(reauthenticateWithCredential(user, EmailAuthProvider.credential(email, password)))
    expect(await reauthenticate(AWA, 'wrong!')).toBe('auth/wrong-password')
    expect(await reauthenticate('other@example.com', PASSWORD)).toBe('auth/user-mismatch')
    expect(await reauthenticate(AWA, PASSWORD)).toBe('no error')
  })

  it('refuses bad values', async () => {
    const user = await signUpAwa(auth)
    await createUserWithEmailAndPassword(client(), 'taken@example.com', PASSWORD)
    expect(await codeOf(updateEmail(user, 'taken@example.com'))).toBe('auth/email-already-in-use')
    expect(await codeOf(verifyBeforeUpdateEmail(user, 'taken@example.com'))).toBe('auth/email-already-in-use')
    expect(await codeOf(verifyBeforeUpdateEmail(user, 'bad'))).toBe('auth/invalid-email')
    expect(await codeOf(updateEmail(user, 'bad'))).toBe('auth/invalid-email')
    expect(await codeOf(updatePassword(user, '12345'))).toBe('auth/weak-password')
  })

  it('changes the address only through a mail when addresses are protected', async () => {
    emulator.setEmailEnumerationProtection(true)
    const user = await signUpAwa(auth)
    expect(await codeOf(updateEmail(user, 'new@example.com'))).toBe('auth/operation-not-allowed')
    expect(await codeOf(verifyBeforeUpdateEmail(user, 'new@example.com'))).toBe('no error')
    expect(emulator.mails().map(({ to }) => to)).toEqual(['new@example.com'])
  })

  it('does not tell a taken address when addresses are protected, but when somebody signs up', async () => {
    emulator.setEmailEnumerationProtection(true)
    const user = await signUpAwa(auth)
    const taken = 'taken@example.com'
    await createUserWithEmailAndPassword(client(), taken, PASSWORD)
    expect(await codeOf(verifyBeforeUpdateEmail(user, taken))).toBe('no error')
    expect(emulator.mails()).toEqual([])
    expect(await codeOf(createUserWithEmailAndPassword(client(), taken, PASSWORD))).toBe(
      'auth/email-already-in-use',
    )
  })

  it('can be said to lie further back', async () => {
    const user = await signUpAwa(auth)
    const before = (await user.getIdTokenResult()).claims.auth_time
    await served.post('/sandbox/auth/age', { localId: user.uid, minutes: 6 })
    expect((await user.getIdTokenResult(true)).claims.auth_time).toBe(Number(before) - 360)
    expect((await served.post('/sandbox/auth/age', { localId: user.uid })).status).toBe(400)
  })

  it('needs a login within the last five minutes', async () => {
    const user = await signUpAwa(auth)
    const credential = EmailAuthProvider.credential(AWA, PASSWORD)
    const sensitive = [
      () => updatePassword(user, 'secret2'),
      () => updateEmail(user, 'new@example.com'),
      () => verifyBeforeUpdateEmail(user, 'new@example.com'),
      () => deleteUser(user),
    ]
    now += 5 * MINUTE + 1000
    await user.getIdToken(true)
    for (const change of sensitive) expect(await codeOf(change())).toBe('auth/requires-recent-login')
    expect(await codeOf(updateProfile(user, { displayName: 'Awa' }))).toBe('no error')

    await reauthenticateWithCredential(user, credential)
    now += 5 * MINUTE
    expect(await codeOf(updatePassword(user, 'secret2'))).toBe('no error')
  })
})
