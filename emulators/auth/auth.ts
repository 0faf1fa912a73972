import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import type { CaptchaProblem, Clock, Emulator, Identify, Identity, ReportUnknown } from '../emulator.ts'
import { accountOperations } from './account.ts'
import { pendingCodes } from './actionCodes.ts'
import { actionPage } from './actionPage.ts'
import { adminOperations } from './admin.ts'
import {
  type Account,
  type AuthData,
  accountById,
  type Core,
  createAccount,
  createSigningKey,
  emptyData,
  type GoogleProfile,
  type Mail,
  type SignInSettings,
  type Sms,
} from './core.ts'
import { emailPasswordOperations } from './emailPassword.ts'
import { googleOperations } from './google.ts'
import { googleChooser } from './googleChooser.ts'
import { linkOf, MODES, mailOf } from './mails.ts'
import { openSmsCodes, phoneOperations, smsOf } from './phone.ts'
import { done, isRefusal, languageOf, type Operation, type Reply, refuse } from './reply.ts'
import { ageSessions, publicJwk, refreshSession, verifyIdToken } from './sessions.ts'

export type { SignInSettings } from './core.ts'

export interface AuthOptions {
  readonly projectId: string
  readonly clock: Clock
  readonly reportUnknown: ReportUnknown
  /** Where people reach the emulator; asked when a mail is read. */
  readonly publicOrigin: () => string
  /** Whether a request comes from a server of the project, by its Authorization header. */
  readonly isAdmin: (authorization: string | undefined) => Promise<boolean>
  /** Takes the captcha's token that a request for a text message brings. */
  readonly redeemCaptcha: (token: string) => CaptchaProblem | null
  /** The OAuth client whose Google ID tokens the project accepts. */
  readonly googleClientId: string
  /** What was chosen in the console; as the guide says when left out. */
  readonly settings?: Partial<SignInSettings>
  /** How the mails call the product. */
  readonly appName: string
}

export interface AuthEmulator extends Emulator {
  /** Verifies signature, expiry, audience and issuer of a user's ID token. */
  readonly identify: Identify
  /** The public keys of the ID tokens. */
  jwks(): JSONWebKeySet
  /** The mails that were sent, newest first. */
  mails(): readonly Mail[]
  /** The text messages that were sent, newest first. */
  messages(): readonly Sms[]
  /** The accounts that the Google account chooser offers. */
  googleAccounts(): readonly GoogleProfile[]
  /** Whether a blocking function of the project refuses new accounts with a phone number. */
  phoneSignUpsBlocked(): boolean
  setPhoneSignUpsBlocked(blocked: boolean): void
  /** Whether the project has the protection against e-mail enumeration on. */
  emailEnumerationProtection(): boolean
  setEmailEnumerationProtection(isOn: boolean): void
  /** An account as it is after somebody has signed up, without their doing it. */
  add(known: Partial<Account>): void
  /** What an administrator does in the console. False when there is no such account. */
  setDisabled(uid: string, disabled: boolean): boolean
  dump(): AuthData
  load(data: AuthData): void
}

/**
 * Stands in for Firebase Authentication: Identity Toolkit and Secure Token under the paths of the
 * official emulator, so that the SDKs reach it with `connectAuthEmulator`. Unlike the emulator it
 * signs its ID tokens, so whoever verifies them needs no exception for tests.
 */
export function createAuth(options: AuthOptions): AuthEmulator {
  const { projectId, reportUnknown } = options
  const core: Core = {
    projectId,
    appName: options.appName,
    clock: options.clock,
    publicOrigin: options.publicOrigin,
    googleClientId: options.googleClientId,
    redeemCaptcha: options.redeemCaptcha,
    settings: () => ({
      authorizedDomains: ['localhost', new URL(options.publicOrigin()).hostname],
      signIn: { email: { enabled: true }, phoneNumber: { enabled: true } },
      smsRegionConfig: { allowlistOnly: { allowedRegions: ['CA', 'FR', 'GN'] } },
      ...options.settings,
    }),
    data: emptyData(createSigningKey()),
  }
  const app = new Hono()

  const unknown = (c: Context, detail = '') => {
    const what = `${c.req.method} ${c.req.path}${detail && ` (${detail})`}`
    reportUnknown('auth', what)
    return c.json(errorBody(501, `NOT_IMPLEMENTED : The sandbox does not know ${what}`, 'UNIMPLEMENTED'), 501)
  }
  const answer = (c: Context, reply: Reply) => {
    if (reply.kind === 'done') return c.json(reply.body)
    if (reply.kind === 'unknown') return unknown(c, reply.what)
    return c.json(errorBody(400, reply.message, 'INVALID_ARGUMENT'), 400)
  }

  const project = `/emulator/v1/projects/${projectId}`
  const ownPaths = ['/sandbox/auth/*', '/sandbox/google/*']
  for (const path of [`${TOOLKIT}*`, `${SECURE_TOKEN}*`, `${project}/*`, ...ownPaths]) {
    app.use(path, cors({ origin: (origin) => origin }))
  }

  const adminPath = `${TOOLKIT}v1/projects/${projectId}/`
  const configPath = `${TOOLKIT}v2/projects/${projectId}/`
  app.all(`${TOOLKIT}*`, async (c) => {
    const { method, path } = c.req
    const asAdmin = adminOperations[`${method} ${path.replace(adminPath, '').replace(configPath, 'v2/')}`]
    const run = asAdmin ?? OPERATIONS[`${method} ${path.slice(TOOLKIT.length)}`]
    if (!run) return unknown(c)
    if (asAdmin && !(await options.isAdmin(c.req.header('Authorization')))) return noAdmin(c)
    // Which fields a change names shows in its body, too.
    const { key: apiKey = '', updateMask: _mask, ...query } = c.req.query()
    if (!asAdmin && !apiKey) return noApiKey(c)
    const request = method === 'GET' ? query : await c.req.json().catch(() => undefined)
    return answer(
      c,
      await run(core, request, { apiKey, language: languageOf(c.req.header('X-Firebase-Locale')) }),
    )
  })

  app.post(`${SECURE_TOKEN}v1/token`, async (c) => {
    if (!c.req.query('key')) return noApiKey(c)
    return answer(c, await exchangeToken(core, await c.req.parseBody()))
  })
  app.all(`${SECURE_TOKEN}*`, (c) => unknown(c))

  app.get(`${project}/oobCodes`, (c) =>
    c.json({
      oobCodes: pendingCodes(core).map((code) => ({
        email: code.email,
        requestType: code.requestType,
        oobCode: code.oobCode,
        oobLink: linkOf(core, code),
        ...(code.newEmail && { newEmail: code.newEmail }),
      })),
    }),
  )
  app.get(`${project}/verificationCodes`, (c) =>
    c.json({
      verificationCodes: openSmsCodes(core).map(({ phoneNumber, code, sessionInfo }) => ({
        phoneNumber,
        code,
        sessionInfo,
      })),
    }),
  )
  app.all('/emulator/v1/projects/:project/:list{accounts|oobCodes|verificationCodes|config}', (c) =>
    unknown(c),
  )

  app.on(['GET', 'POST'], '/emulator/action', async (c) => {
    const { mode, oobCode = '', lang } = c.req.query()
    if (mode && !Object.values(MODES).includes(mode)) return unknown(c, `mode ${mode}`)
    const typed = c.req.method === 'POST' ? String((await c.req.parseBody()).newPassword ?? '') : undefined
    const { status, page } = await actionPage(core, {
      mode,
      oobCode,
      language: languageOf(lang),
      newPassword: typed,
    })
    return c.html(page, status)
  })
  app.all('/emulator/auth/*', (c) => unknown(c))

  const jwks = () => ({ keys: [publicJwk(core.data.key)] })
  app.get('/sandbox/auth/jwks', (c) => c.json(jwks()))
  app.post('/sandbox/auth/blocking', async (c) => {
    const { data } = blockingSwitch.safeParse(await c.req.json().catch(() => undefined))
    if (!data) return c.json({ error: 'Send {"phoneSignUps": true or false}' }, 400)
    core.data.blocking = data
    return c.json(data)
  })
  app.post('/sandbox/auth/age', async (c) => {
    const { data } = ageing.safeParse(await c.req.json().catch(() => undefined))
    if (!data) return c.json({ error: 'Send {"localId": "…", "minutes": 6}' }, 400)
    ageSessions(core, data.localId, data.minutes * 60_000)
    return c.json(data)
  })
  app.route('/sandbox/google', googleChooser(core))

  return {
    app,
    reset: () => {
      core.data = emptyData(core.data.key)
    },
    jwks,
    identify: (authorization) => identify(core, authorization),
    mails: () => core.data.codes.map((code) => mailOf(core, code)).reverse(),
    messages: () => core.data.smsCodes.map((code) => smsOf(core, code)).reverse(),
    googleAccounts: () => core.data.googleAccounts,
    phoneSignUpsBlocked: () => core.data.blocking.phoneSignUps,
    setPhoneSignUpsBlocked: (blocked) => {
      core.data.blocking.phoneSignUps = blocked
    },
    emailEnumerationProtection: () => core.data.emailEnumerationProtection,
    setEmailEnumerationProtection: (isOn) => {
      core.data.emailEnumerationProtection = isOn
    },
    add: (known) => void createAccount(core, known),
    setDisabled: (uid, disabled) => {
      const account = accountById(core, uid)
      if (account) account.disabled = disabled
      return account !== undefined
    },
    dump: () => structuredClone(core.data),
    load: (data) => {
      // A dump of an older version has less.
      core.data = { ...emptyData(core.data.key), ...structuredClone(data) }
    },
  }
}

const TOOLKIT = '/identitytoolkit.googleapis.com/'
const SECURE_TOKEN = '/securetoken.googleapis.com/'

/** Each way of signing in brings operations of its own. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...accountOperations,
  ...emailPasswordOperations,
  ...phoneOperations,
  ...googleOperations,
}

const blockingSwitch = z.strictObject({ phoneSignUps: z.boolean() })
const ageing = z.strictObject({ localId: z.string(), minutes: z.int().min(1) })

async function identify(core: Core, authorization: string | undefined): Promise<Identity> {
  if (authorization === undefined) return { kind: 'nobody' }
  const token = /^Bearer (.+)$/i.exec(authorization)?.[1]
  if (!token) return { kind: 'invalid', reason: 'The Authorization header is not a bearer token' }
  const claims = await verifyIdToken(core, token)
  return isRefusal(claims)
    ? { kind: 'invalid', reason: claims.message }
    : { kind: 'user', uid: claims.sub, token: claims }
}

async function exchangeToken(core: Core, form: Record<string, unknown>): Promise<Reply> {
  if (!form.grant_type) return refuse('MISSING_GRANT_TYPE')
  if (form.grant_type !== 'refresh_token') return refuse('INVALID_GRANT_TYPE')
  if (typeof form.refresh_token !== 'string' || !form.refresh_token) return refuse('MISSING_REFRESH_TOKEN')
  const renewed = await refreshSession(core, form.refresh_token)
  if (isRefusal(renewed)) return renewed
  return done({
    access_token: renewed.idToken,
    id_token: renewed.idToken,
    refresh_token: renewed.refreshToken,
    expires_in: renewed.expiresIn,
    token_type: 'Bearer',
    user_id: renewed.localId,
    project_id: core.projectId,
  })
}

const noAdmin = (c: Context) =>
  c.json(errorBody(401, 'Request is missing required authentication credential.', 'UNAUTHENTICATED'), 401)

const noApiKey = (c: Context) =>
  c.json(errorBody(403, 'The request is missing a valid API key.', 'PERMISSION_DENIED'), 403)

const errorBody = (code: number, message: string, status: string) => ({
  error: { code, message, status, errors: [{ message, domain: 'global', reason: 'invalid' }] },
})
