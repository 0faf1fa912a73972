import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import * as v from 'valibot'
import type { CallerIdentity, CaptchaProblem, Clock, ReportUnknown } from '../emulator.ts'
import { accountOperations } from './account.ts'
import { listPendingCodes } from './actionCodes.ts'
import { renderActionPage } from './actionPage.ts'
import { adminOperations } from './admin.ts'
import { emailPasswordOperations } from './emailPassword.ts'
import { googleOperations } from './google.ts'
import { createGoogleChooser } from './googleChooser.ts'
import { ACTION_MODES, buildMail, buildMailLink } from './mails.ts'
import { buildSms, listPendingSmsCodes, phoneOperations } from './phone.ts'
import { AuthRefusal, failAuth, type Operation, parseLanguage, UnknownFeature } from './reply.ts'
import { backdateLastLogin, buildPublicJwk, refreshSession, verifyIdToken } from './sessions.ts'
import {
  type AuthAccount,
  type AuthContext,
  type AuthData,
  createAccount,
  createEmptyAuthData,
  createSigningKey,
  findAccountById,
  type SignInSettings,
} from './state.ts'

export type { SignInSettings } from './state.ts'

export interface AuthOptions {
  readonly projectId: string
  readonly clock: Clock
  readonly reportUnknown: ReportUnknown
  /** Read whenever a mail is shown. */
  readonly publicOrigin: () => string
  readonly isAdmin: (authorization: string | undefined) => Promise<boolean>
  /** Returns the problem, or null. */
  readonly redeemCaptcha: (token: string) => CaptchaProblem | null
  readonly googleClientId: string
  /** Defaults are those in docs/deploying.md. */
  readonly settings?: Partial<SignInSettings>
  readonly appName: string
}

export type AuthEmulator = ReturnType<typeof createAuthEmulator>

/** Unlike the official emulator, it signs ID tokens; SDKs use `connectAuthEmulator` with both. */
export function createAuthEmulator(options: AuthOptions) {
  const { projectId, reportUnknown } = options
  const core: AuthContext = {
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
    data: createEmptyAuthData(createSigningKey()),
  }
  const app = new Hono()

  const unknown = (c: Context, detail = '') => {
    const what = `${c.req.method} ${c.req.path}${detail && ` (${detail})`}`
    reportUnknown('auth', what)
    return c.json(
      errorBody(501, `NOT_IMPLEMENTED : The sandbox does not implement ${what}`, 'UNIMPLEMENTED'),
      501,
    )
  }
  app.onError((error, c) => {
    if (error instanceof UnknownFeature) return unknown(c, error.message)
    if (!(error instanceof AuthRefusal)) throw error
    return c.json(errorBody(400, error.message, 'INVALID_ARGUMENT'), 400)
  })

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
    // The body contains only the changed fields, so `updateMask` is ignored.
    const { key: apiKey = '', updateMask: _mask, ...query } = c.req.query()
    if (!asAdmin && !apiKey) return noApiKey(c)
    const request = method === 'GET' ? query : await c.req.json().catch(() => undefined)
    const language = parseLanguage(c.req.header('X-Firebase-Locale'))
    return c.json(await run(core, request, { apiKey, language }))
  })

  app.post(`${SECURE_TOKEN}v1/token`, async (c) => {
    if (!c.req.query('key')) return noApiKey(c)
    return c.json(await exchangeToken(core, await c.req.parseBody()))
  })
  app.all(`${SECURE_TOKEN}*`, (c) => unknown(c))

  app.get(`${project}/oobCodes`, (c) =>
    c.json({
      oobCodes: listPendingCodes(core).map((code) => ({
        email: code.email,
        requestType: code.requestType,
        oobCode: code.oobCode,
        oobLink: buildMailLink(core, code),
        ...(code.newEmail && { newEmail: code.newEmail }),
      })),
    }),
  )
  app.get(`${project}/verificationCodes`, (c) =>
    c.json({
      verificationCodes: listPendingSmsCodes(core).map(({ phoneNumber, code, sessionInfo }) => ({
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
    if (mode && !Object.values(ACTION_MODES).includes(mode)) return unknown(c, `mode ${mode}`)
    const newPassword =
      c.req.method === 'POST' ? String((await c.req.parseBody()).newPassword ?? '') : undefined
    const { status, page } = await renderActionPage(core, {
      mode,
      oobCode,
      language: parseLanguage(lang),
      newPassword,
    })
    return c.html(page, status)
  })
  app.all('/emulator/auth/*', (c) => unknown(c))

  const jwks = () => ({ keys: [buildPublicJwk(core.data.key)] })
  app.get('/sandbox/auth/jwks', (c) => c.json(jwks()))
  app.post('/sandbox/auth/blocking', async (c) => {
    const { success, output } = v.safeParse(blockingSwitch, await c.req.json().catch(() => undefined))
    if (!success) return c.json({ error: 'Send {"phoneSignUps": true or false}' }, 400)
    core.data.blocking = output
    return c.json(output)
  })
  app.post('/sandbox/auth/age', async (c) => {
    const { success, output } = v.safeParse(ageing, await c.req.json().catch(() => undefined))
    if (!success) return c.json({ error: 'Send {"localId": "…", "minutes": 6}' }, 400)
    backdateLastLogin(core, output.localId, output.minutes * 60_000)
    return c.json(output)
  })
  app.route('/sandbox/google', createGoogleChooser(core))

  return {
    app,
    reset: () => {
      core.data = createEmptyAuthData(core.data.key)
    },
    jwks,
    identify: (authorization: string | undefined) => identify(core, authorization),
    mails: () => core.data.codes.map((code) => buildMail(core, code)).reverse(),
    messages: () => core.data.smsCodes.map((code) => buildSms(core, code)).reverse(),
    googleAccounts: () => core.data.googleAccounts,
    phoneSignUpsBlocked: () => core.data.blocking.phoneSignUps,
    setPhoneSignUpsBlocked: (blocked: boolean) => {
      core.data.blocking.phoneSignUps = blocked
    },
    emailEnumerationProtection: () => core.data.emailEnumerationProtection,
    setEmailEnumerationProtection: (isOn: boolean) => {
      core.data.emailEnumerationProtection = isOn
    },
    add: (known: Partial<AuthAccount>) => void createAccount(core, known),
    setDisabled: (uid: string, disabled: boolean) => {
      const account = findAccountById(core, uid)
      if (account) account.disabled = disabled
      return account !== undefined
    },
    dump: () => structuredClone(core.data),
    load: (data: AuthData) => {
      core.data = structuredClone(data)
    },
  }
}

const TOOLKIT = '/identitytoolkit.googleapis.com/'
const SECURE_TOKEN = '/securetoken.googleapis.com/'

const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...accountOperations,
  ...emailPasswordOperations,
  ...phoneOperations,
  ...googleOperations,
}

const blockingSwitch = v.strictObject({ phoneSignUps: v.boolean() })
const ageing = v.strictObject({
  localId: v.string(),
  minutes: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
})

async function identify(core: AuthContext, authorization: string | undefined): Promise<CallerIdentity> {
  if (authorization === undefined) return { kind: 'nobody' }
  const token = /^Bearer (.+)$/i.exec(authorization)?.[1]
  if (!token) return { kind: 'invalid', reason: 'The Authorization header is not a bearer token' }
  try {
    const claims = await verifyIdToken(core, token)
    return { kind: 'user', uid: claims.sub, token: claims }
  } catch (error) {
    if (error instanceof AuthRefusal) return { kind: 'invalid', reason: error.message }
    throw error
  }
}

async function exchangeToken(core: AuthContext, form: Record<string, unknown>): Promise<object> {
  if (!form.grant_type) return failAuth('MISSING_GRANT_TYPE')
  if (form.grant_type !== 'refresh_token') return failAuth('INVALID_GRANT_TYPE')
  if (typeof form.refresh_token !== 'string' || !form.refresh_token) return failAuth('MISSING_REFRESH_TOKEN')
  const { idToken, refreshToken, expiresIn, localId } = await refreshSession(core, form.refresh_token)
  return {
    access_token: idToken,
    id_token: idToken,
    refresh_token: refreshToken,
    expires_in: expiresIn,
    token_type: 'Bearer',
    user_id: localId,
    project_id: core.projectId,
  }
}

const noAdmin = (c: Context) =>
  c.json(errorBody(401, 'Request is missing required authentication credential.', 'UNAUTHENTICATED'), 401)

const noApiKey = (c: Context) =>
  c.json(errorBody(403, 'The request is missing a valid API key.', 'PERMISSION_DENIED'), 403)

const errorBody = (code: number, message: string, status: string) => ({
  error: { code, message, status, errors: [{ message, domain: 'global', reason: 'invalid' }] },
})
