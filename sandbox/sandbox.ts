import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { createAuth } from './auth/auth.ts'
import { createFaults } from './faults.ts'
import { adminIdentify, createFirestore } from './firestore/firestore.ts'
import { sandboxPage } from './page.ts'
import { compileRules } from './rules/rules.ts'
import type { Clock, Identify } from './standin.ts'
import { createStripe } from './stripe/stripe.ts'

export const SANDBOX_PROJECT = 'demo-passerelle'
export const PUBLISHABLE_KEY = 'pk_test_sandbox'

const file = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

export interface SandboxOptions {
  /** Where browsers reach the sandbox; asked at each use, because the port is known only once it listens. */
  readonly origin: () => string
  /** Where the functions are, for webhooks; null as long as there are none. */
  readonly functionsOrigin?: () => string | null
  readonly clock?: Clock
}

/**
 * All hosted services in one HTTP surface, and the settings with which the official SDKs of the
 * functions find them. Data lives in memory; each sandbox has its own.
 */
export function createSandbox({ origin, functionsOrigin = origin, clock = Date }: SandboxOptions) {
  const unknownCalls: string[] = []
  const reportUnknown = (service: string, what: string) => {
    unknownCalls.push(`${service}: ${what}`)
  }
  const account = serviceAccount()
  const webhookSecret = 'whsec_sandbox'
  const secretKey = 'sk_test_sandbox'

  const auth = createAuth({ projectId: SANDBOX_PROJECT, clock, reportUnknown, publicOrigin: origin })
  const asAdmin = adminIdentify(account.publicKey, account.clientEmail)
  const identify: Identify = async (header) => {
    // The administrator's token of the official emulators, for outside tests that look at what is stored.
    if (header === 'Bearer owner') return { kind: 'admin' }
    const admin = await asAdmin(header)
    return admin.kind === 'admin' ? admin : auth.identify(header)
  }
  const firestore = createFirestore({
    projectId: SANDBOX_PROJECT,
    clock,
    identify,
    rules: compileRules(file('firebase/firestore.rules'), 'cloud.firestore'),
    indexes: JSON.parse(file('firebase/firestore.indexes.json')),
    reportUnknown,
  })
  const stripe = createStripe({
    secretKey,
    publishableKey: PUBLISHABLE_KEY,
    webhookSecret,
    clock,
    reportUnknown,
    publicOrigin: origin,
    webhookUrl: () => {
      const functions = functionsOrigin()
      return functions && `${functions}/.netlify/functions/stripe-webhook`
    },
  })
  const faults = createFaults()

  const hosts = () => {
    const { host } = new URL(origin())
    return {
      projectId: SANDBOX_PROJECT,
      auth: host,
      firestore: host,
      stripe: origin(),
      stripeSecretKey: secretKey,
      inbox: `${origin()}/emulator/v1/projects/${SANDBOX_PROJECT}/oobCodes`,
      faults: `${origin()}/sandbox/faults`,
    }
  }
  const standIns = [auth, firestore, stripe]
  const reset = () => {
    for (const standIn of standIns) standIn.reset()
    faults.reset()
  }

  const app = new Hono()
  app.onError((error) => {
    throw error
  })
  app.get('/sandbox/hosts.json', (c) => c.json(hosts()))
  app.get('/sandbox/unknown-calls', (c) => c.json(unknownCalls))
  app.get('/sandbox/faults', (c) => c.json(faults.pending()))
  app.post('/sandbox/faults', async (c) => {
    faults.add(await c.req.json())
    return c.body(null, 204)
  })
  app.delete('/sandbox/faults', (c) => {
    faults.reset()
    return c.body(null, 204)
  })
  app.route('/sandbox', sandboxPage({ mails: auth.mails, payments: stripe.paymentIntents }))
  app.use(faults.middleware)
  for (const standIn of standIns) app.route('/', standIn.app)

  return {
    app,
    auth,
    firestore,
    stripe,
    faults,
    unknownCalls,
    reset,
    dump: (): SandboxDump => ({ auth: auth.dump(), firestore: firestore.dump(), stripe: stripe.dump() }),
    load(snapshot: SandboxDump) {
      auth.load(snapshot.auth)
      firestore.load(snapshot.firestore)
      stripe.load(snapshot.stripe)
    },
    /** The functions' settings, by their official names. */
    functionSettings: (): Record<string, string> => ({
      FIREBASE_PROJECT_ID: SANDBOX_PROJECT,
      FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
        project_id: SANDBOX_PROJECT,
        client_email: account.clientEmail,
        private_key: account.privateKey,
      }),
      FIREBASE_AUTH_EMULATOR_HOST: hosts().auth,
      FIREBASE_AUTH_JWKS_URL: `${origin()}/sandbox/auth/jwks`,
      FIRESTORE_EMULATOR_HOST: hosts().firestore,
      STRIPE_API_BASE: origin(),
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
    }),
  }
}

export type Sandbox = ReturnType<typeof createSandbox>

/** Everything the sandbox holds, as plain JSON; a restart can go on from it. */
export interface SandboxDump {
  readonly auth: Parameters<ReturnType<typeof createAuth>['load']>[0]
  readonly firestore: Parameters<ReturnType<typeof createFirestore>['load']>[0]
  readonly stripe: Parameters<ReturnType<typeof createStripe>['load']>[0]
}

/** Made on the spot: it is good for this sandbox only, and there is no key to leak. */
function serviceAccount() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKey, privateKey, clientEmail: `functions@${SANDBOX_PROJECT}.iam.gserviceaccount.com` }
}
