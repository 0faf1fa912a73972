import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { errors, UnsecuredJWT } from 'jose'
import type { Clock, IdentifyCaller } from 'service-emulators'
import { createAuthEmulator, type SignInSettings } from 'service-emulators/auth'
import { createFaults, faultSchema } from 'service-emulators/faults'
import { createAdminIdentifier, createFirestoreEmulator, type IndexFile } from 'service-emulators/firestore'
import { createMtnEmulator } from 'service-emulators/mtn'
import { createPushEmulator } from 'service-emulators/push'
import { createRecaptchaEmulator } from 'service-emulators/recaptcha'
import { compileRules, createRulesApi } from 'service-emulators/rules'
import { createSmtpEmulator } from 'service-emulators/smtp'
import { createStorageEmulator } from 'service-emulators/storage'
import { createStripeEmulator } from 'service-emulators/stripe'
import { createTasksEmulator } from 'service-emulators/tasks'
import * as v from 'valibot'
import { createHandPayoutSection, type RunDeliveriesCommand } from './handPayouts.ts'
import { createIdentityReviewSection } from './identityReview.ts'
import { createInvoiceSection } from './invoices.ts'
import { createMtnAccountSection } from './mtnAccount.ts'
import { createSandboxPage } from './page.ts'

export const SANDBOX_PROJECT = 'demo-passerelle'
const STORAGE_BUCKET = 'demo-passerelle.firebasestorage.app'
export const STRIPE_PUBLISHABLE_KEY = 'pk_test_sandbox'
export const GOOGLE_CLIENT_ID = 'sandbox.apps.googleusercontent.com'

/** In the form that MTN's portal creates. The keys are valid only in the sandbox. */
const MTN_ACCOUNT = {
  subscriptionKey: 'sandbox-disbursements',
  targetEnvironment: 'mtnguineaconakry',
  currency: 'GNF',
  apiUser: '7d3c1f5e-2f0b-4c56-9a6e-3d1c8b2a9f04',
  apiKey: 'sandbox-mtn-api-key',
  openingBalance: 100_000_000,
}

/** As docs/deploying.md creates them at Stripe. */
const PLANS = [
  { id: 'basic', name: 'Passerelle Basic', lookupKey: 'passerelle_basic', cents: 200 },
  { id: 'premium', name: 'Passerelle Premium', lookupKey: 'passerelle_premium', cents: 500 },
]

/** Tasks per second, as docs/deploying.md creates the queues. */
const QUEUES = { stripe: 5, mtn: 5 }

/** Valid only in the sandbox. The app is built with the public key (`.env.sandbox`). */
const VAPID = {
  publicKey: 'BJriwBZpCMfP10H8Wo3m3CHCO2QOCpce1Rxgb5ef822_2qCltDK4iwspTO8Q6uuO0jo8B_jMgoV8_RC2jpCy6nY',
  privateKey: 'SDSpeyncWJ1XHEyMEhq4oonrEUEU1qUBPHaWgFqfl6M',
  subject: 'mailto:sandbox@passerelle.example',
}

/** Valid only in the sandbox. The app is built with the public key (`.env.sandbox`). */
const RECEIPT_KEYS = {
  RECEIPT_SIGNING_KEY: 'MC4CAQAwBQYDK2VwBCIEIONMvjr_j8IUyjQaYhGGL1FAkjbwgGzej-5zQSeBQ3Pa',
  VITE_RECEIPT_KEYS: 'bHsrsiU1FZIbTuo8oJAC3bKmhWmwYGFKWqWy9lsiDnc@2026',
}

const MAIL = {
  VITE_MAIL_FROM: 'recus@passerelle.example',
  VITE_OPERATOR_NAME: 'Passerelle (bac à sable)',
  VITE_OPERATOR_LICENCE: 'aucun : rien n’est payé ici',
  VITE_COMPLAINTS_EMAIL: 'reclamations@passerelle.example',
}

const file = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

export interface SandboxOptions {
  readonly projectId?: string
  /** Read at each use, because the port is unknown until the sandbox listens. */
  readonly origin: () => string
  /** For webhooks; null if there are none. */
  readonly functionsOrigin?: () => string | null
  /** `host:port`, if it replaces the sandbox's own Auth. */
  readonly authEmulator?: string | undefined
  /** `host:port`. */
  readonly storageEmulator?: string | undefined
  /** `host:port`; its database lacks the sandbox's own documents. */
  readonly firestoreEmulator?: string | undefined
  readonly deployed?: Partial<DeployedProject>
  /** Without it the sandbox only shows transfers that are paid by hand. */
  readonly operate?: RunDeliveriesCommand
  /** In the form of the functions' setting; without it nothing is paid out. */
  readonly deliveryProviders?: string
  /** Without it tasks run without a queue. */
  readonly cloudTasksLocation?: string | undefined
  readonly clock?: Clock
}

/** The result of `firebase deploy` and of the project's setup. */
export interface DeployedProject {
  readonly firestoreRules: string
  readonly storageRules: string
  readonly indexes: IndexFile
  readonly databaseLocation: string
  readonly functionsRegion: string
  readonly signInSettings: Partial<SignInSettings>
}

const readRepositoryProject = (): DeployedProject => ({
  firestoreRules: file('firebase/firestore.rules'),
  storageRules: file('firebase/storage.rules'),
  indexes: JSON.parse(file('firebase/firestore.indexes.json')),
  databaseLocation: 'eur3',
  functionsRegion: 'eu-central-1',
  signInSettings: {},
})

/** Creates all hosted services in one HTTP app. Data live in memory; `sandboxStore.ts` stores them. */
export function createSandbox({
  origin,
  functionsOrigin = origin,
  authEmulator,
  storageEmulator,
  firestoreEmulator,
  deployed,
  operate,
  deliveryProviders,
  cloudTasksLocation,
  clock = Date,
  projectId = SANDBOX_PROJECT,
}: SandboxOptions) {
  const { firestoreRules, storageRules, indexes, databaseLocation, functionsRegion, signInSettings } = {
    ...readRepositoryProject(),
    ...deployed,
  }
  const unknownCalls: string[] = []
  const reportUnknown = (service: string, what: string) => {
    unknownCalls.push(`${service}: ${what}`)
  }
  let account = createServiceAccount(projectId)
  const webhookSecret = 'whsec_sandbox'
  const secretKey = 'sk_test_sandbox'

  let asServiceAccount = createAdminIdentifier(account.publicKey, account.clientEmail)
  /** 'owner' is the administrator's token of the official emulators. */
  const isAdmin = async (header: string | undefined) =>
    header === 'Bearer owner' || (await asServiceAccount(header)).kind === 'admin'
  const recaptcha = createRecaptchaEmulator({ clock })
  const auth = createAuthEmulator({
    projectId,
    clock,
    reportUnknown,
    publicOrigin: origin,
    isAdmin,
    redeemCaptcha: recaptcha.redeem,
    googleClientId: GOOGLE_CLIENT_ID,
    appName: 'Passerelle',
    settings: signInSettings,
  })
  const identifyUser = authEmulator === undefined ? auth.identify : createEmulatorIdentify(projectId, clock)
  const identify: IdentifyCaller = async (header) =>
    (await isAdmin(header)) ? { kind: 'admin' } : identifyUser(header)
  const firestore = createFirestoreEmulator({
    projectId,
    clock,
    identify,
    rules: compileRules(firestoreRules, 'cloud.firestore'),
    indexes,
    location: databaseLocation,
    reportUnknown,
  })
  const storage = createStorageEmulator({
    clock,
    identify,
    rules: compileRules(storageRules, 'firebase.storage'),
    documentFields: firestore.getFields,
    reportUnknown,
  })
  const releases = createRulesApi({
    projectId,
    identify,
    releases: {
      'cloud.firestore': { file: 'firestore.rules', source: firestoreRules },
      [`firebase.storage/${STORAGE_BUCKET}`]: { file: 'storage.rules', source: storageRules },
    },
    reportUnknown,
  })
  const faults = createFaults()
  const mtn = createMtnEmulator({
    ...MTN_ACCOUNT,
    clock,
    reportUnknown,
    deliver: faults.deliver,
    callbackHost: () => new URL(functionsOrigin() ?? origin()).hostname,
  })
  const tasks = createTasksEmulator({
    clock,
    reportUnknown,
    identify,
    deliver: faults.deliver,
    queues: Object.entries(QUEUES).map(([service, maxDispatchesPerSecond]) => ({
      name: `projects/${projectId}/locations/${cloudTasksLocation}/queues/${service}`,
      maxDispatchesPerSecond,
    })),
  })
  // The library that signs notifications uses the machine's clock.
  const push = createPushEmulator({ clock: Date, reportUnknown, origin })
  const smtp = createSmtpEmulator({ clock })
  const stripe = createStripeEmulator({
    deliver: faults.deliver,
    secretKey,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    plans: PLANS,
    webhookSecret,
    clock,
    reportUnknown,
    publicOrigin: origin,
    webhookUrl: () => {
      const functions = functionsOrigin()
      return functions && `${functions}/.netlify/functions/stripe-webhook`
    },
  })

  const hosts = () => {
    const { host } = new URL(origin())
    const authHost = authEmulator ?? host
    const sent = `http://${authHost}/emulator/v1/projects/${projectId}`
    return {
      projectId,
      auth: authHost,
      firestore: firestoreEmulator ?? host,
      storage: storageEmulator ?? host,
      storageBucket: STORAGE_BUCKET,
      stripe: origin(),
      stripeSecretKey: secretKey,
      mtn: origin(),
      inbox: `${sent}/oobCodes`,
      messages: `${sent}/verificationCodes`,
      faults: `${origin()}/sandbox/faults`,
    }
  }
  const functionSettings = (): Record<string, string> => {
    const mailServer = smtp.url()
    return {
      FIREBASE_PROJECT_ID: projectId,
      FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
        project_id: projectId,
        client_email: account.clientEmail,
        private_key: account.privateKey,
      }),
      FIREBASE_AUTH_EMULATOR_HOST: hosts().auth,
      ...(authEmulator === undefined && { FIREBASE_AUTH_JWKS_URL: `${origin()}/sandbox/auth/jwks` }),
      FIRESTORE_EMULATOR_HOST: hosts().firestore,
      FIREBASE_STORAGE_BUCKET: STORAGE_BUCKET,
      FIREBASE_STORAGE_EMULATOR_HOST: hosts().storage,
      STRIPE_API_BASE: origin(),
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      ...(deliveryProviders && { DELIVERY_PROVIDERS: deliveryProviders }),
      MTN_API_BASE: origin(),
      MTN_TARGET_ENVIRONMENT: MTN_ACCOUNT.targetEnvironment,
      MTN_SUBSCRIPTION_KEY: MTN_ACCOUNT.subscriptionKey,
      MTN_API_USER: MTN_ACCOUNT.apiUser,
      MTN_API_KEY: MTN_ACCOUNT.apiKey,
      MTN_CALLBACK_URL: `${functionsOrigin() ?? origin()}/.netlify/functions/delivery-callback`,
      VITE_VAPID_PUBLIC_KEY: VAPID.publicKey,
      VAPID_PRIVATE_KEY: VAPID.privateKey,
      VAPID_SUBJECT: VAPID.subject,
      PUSH_SERVICE: origin(),
      ...RECEIPT_KEYS,
      ...(cloudTasksLocation && {
        CLOUD_TASKS_LOCATION: cloudTasksLocation,
        CLOUD_TASKS_HANDLER: `${functionsOrigin() ?? origin()}/.netlify/functions/run-task`,
        CLOUD_TASKS_API_BASE: origin(),
      }),
      // .env.sandbox has the same values.
      VITE_HOLDER_NAMES: 'on',
      ...(mailServer && { SMTP_URL: mailServer, ...MAIL }),
      // Set by the host in production.
      AWS_REGION: functionsRegion,
    }
  }
  const emulators = [auth, recaptcha, firestore, storage, stripe, mtn, push, tasks]
  const reset = () => {
    for (const emulator of emulators) emulator.reset()
    faults.reset()
    smtp.reset()
  }

  const app = new Hono()
  app.onError((error) => {
    throw error
  })
  app.get('/sandbox/hosts.json', (c) => c.json(hosts()))
  app.get('/sandbox/settings.json', (c) => c.json(functionSettings()))
  app.get('/sandbox/unknown-calls', (c) => c.json(unknownCalls))
  app.get('/sandbox/faults', (c) => c.json(faults.pending()))
  app.post('/sandbox/faults', async (c) => {
    const fault = v.safeParse(faultSchema, await c.req.json())
    if (!fault.success) return c.json({ problem: v.summarize(fault.issues) }, 400)
    faults.add(fault.output)
    return c.body(null, 204)
  })
  app.delete('/sandbox/faults', (c) => {
    faults.reset()
    return c.body(null, 204)
  })
  app.get('/sandbox/storage', (c) =>
    c.json(
      storage
        .objects()
        .map(({ name, descriptions, content }) => ({ name, ...descriptions, size: content.length })),
    ),
  )
  const identityReview = createIdentityReviewSection({ projectId, firestore, storage })
  const invoices = createInvoiceSection({ projectId, firestore, clock })
  const mtnAccount = createMtnAccountSection(mtn)
  app.route('/sandbox', invoices.app)
  const handPayouts = createHandPayoutSection({ firestore, operate })
  app.route('/sandbox', mtnAccount.app)
  app.route('/sandbox', handPayouts.app)
  app.route(
    '/sandbox',
    createSandboxPage({
      auth,
      stripe,
      smtp,
      identityReview,
      faults,
      invoices: invoices.section,
      mtnAccount: mtnAccount.section,
      handPayouts: handPayouts.section,
    }),
  )
  app.use(faults.middleware)
  // An official emulator replaces our own completely, so that no code calls ours by mistake.
  const replaced: readonly unknown[] = [
    authEmulator !== undefined && auth,
    storageEmulator !== undefined && storage,
    firestoreEmulator !== undefined && firestore,
  ]
  for (const emulator of emulators) if (!replaced.includes(emulator)) app.route('/', emulator.app)
  app.route('/', releases)

  const dump = () => ({
    auth: auth.dump(),
    firestore: firestore.dump(),
    storage: storage.dump(),
    stripe: stripe.dump(),
    mtn: mtn.dump(),
    account: { privateKey: account.privateKey },
  })

  return {
    app,
    hosts,
    auth,
    firestore,
    storage,
    stripe,
    mtn,
    push,
    smtp,
    tasks,
    invoices,
    faults,
    unknownCalls,
    reset,
    dump,
    load(snapshot: ReturnType<typeof dump>) {
      auth.load(snapshot.auth)
      firestore.load(snapshot.firestore)
      storage.load(snapshot.storage)
      stripe.load(snapshot.stripe)
      mtn.load(snapshot.mtn)
      // The key signs links and hashes personal keys, so data stored with another key would be lost.
      account = createServiceAccount(projectId, snapshot.account.privateKey)
      asServiceAccount = createAdminIdentifier(account.publicKey, account.clientEmail)
    },
    functionSettings,
  }
}

export type Sandbox = ReturnType<typeof createSandbox>

export type SandboxDump = ReturnType<Sandbox['dump']>

/** The official emulator does not sign tokens, so every token is accepted. */
function createEmulatorIdentify(projectId: string, clock: Clock): IdentifyCaller {
  return async (header) => {
    if (header === undefined) return { kind: 'nobody' }
    const token = /^Bearer (.+)$/i.exec(header)?.[1] ?? ''
    try {
      const { payload } = UnsecuredJWT.decode(token, {
        issuer: `https://securetoken.google.com/${projectId}`,
        audience: projectId,
        currentDate: new Date(clock.now()),
      })
      return payload.sub
        ? { kind: 'user', uid: payload.sub, token: payload }
        : { kind: 'invalid', reason: 'The token has no user' }
    } catch (error) {
      if (error instanceof errors.JOSEError) return { kind: 'invalid', reason: error.message }
      throw error
    }
  }
}

const PUBLIC_PEM = { type: 'spki', format: 'pem' } as const

/** A key is valid only for this sandbox, so it does no harm if it leaks. */
function createServiceAccount(projectId: string, privateKey = generatePrivateKey()) {
  const publicKey = createPublicKey(privateKey).export(PUBLIC_PEM).toString()
  return { publicKey, privateKey, clientEmail: `functions@${projectId}.iam.gserviceaccount.com` }
}

function generatePrivateKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: PUBLIC_PEM,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey
}
