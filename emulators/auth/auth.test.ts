import {
  type Auth,
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  FacebookAuthProvider,
  reauthenticateWithCredential,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  sendSignInLinkToEmail,
  signInAnonymously,
  signInWithCredential,
  signInWithEmailAndPassword,
  updateEmail,
  updatePassword,
  updateProfile,
  validatePassword,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from 'firebase/auth'
import { createRemoteJWKSet, decodeJwt, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuthOptions, AuthStandIn } from './auth.ts'
import { createSigningKey, type Mail } from './core.ts'
import { codeOf, HOUR, MINUTE, type ServedAuth, serveAuth } from './testing.ts'

const AWA = 'awa@example.com'
const PASSWORD = 'secret1'
const CONTINUE = 'http://localhost:5173/?emailVerified=1'

let now: number
let served: ServedAuth
let standIn: AuthStandIn
let auth: Auth

beforeEach(async () => {
  now = Date.UTC(2026, 10, 20, 12)
  await start()
})

afterEach(() => stop())

async function start(options: Partial<AuthOptions> = {}) {
  served = await serveAuth({ clock: { now: () => now }, ...options })
  standIn = served.standIn
  auth = client()
}

const stop = () => served.stop()
const client = () => served.client()

async function signUpAwa(on = auth) {
  const { user } = await createUserWithEmailAndPassword(on, AWA, PASSWORD)
  return user
}

const latestMail = (): Mail => {
  const [mail] = standIn.mails()
  if (!mail) throw new Error('no mail was sent')
  return mail
}

const oobCodeOf = (mail: Mail) => new URL(mail.link).searchParams.get('oobCode') ?? ''

const visit = async (link: string, init?: RequestInit) => {
  const response = await fetch(link, init)
  const page = await response.text()
  return {
    status: response.status,
    title: /<h1>(.*?)<\/h1>/.exec(page)?.[1],
    continueUrl: /<a [^>]*href="(.*?)"/.exec(page)?.[1],
    text: /<p id="message" role="\w+">\s*(.*?)\s*<\/p>/s.exec(page)?.[1],
  }
}

const typePassword = (newPassword: string): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ newPassword }),
})

const exchange = async (form: Record<string, string>) => {
  const response = await fetch(`${served.origin}/securetoken.googleapis.com/v1/token?key=any-key`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const body = await response.json()
  return response.ok ? body : body.error.message
}

describe('signing up', () => {
  it('makes an account whose ID token anybody can verify with the public keys', async () => {
    const user = await signUpAwa()
    const token = await user.getIdToken()
    const keys = createRemoteJWKSet(new URL(`${served.origin}/sandbox/auth/jwks`))

    const { payload, protectedHeader } = await jwtVerify(token, keys, { currentDate: new Date(now) })

    expect(protectedHeader).toEqual({ alg: 'RS256', kid: standIn.jwks().keys[0]?.kid, typ: 'JWT' })
    expect(payload).toEqual({
      iss: 'https://securetoken.google.com/demo-test',
      aud: 'demo-test',
      auth_time: now / 1000,
      user_id: user.uid,
      sub: user.uid,
      iat: now / 1000,
      exp: now / 1000 + 3600,
      email: AWA,
      email_verified: false,
      firebase: { identities: { email: [AWA] }, sign_in_provider: 'password' },
    })
    expect(user.uid).toMatch(/^[A-Za-z0-9]{28}$/)
    expect(await standIn.identify(`Bearer ${token}`)).toEqual({ kind: 'user', uid: user.uid, token: payload })
  })

  it('tells the SDK who the user is', async () => {
    const user = await signUpAwa()
    expect({
      ...user.metadata,
      email: user.email,
      emailVerified: user.emailVerified,
      isAnonymous: user.isAnonymous,
      providerData: user.providerData,
    }).toMatchObject({
      creationTime: new Date(now).toUTCString(),
      lastSignInTime: new Date(now).toUTCString(),
      email: AWA,
      emailVerified: false,
      isAnonymous: false,
      providerData: [
        {
          providerId: 'password',
          uid: AWA,
          email: AWA,
          displayName: null,
          phoneNumber: null,
          photoURL: null,
        },
      ],
    })
  })

  it('publishes no part of the private key', () => {
    expect(standIn.jwks().keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ])
  })

  it.each([
    ['an address in use', AWA, PASSWORD, 'auth/email-already-in-use'],
    ['an address in use, in capitals', 'AWA@Example.com', PASSWORD, 'auth/email-already-in-use'],
    ['a short password', 'new@example.com', '12345', 'auth/weak-password'],
    ['no password', 'new@example.com', '', 'auth/missing-password'],
    ['a bad address', 'new@example', PASSWORD, 'auth/invalid-email'],
    ['no address', '', PASSWORD, 'auth/missing-email'],
  ])('refuses %s', async (_, email, password, code) => {
    await signUpAwa()
    expect(await codeOf(createUserWithEmailAndPassword(client(), email, password))).toBe(code)
    expect(standIn.dump().accounts).toHaveLength(1)
  })

  it('lets one of two have an address that both ask for at once', async () => {
    const codes = await Promise.all([codeOf(signUpAwa(client())), codeOf(signUpAwa(client()))])
    expect(codes.sort()).toEqual(['auth/email-already-in-use', 'no error'])
  })

  it('does not offer anonymous accounts', async () => {
    expect(await codeOf(signInAnonymously(auth))).toBe('auth/admin-restricted-operation')
  })

  it('states the password policy', async () => {
    const { isValid } = await validatePassword(auth, '12345')
    expect([isValid, (await validatePassword(auth, '123456')).isValid]).toEqual([false, true])
  })
})

describe('signing in', () => {
  it.each([
    ['an unknown address', 'who@example.com', PASSWORD, 'auth/user-not-found', 'auth/invalid-credential'],
    ['a wrong password', AWA, 'secret2', 'auth/wrong-password', 'auth/invalid-credential'],
    ['no password', AWA, '', 'auth/missing-password', 'auth/missing-password'],
    ['a bad address', 'awa', PASSWORD, 'auth/invalid-email', 'auth/invalid-email'],
    ['no address', '', PASSWORD, 'auth/missing-email', 'auth/missing-email'],
    ['the right password', AWA, PASSWORD, 'no error', 'no error'],
    ['the address in capitals', 'AWA@EXAMPLE.COM', PASSWORD, 'no error', 'no error'],
  ])('with %s', async (_, email, password, plain, whenProtected) => {
    await signUpAwa()
    expect(await codeOf(signInWithEmailAndPassword(client(), email, password))).toBe(plain)

    standIn.setEmailEnumerationProtection(true)
    expect(await codeOf(signInWithEmailAndPassword(client(), email, password))).toBe(whenProtected)
  })

  it('locks an account after ten wrong passwords, for a quarter of an hour', async () => {
    await signUpAwa()
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await codeOf(signInWithEmailAndPassword(auth, AWA, 'wrong!'))).toBe('auth/wrong-password')
    }
    const right = () => codeOf(signInWithEmailAndPassword(auth, AWA, PASSWORD))
    expect(await right()).toBe('auth/too-many-requests')
    now += 15 * MINUTE - 1
    expect(await right()).toBe('auth/too-many-requests')
    now += 1
    expect(await right()).toBe('no error')
    expect(await codeOf(signInWithEmailAndPassword(auth, AWA, 'wrong!'))).toBe('auth/wrong-password')
  })

  it('refuses a disabled account, also on its next call with old tokens', async () => {
    const user = await signUpAwa()
    expect(standIn.setDisabled(user.uid, true)).toBe(true)
    expect(standIn.setDisabled('nobody', true)).toBe(false)

    expect(await codeOf(signInWithEmailAndPassword(client(), AWA, PASSWORD))).toBe('auth/user-disabled')
    expect(await codeOf(sendPasswordResetEmail(client(), AWA))).toBe('auth/user-disabled')
    expect(await codeOf(user.getIdToken(true))).toBe('auth/user-disabled')
    expect(await codeOf(reload(user))).toBe('auth/user-disabled')
  })
})

describe('tokens', () => {
  it('renews an expired token without a new login', async () => {
    const user = await signUpAwa()
    const old = await user.getIdToken()
    const signedInAt = now
    now += HOUR

    expect(await standIn.identify(`Bearer ${old}`)).toEqual({
      kind: 'invalid',
      reason: 'INVALID_ID_TOKEN : "exp" claim timestamp check failed',
    })
    expect(await codeOf(reload(user))).toBe('auth/invalid-user-token')

    const renewed = await standIn.identify(`Bearer ${await user.getIdToken(true)}`)
    expect(renewed).toMatchObject({
      kind: 'user',
      uid: user.uid,
      token: { auth_time: signedInAt / 1000, iat: now / 1000, exp: now / 1000 + 3600 },
    })
    expect(await codeOf(reload(user))).toBe('no error')
  })

  it('answers the refresh call in the form of the Secure Token service', async () => {
    const user = await signUpAwa()
    const answer = await exchange({ grant_type: 'refresh_token', refresh_token: user.refreshToken })
    expect(answer).toEqual({
      access_token: answer.id_token,
      id_token: expect.any(String),
      refresh_token: user.refreshToken,
      expires_in: '3600',
      token_type: 'Bearer',
      user_id: user.uid,
      project_id: 'demo-test',
    })
  })

  it.each([
    [{}, 'MISSING_GRANT_TYPE'],
    [{ grant_type: 'password' }, 'INVALID_GRANT_TYPE'],
    [{ grant_type: 'refresh_token' }, 'MISSING_REFRESH_TOKEN'],
    [{ grant_type: 'refresh_token', refresh_token: 'made-up' }, 'INVALID_REFRESH_TOKEN'],
  ])('refuses the refresh call %j', async (form, message) => {
    expect(await exchange(form as Record<string, string>)).toBe(message)
  })

  it('takes nothing but its own signed, unexpired tokens for this project', async () => {
    const user = await signUpAwa()
    const token = await user.getIdToken()
    const claims = decodeJwt(token)
    const sign = (changed: Record<string, unknown>, key = standIn.dump().key) =>
      new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg: 'RS256', kid: key.kid })
        .sign(key.privateJwk)
    const kindOf = async (header: string | undefined) => (await standIn.identify(header)).kind

    expect(await kindOf(undefined)).toBe('nobody')
    expect(await kindOf(`Bearer ${await sign({})}`)).toBe('user')
    const invalid = {
      empty: '',
      'no bearer': token,
      owner: 'Bearer owner',
      unsigned: `Bearer ${new UnsecuredJWT(claims).encode()}`,
      'another key': `Bearer ${await sign({}, createSigningKey())}`,
      'another project': `Bearer ${await sign({ aud: 'other' })}`,
      'another issuer': `Bearer ${await sign({ iss: 'https://securetoken.google.com/other' })}`,
      'changed claims': `Bearer ${token.replace(/\.[^.]+\./, `.${btoa(JSON.stringify({ ...claims, sub: 'x' }))}.`)}`,
    }
    for (const [name, header] of Object.entries(invalid))
      expect([name, await kindOf(header)]).toEqual([name, 'invalid'])
  })
})

describe('the profile', () => {
  it('keeps name and picture, and tells them in the next token', async () => {
    const user = await signUpAwa()
    await updateProfile(user, { displayName: 'Awa Diallo', photoURL: 'https://example.com/awa.png' })

    const { user: elsewhere } = await signInWithEmailAndPassword(client(), AWA, PASSWORD)
    expect([elsewhere.displayName, elsewhere.photoURL]).toEqual(['Awa Diallo', 'https://example.com/awa.png'])
    expect((await user.getIdTokenResult()).claims).toMatchObject({
      name: 'Awa Diallo',
      picture: 'https://example.com/awa.png',
    })

    await updateProfile(user, { displayName: '' })
    await reload(elsewhere)
    expect([elsewhere.displayName, elsewhere.photoURL]).toEqual([null, 'https://example.com/awa.png'])
  })

  it('goes away with the account', async () => {
    const user = await signUpAwa()
    const { user: elsewhere } = await signInWithEmailAndPassword(client(), AWA, PASSWORD)
    await deleteUser(user)

    expect(standIn.dump().accounts).toEqual([])
    expect(await codeOf(elsewhere.getIdToken(true))).toBe('auth/user-token-expired')
    expect(await codeOf(signInWithEmailAndPassword(client(), AWA, PASSWORD))).toBe('auth/user-not-found')
  })
})

describe('verifying an address', () => {
  it('sends a link that confirms the address and leads back', async () => {
    const user = await signUpAwa()
    await updateProfile(user, { displayName: 'Awa' })
    await sendEmailVerification(user, { url: CONTINUE })

    const { link } = latestMail()
    expect(standIn.mails()).toEqual([
      {
        to: AWA,
        subject: 'Confirmez votre adresse e-mail pour Passerelle',
        requestType: 'VERIFY_EMAIL',
        link,
        text: `Bonjour Awa,\n\nSuivez ce lien pour confirmer votre adresse e-mail :\n\n${link}\n\nSi vous n’avez pas demandé cette confirmation, ignorez ce message.\n\nL’équipe Passerelle`,
        createdAt: now,
      },
    ])
    expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
      mode: 'verifyEmail',
      lang: 'fr',
      oobCode: oobCodeOf(latestMail()),
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
    await sendEmailVerification(await signUpAwa())
    const mail = latestMail()
    expect(mail.subject).toBe('Confirm your e-mail address for Passerelle')
    expect(await visit(mail.link)).toEqual({
      status: 200,
      title: 'Address confirmed',
      text: `The address ${AWA} is confirmed.`,
      continueUrl: undefined,
    })
  })

  it('works through the SDK too, once, for three days', async () => {
    const user = await signUpAwa()
    await sendEmailVerification(user)
    const first = oobCodeOf(latestMail())
    now += 72 * HOUR
    await applyActionCode(auth, first)
    expect(await codeOf(applyActionCode(auth, first))).toBe('auth/invalid-action-code')
    expect(await codeOf(applyActionCode(auth, 'made-up'))).toBe('auth/invalid-action-code')

    await user.getIdToken(true)
    await sendEmailVerification(user)
    const { link } = latestMail()
    now += 72 * HOUR + 1
    expect(await codeOf(applyActionCode(auth, oobCodeOf(latestMail())))).toBe('auth/expired-action-code')
    expect(await visit(link)).toMatchObject({ status: 400, title: 'Lien expiré' })
  })

  it('shows a clear page for a link that is not whole, and escapes what it prints', async () => {
    expect(await visit(`${served.origin}/emulator/action?mode=verifyEmail&lang=en`)).toMatchObject({
      status: 400,
      title: 'Link not valid',
    })
    const user = await signUpAwa()
    const url = 'http://localhost/?"><script>alert(1)</script>'
    await sendEmailVerification(user, { url })
    const page = await (await fetch(latestMail().link)).text()
    expect(page).not.toContain('<script>')
    expect(await codeOf(sendEmailVerification(user, { url: 'javascript:alert(1)' }))).toBe(
      'auth/invalid-continue-uri',
    )
  })

  it('lists the codes that wait as the official emulator does', async () => {
    const user = await signUpAwa()
    await sendEmailVerification(user)
    await sendPasswordResetEmail(auth, AWA)
    const [reset, verification] = standIn.mails()
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
    const user = await signUpAwa()
    now += 1000
    await sendPasswordResetEmail(auth, 'AWA@Example.com', { url: 'http://localhost:5173/' })
    const { link, subject } = latestMail()
    expect(subject).toBe('Réinitialisez votre mot de passe pour Passerelle')
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
    const user = await signUpAwa()
    now += 1000
    await sendPasswordResetEmail(auth, AWA)
    await visit(latestMail().link, typePassword('secret2'))
    expect(await codeOf(reload(user))).toBe('auth/user-token-expired')
  })

  it('takes the new password from the link, as the official emulator does', async () => {
    await signUpAwa()
    await sendPasswordResetEmail(auth, AWA)
    expect(await visit(`${latestMail().link}&newPassword=secret2`)).toMatchObject({ status: 200 })
    expect(await codeOf(signInWithEmailAndPassword(client(), AWA, 'secret2'))).toBe('no error')
  })

  it('works through the SDK, and opens a locked account', async () => {
    await signUpAwa()
    for (let attempt = 0; attempt < 10; attempt += 1)
      await codeOf(signInWithEmailAndPassword(auth, AWA, 'wrong!'))
    await sendPasswordResetEmail(auth, AWA)
    const code = oobCodeOf(latestMail())

    expect(await verifyPasswordResetCode(auth, code)).toBe(AWA)
    expect(await codeOf(applyActionCode(auth, code))).toBe('auth/invalid-action-code')
    expect(await codeOf(confirmPasswordReset(auth, code, '12345'))).toBe('auth/weak-password')
    await confirmPasswordReset(auth, code, 'secret2')
    expect(await codeOf(confirmPasswordReset(auth, code, 'secret3'))).toBe('auth/invalid-action-code')
    expect(await codeOf(signInWithEmailAndPassword(auth, AWA, 'secret2'))).toBe('no error')
  })

  it('is possible for an hour', async () => {
    await signUpAwa()
    await sendPasswordResetEmail(auth, AWA)
    const code = oobCodeOf(latestMail())
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
    standIn.setEmailEnumerationProtection(isProtected)
    expect(await codeOf(sendPasswordResetEmail(auth, email))).toBe(code)
    expect(standIn.mails()).toEqual([])
  })
})

describe('changing address or password', () => {
  it('keeps this device signed in and ends the others', async () => {
    const user = await signUpAwa()
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
    const user = await signUpAwa()
    await sendEmailVerification(user)
    const old = oobCodeOf(latestMail())
    await applyActionCode(auth, old)
    await sendEmailVerification(user)
    const waiting = oobCodeOf(latestMail())
    await updateEmail(user, 'Awa.D@example.com')

    expect([user.email, user.emailVerified]).toEqual(['awa.d@example.com', false])
    expect(await codeOf(applyActionCode(auth, waiting))).toBe('auth/invalid-action-code')
    expect(await codeOf(signInWithEmailAndPassword(client(), AWA, PASSWORD))).toBe('auth/user-not-found')
    expect(await codeOf(signInWithEmailAndPassword(client(), 'awa.d@example.com', PASSWORD))).toBe('no error')
  })

  it('changes the address through a mail to the new one', async () => {
    const user = await signUpAwa()
    now += 1000
    await verifyBeforeUpdateEmail(user, 'new@example.com', { url: CONTINUE })
    const mail = latestMail()
    expect([mail.to, mail.subject]).toEqual([
      'new@example.com',
      'Confirmez votre nouvelle adresse e-mail pour Passerelle',
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
    const user = await signUpAwa()
    await verifyBeforeUpdateEmail(user, 'new@example.com')
    const { link } = latestMail()
    await createUserWithEmailAndPassword(client(), 'new@example.com', PASSWORD)
    expect(await visit(link)).toMatchObject({ status: 400, title: 'Adresse déjà prise' })
  })

  it('asks for the password of this account, not of another one', async () => {
    const user = await signUpAwa()
    await createUserWithEmailAndPassword(client(), 'other@example.com', PASSWORD)
    const reauthenticate = (email: string, password: string) =>
      codeOf(reauthenticateWithCredential(user, EmailAuthProvider.credential(email, password)))
    expect(await reauthenticate(AWA, 'wrong!')).toBe('auth/wrong-password')
    expect(await reauthenticate('other@example.com', PASSWORD)).toBe('auth/user-mismatch')
    expect(await reauthenticate(AWA, PASSWORD)).toBe('no error')
  })

  it('refuses bad values', async () => {
    const user = await signUpAwa()
    await createUserWithEmailAndPassword(client(), 'taken@example.com', PASSWORD)
    expect(await codeOf(updateEmail(user, 'taken@example.com'))).toBe('auth/email-already-in-use')
    expect(await codeOf(verifyBeforeUpdateEmail(user, 'taken@example.com'))).toBe('auth/email-already-in-use')
    expect(await codeOf(verifyBeforeUpdateEmail(user, 'bad'))).toBe('auth/invalid-email')
    expect(await codeOf(updateEmail(user, 'bad'))).toBe('auth/invalid-email')
    expect(await codeOf(updatePassword(user, '12345'))).toBe('auth/weak-password')
  })

  it('changes the address only through a mail when addresses are protected', async () => {
    standIn.setEmailEnumerationProtection(true)
    const user = await signUpAwa()
    expect(await codeOf(updateEmail(user, 'new@example.com'))).toBe('auth/operation-not-allowed')
    expect(await codeOf(verifyBeforeUpdateEmail(user, 'new@example.com'))).toBe('no error')
    expect(standIn.mails().map(({ to }) => to)).toEqual(['new@example.com'])
  })

  it('does not tell a taken address when addresses are protected, but when somebody signs up', async () => {
    standIn.setEmailEnumerationProtection(true)
    const user = await signUpAwa()
    const taken = 'taken@example.com'
    await createUserWithEmailAndPassword(client(), taken, PASSWORD)
    expect(await codeOf(verifyBeforeUpdateEmail(user, taken))).toBe('no error')
    expect(standIn.mails()).toEqual([])
    expect(await codeOf(createUserWithEmailAndPassword(client(), taken, PASSWORD))).toBe(
      'auth/email-already-in-use',
    )
  })

  it('can be said to lie further back', async () => {
    const user = await signUpAwa()
    const before = (await user.getIdTokenResult()).claims.auth_time
    await served.post('/sandbox/auth/age', { localId: user.uid, minutes: 6 })
    expect((await user.getIdTokenResult(true)).claims.auth_time).toBe(Number(before) - 360)
    expect((await served.post('/sandbox/auth/age', { localId: user.uid })).status).toBe(400)
  })

  it('needs a login within the last five minutes', async () => {
    const user = await signUpAwa()
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

describe('what it does not have', () => {
  it('answers 501 and reports the call', async () => {
    const user = await signUpAwa()
    await codeOf(signInWithCredential(client(), FacebookAuthProvider.credential('token')))
    await codeOf(sendSignInLinkToEmail(auth, AWA, { url: CONTINUE, handleCodeInApp: true }))
    const lookup = '/identitytoolkit.googleapis.com/v1/accounts:lookup'
    expect(await served.post(`${lookup}?key=k`, { idToken: await user.getIdToken(), tenantId: 't' })).toEqual(
      {
        status: 501,
        body: {
          error: {
            code: 501,
            message: `NOT_IMPLEMENTED : The sandbox does not know POST ${lookup} (field tenantId)`,
            status: 'UNIMPLEMENTED',
            errors: [expect.objectContaining({ domain: 'global' })],
          },
        },
      },
    )
    const others = [
      '/identitytoolkit.googleapis.com/v1/projects/demo-test/accounts',
      '/securetoken.googleapis.com/v2/token',
      '/emulator/v1/projects/other/oobCodes',
      '/emulator/auth/handler',
      '/emulator/action?mode=signIn',
    ]
    for (const path of others) expect((await served.post(path, {})).status).toBe(501)

    expect(served.unknownCalls).toEqual([
      'auth: POST /identitytoolkit.googleapis.com/v1/accounts:signInWithIdp (field postBody, providerId, access_token)',
      'auth: POST /identitytoolkit.googleapis.com/v1/accounts:sendOobCode (field requestType)',
      `auth: POST ${lookup} (field tenantId)`,
      'auth: POST /identitytoolkit.googleapis.com/v1/projects/demo-test/accounts',
      'auth: POST /securetoken.googleapis.com/v2/token',
      'auth: POST /emulator/v1/projects/other/oobCodes',
      'auth: POST /emulator/auth/handler',
      'auth: POST /emulator/action (mode signIn)',
    ])
  })

  it('refuses a call without an API key, and one with a broken body', async () => {
    const path = '/identitytoolkit.googleapis.com/v1/accounts:signUp'
    expect(await served.post(path, {})).toMatchObject({
      status: 403,
      body: { error: { status: 'PERMISSION_DENIED' } },
    })
    expect(await served.post(`${path}?key=k`, { email: 1 })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^INVALID_ARGUMENT : /) } },
    })
    expect(served.unknownCalls).toEqual([])
  })
})

describe('the stand-in itself', () => {
  it('forgets everything on reset and on the emulator call for it, but keeps its key', async () => {
    const keys = standIn.jwks()
    const ways = [
      () => standIn.reset(),
      () => fetch(`${served.origin}/emulator/v1/projects/demo-test/accounts`, { method: 'DELETE' }),
    ]
    for (const forget of ways) {
      await sendEmailVerification(await signUpAwa(client()))
      await forget()
      expect(standIn.dump()).toEqual({ ...standIn.dump(), accounts: [], sessions: [], codes: [] })
      expect(standIn.jwks()).toEqual(keys)
    }
  })

  it('goes on from a dump: accounts, sessions and tokens stay good', async () => {
    const user = await signUpAwa()
    await sendEmailVerification(user)
    const token = await user.getIdToken()
    const dump = JSON.parse(JSON.stringify(standIn.dump()))

    await stop()
    await start()
    standIn.load(dump)
    expect((await standIn.identify(`Bearer ${token}`)).kind).toBe('user')
    expect(await exchange({ grant_type: 'refresh_token', refresh_token: user.refreshToken })).toMatchObject({
      user_id: user.uid,
    })
    // The stand-in is at another address now, and its mails lead there.
    await visit(latestMail().link)
    const { user: again } = await signInWithEmailAndPassword(auth, AWA, PASSWORD)
    expect([again.uid, again.emailVerified]).toEqual([user.uid, true])
  })

  it('answers pages of other origins', async () => {
    const response = await fetch(`${served.origin}/identitytoolkit.googleapis.com/v1/accounts:signUp`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-client-version,x-firebase-locale',
      },
    })
    expect({
      status: response.status,
      origin: response.headers.get('Access-Control-Allow-Origin'),
      headers: response.headers.get('Access-Control-Allow-Headers'),
    }).toEqual({
      status: 204,
      origin: 'http://localhost:5173',
      headers: 'content-type,x-client-version,x-firebase-locale',
    })
  })
})
