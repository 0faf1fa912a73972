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
import { createRecaptcha } from '../recaptcha/recaptcha.ts'
import { serve } from '../serve.ts'
import { type AuthEmulator, type AuthOptions, createAuth } from './auth.ts'
import type { Mail } from './core.ts'

export const AWA = 'awa@example.com'
export const PASSWORD = 'secret1'
export const CONTINUE = 'http://localhost:5173/?emailVerified=1'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const GOOGLE_CLIENT = 'client.apps.googleusercontent.com'

/** The emulator behind a port of its own, with devices that the official SDK runs on. */
export async function serveAuth(options: Partial<AuthOptions> & Pick<AuthOptions, 'clock'>) {
  const unknownCalls: string[] = []
  const apps: FirebaseApp[] = []
  let origin = ''
  const recaptcha = createRecaptcha({ clock: options.clock })
  const emulator = createAuth({
    projectId: 'demo-test',
    reportUnknown: (service, what) => unknownCalls.push(`${service}: ${what}`),
    publicOrigin: () => origin,
    isAdmin: async (authorization) => authorization === 'Bearer owner',
    redeemCaptcha: recaptcha.redeem,
    googleClientId: GOOGLE_CLIENT,
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
    /** A device of its own: it shares nothing with the others but the server. */
    client(): Auth {
      const made = initializeApp({ apiKey: 'any-key', projectId: 'demo-test' }, randomUUID())
      apps.push(made)
      const auth = initializeAuth(made, { persistence: inMemoryPersistence })
      connectAuthEmulator(auth, origin, { disableWarnings: true })
      return auth
    },
    post,
    /** A call of Identity Toolkit; what it answers, or the message with which it refuses. */
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

export type ServedAuth = Awaited<ReturnType<typeof serveAuth>>

/** The code of the SDK's error, or 'no error'. */
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error) => (error instanceof FirebaseError ? error.code : error),
  )

export async function signUpAwa(auth: Auth) {
  const { user } = await createUserWithEmailAndPassword(auth, AWA, PASSWORD)
  return user
}

export const latestMail = (emulator: AuthEmulator): Mail => {
  const [mail] = emulator.mails()
  if (!mail) throw new Error('no mail was sent')
  return mail
}

export const oobCodeOf = (mail: Mail) => new URL(mail.link).searchParams.get('oobCode') ?? ''

/** What the page of a link says. */
export const visit = async (link: string, init?: RequestInit) => {
  const response = await fetch(link, init)
  const page = await response.text()
  return {
    status: response.status,
    title: /<h1>(.*?)<\/h1>/.exec(page)?.[1],
    continueUrl: /<a [^>]*href="(.*?)"/.exec(page)?.[1],
    text: /<p id="message" role="\w+">\s*(.*?)\s*<\/p>/s.exec(page)?.[1],
  }
}

export const typePassword = (newPassword: string): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ newPassword }),
})

/** What the Secure Token service answers, or the message with which it refuses. */
export const exchange = async ({ origin }: ServedAuth, form: Record<string, string>) => {
  const response = await fetch(`${origin}/securetoken.googleapis.com/v1/token?key=any-key`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const body = await response.json()
  return response.ok ? body : body.error.message
}
