import { randomUUID } from 'node:crypto'
import { deleteApp, type FirebaseApp, FirebaseError, initializeApp } from 'firebase/app'
import {
  type Auth,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  initializeAuth,
  inMemoryPersistence,
} from 'firebase/auth'
import { Hono } from 'hono'
import { type AuthEmulator, type AuthOptions, createAuthEmulator } from '../auth/auth.ts'
import { createRecaptchaEmulator } from '../recaptcha/recaptcha.ts'
import { serve } from '../serve.ts'

export const AWA_EMAIL = 'awa@example.com'
export const PASSWORD = 'secret1'
export const CONTINUE_URL = 'http://localhost:5173/?emailVerified=1'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const TEST_GOOGLE_CLIENT_ID = 'client.apps.googleusercontent.com'

export async function serveAuth(options: Partial<AuthOptions> & Pick<AuthOptions, 'clock'>) {
  const unknownCalls: string[] = []
  const apps: FirebaseApp[] = []
  let origin = ''
  const recaptcha = createRecaptchaEmulator({ clock: options.clock })
  const emulator = createAuthEmulator({
    projectId: 'demo-test',
    reportUnknown: (service, what) => unknownCalls.push(`${service}: ${what}`),
    publicOrigin: () => origin,
    isAdmin: async (authorization) => authorization === 'Bearer owner',
    redeemCaptcha: recaptcha.redeem,
    googleClientId: TEST_GOOGLE_CLIENT_ID,
    appName: 'Demo',
    ...options,
  })
  const app = new Hono()
  for (const { app: part } of [emulator, recaptcha]) app.route('/', part)
  const served = await serve(app.fetch)
  origin = served.origin

  const post = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    return { status: response.status, body: text && JSON.parse(text) }
  }

  return {
    emulator,
    recaptcha,
    origin,
    unknownCalls,
    /** Shares only the server with other clients. */
    client(): Auth {
      const made = initializeApp({ apiKey: 'any-key', projectId: 'demo-test' }, randomUUID())
      apps.push(made)
      const auth = initializeAuth(made, { persistence: inMemoryPersistence })
      connectAuthEmulator(auth, origin, { disableWarnings: true })
      return auth
    },
    post,
    async call(operation: string, body: unknown, headers: Record<string, string> = {}) {
      const answer = await post(`/identitytoolkit.googleapis.com/v1/${operation}?key=any-key`, body, headers)
      return answer.status === 200 ? answer.body : answer.body.error.message
    },
    async stop() {
      await Promise.all(apps.splice(0).map(deleteApp))
      await served.close()
    },
  }
}

export type AuthTestServer = Awaited<ReturnType<typeof serveAuth>>

export const getErrorCode = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error) => (error instanceof FirebaseError ? error.code : error),
  )

export async function signUpAwa(auth: Auth) {
  const { user } = await createUserWithEmailAndPassword(auth, AWA_EMAIL, PASSWORD)
  return user
}

export const getLatestMail = (emulator: AuthEmulator) => {
  const [mail] = emulator.mails()
  if (!mail) throw new Error('no mail was sent')
  return mail
}

export const getOobCode = (mail: { readonly link: string }) =>
  new URL(mail.link).searchParams.get('oobCode') ?? ''

/** Opens the page of a link and runs its script; returns what the page shows. */
export const visitActionLink = async (link: string, init?: RequestInit) => {
  let response = await fetch(link, init)
  let page = await response.text()
  if (page.includes('<script>document.forms[0].submit()')) {
    response = await fetch(link, { method: 'POST' })
    page = await response.text()
  }
  return {
    status: response.status,
    title: /<h1>(.*?)<\/h1>/.exec(page)?.[1],
    continueUrl: /<a [^>]*href="(.*?)"/.exec(page)?.[1],
    text: /<p id="message" role="\w+">\s*(.*?)\s*<\/p>/s.exec(page)?.[1],
  }
}

export const buildPasswordForm = (newPassword: string): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ newPassword }),
})

export const exchangeRefreshToken = async ({ origin }: AuthTestServer, form: Record<string, string>) => {
  const response = await fetch(`${origin}/securetoken.googleapis.com/v1/token?key=any-key`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const body = await response.json()
  return response.ok ? body : body.error.message
}
