import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { errors, UnsecuredJWT } from 'jose'
import type { Clock, Identify } from 'service-emulators'
import { createAuth, type SignInSettings } from 'service-emulators/auth'
import { createFaults, faultSchema } from 'service-emulators/faults'
import { adminIdentify, createFirestore, type IndexesFile } from 'service-emulators/firestore'
import { createMtn, type MtnDump } from 'service-emulators/mtn'
import { createPush } from 'service-emulators/push'
import { createRecaptcha } from 'service-emulators/recaptcha'
import { compileRules, createReleases } from 'service-emulators/rules'
import { createStorage, type StorageDump } from 'service-emulators/storage'
import { createStripe } from 'service-emulators/stripe'
import { z } from 'zod'
import { createHandPayouts, type Operate } from './handPayouts.ts'
import { createIdentityReview } from './identityReview.ts'
import { createInvoices } from './invoices.ts'
import { createMtnAccount } from './mtnAccount.ts'
import { sandboxPage } from './page.ts'

export const SANDBOX_PROJECT = 'demo-passerelle'
const STORAGE_BUCKET = 'demo-passerelle.firebasestorage.app'
export const PUBLISHABLE_KEY = 'pk_test_sandbox'
export const GOOGLE_CLIENT_ID = 'sandbox.apps.googleusercontent.com'

/** The account at MTN as its portal would have made it, in Guinea. The keys open nothing else. */
const MTN_ACCOUNT = {
  subscriptionKey: 'sandbox-disbursements',
  targetEnvironment: 'mtnguineaconakry',
  currency: 'GNF',
  apiUser: '7d3c1f5e-2f0b-4c56-9a6e-3d1c8b2a9f04',
  apiKey: 'sandbox-mtn-api-key',
  openingBalance: 100_000_000,
}

/** The plans as docs/deploying.md has them made at Stripe. */
const PLANS = [
  { id: 'basic', name: 'Passerelle Basic', lookupKey: 'passerelle_basic', cents: 200 },
  { id: 'premium', name: 'Passerelle Premium', lookupKey: 'passerelle_premium', cents: 500 },
]

/** What messages to devices are signed with; the app is built with the public half (`.env.sandbox`). It signs for nobody else. */
const VAPID = {
  publicKey: 'BJriwBZpCMfP10H8Wo3m3CHCO2QOCpce1Rxgb5ef822_2qCltDK4iwspTO8Q6uuO0jo8B_jMgoV8_RC2jpCy6nY',
  privateKey: 'SDSpeyncWJ1XHEyMEhq4oonrEUEU1qUBPHaWgFqfl6M',
  subject: 'mailto:sandbox@passerelle.example',
}

const file = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

export interface SandboxOptions {
  /** That of the Firebase project. */
  readonly projectId?: string
  /** Where browsers reach the sandbox; asked at each use, because the port is known only once it listens. */
  readonly origin: () => string
  /** Where the functions are, for webhooks; null as long as there are none. */
  readonly functionsOrigin?: () => string | null
  /** `host:port` of the official Auth emulator, when it serves in the place of the sandbox's own Auth. */
  readonly authEmulator?: string | undefined
  /** The same of the official Storage emulator. */
  readonly storageEmulator?: string | undefined
  /** The same of the official Firestore emulator. What the sandbox itself puts into its database, it then lacks. */
  readonly firestoreEmulator?: string | undefined
  /** What was deployed, where it is not what the repository has. */
  readonly deployed?: Partial<Deployed>
  /** Does what an operator says of transfers that people pay; without it the sandbox only shows them. */
  readonly operate?: Operate
  /** Who pays transfers out, as the functions' settings have it; nobody without it. */
  readonly deliveryProviders?: string
  readonly clock?: Clock
}

/**
 * What `firebase deploy` brings to a project: sources of rules, and the contents of firestore.indexes.json. And what was
 * chosen when it was set up: where the database is, where the functions run, and how people sign in.
 */
export interface Deployed {
  readonly firestoreRules: string
  readonly storageRules: string
  readonly indexes: IndexesFile
  readonly databaseLocation: string
  readonly functionsRegion: string
  readonly signInSettings: Partial<SignInSettings>
}

const ofRepository = (): Deployed => ({
  firestoreRules: file('firebase/firestore.rules'),
  storageRules: file('firebase/storage.rules'),
  indexes: JSON.parse(file('firebase/firestore.indexes.json')),
  databaseLocation: 'eur3',
  functionsRegion: 'eu-central-1',
  signInSettings: {},
})

/**
 * All hosted services in one HTTP surface, and the settings with which the official SDKs of the
 * functions find them. Data lives in memory, each sandbox has its own; `keeper.ts` keeps it in a file.
 */
export function createSandbox({
  origin,
  functionsOrigin = origin,
  authEmulator,
  storageEmulator,
  firestoreEmulator,
  deployed,
  operate,
  deliveryProviders,
  clock = Date,
  projectId = SANDBOX_PROJECT,
}: SandboxOptions) {
  const { firestoreRules, storageRules, indexes, databaseLocation, functionsRegion, signInSettings } = {
    ...ofRepository(),
    ...deployed,
  }
  const unknownCalls: string[] = []
  const reportUnknown = (service: string, what: string) => {
    unknownCalls.push(`${service}: ${what}`)
  }
  let account = serviceAccount(projectId)
  const webhookSecret = 'whsec_sandbox'
  const secretKey = 'sk_test_sandbox'

  let asServiceAccount = adminIdentify(account.publicKey, account.clientEmail)
  /** 'owner' is the administrator's token of the official emulators, for outside tests and the admin SDK. */
  const isAdmin = async (header: string | undefined) =>
    header === 'Bearer owner' || (await asServiceAccount(header)).kind === 'admin'
  const recaptcha = createRecaptcha({ clock })
  const auth = createAuth({
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
  const identifyUser = authEmulator === undefined ? auth.identify : emulatorIdentify(projectId, clock)
  const identify: Identify = async (header) =>
    (await isAdmin(header)) ? { kind: 'admin' } : identifyUser(header)
  const firestore = createFirestore({
    projectId,
    clock,
    identify,
    rules: compileRules(firestoreRules, 'cloud.firestore'),
    indexes,
    location: databaseLocation,
    reportUnknown,
  })
  const storage = createStorage({
    clock,
    identify,
    rules: compileRules(storageRules, 'firebase.storage'),
    documentFields: firestore.fieldsOf,
    reportUnknown,
  })
  const releases = createReleases({
    projectId,
    identify,
    releases: {
      'cloud.firestore': { file: 'firestore.rules', source: firestoreRules },
      [`firebase.storage/${STORAGE_BUCKET}`]: { file: 'storage.rules', source: storageRules },
    },
    reportUnknown,
  })
  const faults = createFaults()
  const mtn = createMtn({
    ...MTN_ACCOUNT,
    clock,
    reportUnknown,
    deliver: faults.deliver,
    callbackHost: () => new URL(functionsOrigin() ?? origin()).hostname,
  })
  // The library that signs and encrypts goes by the machine's clock.
  const push = createPush({ clock: Date, reportUnknown, origin })
  const stripe = createStripe({
    deliver: faults.deliver,
    secretKey,
    publishableKey: PUBLISHABLE_KEY,
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
  /** The functions' settings, by their official names. */
  const functionSettings = (): Record<string, string> => ({
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
    // In the app's settings too: .env.sandbox.
    VITE_HOLDER_NAMES: 'on',
    // As the host has it.
    AWS_REGION: functionsRegion,
  })
  const emulators = [auth, recaptcha, firestore, storage, stripe, mtn, push]
  const reset = () => {
    for (const emulator of emulators) emulator.reset()
    faults.reset()
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
    const fault = faultSchema.safeParse(await c.req.json())
    if (!fault.success) return c.json({ problem: z.prettifyError(fault.error) }, 400)
    faults.add(fault.data)
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
  const identityReview = createIdentityReview({ projectId, firestore, storage })
  const invoices = createInvoices({ projectId, firestore, clock })
  const mtnAccount = createMtnAccount(mtn)
  app.route('/sandbox', invoices.app)
  const handPayouts = createHandPayouts({ firestore, operate })
  app.route('/sandbox', mtnAccount.app)
  app.route('/sandbox', handPayouts.app)
  app.route(
    '/sandbox',
    sandboxPage({
      auth,
      stripe,
      identityReview,
      faults,
      invoices: invoices.section,
      mtnAccount: mtnAccount.section,
      handPayouts: handPayouts.section,
    }),
  )
  app.use(faults.middleware)
  // Beside an official emulator our own is out of reach, so that nothing asks it by mistake.
  const replaced: readonly unknown[] = [
    authEmulator !== undefined && auth,
    storageEmulator !== undefined && storage,
    firestoreEmulator !== undefined && firestore,
  ]
  for (const emulator of emulators) if (!replaced.includes(emulator)) app.route('/', emulator.app)
  app.route('/', releases)

  return {
    app,
    hosts,
    auth,
    firestore,
    storage,
    stripe,
    mtn,
    push,
    invoices,
    faults,
    unknownCalls,
    reset,
    dump: (): SandboxDump => ({
      auth: auth.dump(),
      firestore: firestore.dump(),
      storage: storage.dump(),
      stripe: stripe.dump(),
      mtn: mtn.dump(),
      account: { privateKey: account.privateKey },
    }),
    load(snapshot: SandboxDump) {
      auth.load(snapshot.auth)
      firestore.load(snapshot.firestore)
      // Not in a snapshot of an older version.
      storage.load(snapshot.storage ?? { objects: [] })
      stripe.load(snapshot.stripe)
      if (snapshot.mtn) mtn.load(snapshot.mtn)
      else mtn.reset()
      // Links are signed with it, and people's names are hashed: what was kept with another one would be nobody's.
      if (snapshot.account) account = serviceAccount(projectId, snapshot.account.privateKey)
      asServiceAccount = adminIdentify(account.publicKey, account.clientEmail)
    },
    functionSettings,
  }
}

export type Sandbox = ReturnType<typeof createSandbox>

/** Everything the sandbox holds, as plain JSON; a restart can go on from it. */
export interface SandboxDump {
  readonly auth: Parameters<ReturnType<typeof createAuth>['load']>[0]
  readonly firestore: Parameters<ReturnType<typeof createFirestore>['load']>[0]
  readonly storage?: StorageDump
  readonly stripe: Parameters<ReturnType<typeof createStripe>['load']>[0]
  readonly mtn?: MtnDump
  readonly account?: { readonly privateKey: string }
}

/** The official emulator signs nothing: whoever writes its tokens is believed. */
function emulatorIdentify(projectId: string, clock: Clock): Identify {
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
        : { kind: 'invalid', reason: 'The token names nobody' }
    } catch (error) {
      if (error instanceof errors.JOSEError) return { kind: 'invalid', reason: error.message }
      throw error
    }
  }
}

const PUBLIC_PEM = { type: 'spki', format: 'pem' } as const

/** Made on the spot, or as it was kept: it is good for this sandbox only, and there is no key to leak. */
function serviceAccount(projectId: string, privateKey = newPrivateKey()) {
  const publicKey = createPublicKey(privateKey).export(PUBLIC_PEM).toString()
  return { publicKey, privateKey, clientEmail: `functions@${projectId}.iam.gserviceaccount.com` }
}

function newPrivateKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: PUBLIC_PEM,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey
}
