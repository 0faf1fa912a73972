import { createECDH } from 'node:crypto'
import { z } from 'zod'
import { isLongest } from '../../../domain/promise.ts'
import { PUBLIC_KEY } from '../../../domain/push.ts'
import {
  type DeliverySettings,
  type MtnSettings,
  PROVIDERS,
  type ProviderName,
  type PushSettings,
} from './payoutSettings.ts'

const GOOGLE_JWKS_URL =
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

/** Settings that point a function away from a hosted service. None of them may be present in production. */
const EMULATOR_SETTINGS = [
  'FIRESTORE_EMULATOR_HOST',
  'FIREBASE_AUTH_EMULATOR_HOST',
  'FIREBASE_STORAGE_EMULATOR_HOST',
  'FIREBASE_AUTH_JWKS_URL',
  'STRIPE_API_BASE',
  'PUSH_SERVICE',
] as const

const host = z.string().regex(/^[^\s/:]+(:\d+)?$/, 'must be host:port, without http://')
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

const minutes = z
  .string()
  .refine(isLongest, 'must be minutes, up to 90 or whole hours, and less than 70 days')
  .transform(Number)

const serviceAccount = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'must be the JSON text of a service account' })
      return z.NEVER
    }
  })
  .pipe(
    z.object({
      client_email: z.string().min(1),
      private_key: z.string().includes('PRIVATE KEY', { error: 'must be a private key in PEM form' }),
    }),
  )

const environment = z.object({
  FIREBASE_PROJECT_ID: z.string(),
  FIREBASE_STORAGE_BUCKET: z.string().regex(/^[\w.-]+$/, 'must be the name of a bucket'),
  FIREBASE_SERVICE_ACCOUNT: serviceAccount,
  STRIPE_SECRET_KEY: z.string().regex(/^(sk|rk)_(test|live)_/, 'must start with sk_test_ or sk_live_'),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_', { error: 'must start with whsec_' }),
  VITE_STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_/, 'must start with pk_test_ or pk_live_')
    .optional(),
  FIRESTORE_EMULATOR_HOST: host.optional(),
  FIREBASE_AUTH_EMULATOR_HOST: host.optional(),
  FIREBASE_STORAGE_EMULATOR_HOST: host.optional(),
  FIREBASE_AUTH_JWKS_URL: webAddress.optional(),
  STRIPE_API_BASE: webAddress.optional(),
  AWS_REGION: z.string().optional(),
  DELIVERY_PROVIDERS: z
    .string()
    .transform((names) => names.split(',').map((name) => name.trim()))
    .pipe(
      z.array(z.enum(PROVIDERS), {
        error: `must name some of ${PROVIDERS.join(', ')}, with commas between them`,
      }),
    )
    .optional(),
  MTN_API_BASE: webAddress.optional(),
  MTN_TARGET_ENVIRONMENT: z.string().optional(),
  MTN_SUBSCRIPTION_KEY: z.string().optional(),
  MTN_API_USER: z.uuid({ error: 'must be a UUID' }).optional(),
  MTN_API_KEY: z.string().optional(),
  MTN_CALLBACK_URL: webAddress.optional(),
  VITE_VAPID_PUBLIC_KEY: z.string().regex(PUBLIC_KEY, 'must be a public key as web-push makes it').optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be a private key as web-push makes it')
    .optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+\.[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or an https address')
    .optional(),
  PUSH_SERVICE: webAddress.optional(),
  VITE_MTN_LONGEST_MINUTES: minutes.optional(),
  VITE_BY_HAND_LONGEST_MINUTES: minutes.optional(),
  VITE_HOLDER_NAMES: z.literal('on', { error: "must be 'on', or left out" }).optional(),
})

const MTN_SETTINGS = [
  ...(['MTN_API_BASE', 'MTN_TARGET_ENVIRONMENT', 'MTN_SUBSCRIPTION_KEY'] as const),
  ...(['MTN_API_USER', 'MTN_API_KEY'] as const),
] as const

/** All of them or none: without them nobody is told with the app closed. */
const PUSH_SETTINGS = ['VITE_VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'] as const

/** The environment variables do not describe where the functions can run. Names no values, so it can be logged. */
export class SettingsError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The settings of the functions are not usable:\n- ${problems.join('\n- ')}`)
    this.problems = problems
  }
}

/** What the functions need to know about the world, checked once. */
export interface Settings {
  readonly projectId: string
  readonly serviceAccount: { readonly client_email: string; readonly private_key: string }
  readonly stripeSecretKey: string
  readonly stripeWebhookSecret: string
  readonly stripeApiBase: URL | null
  readonly firestoreHost: string | null
  readonly authHost: string | null
  readonly storageBucket: string
  readonly storageHost: string | null
  /** Where the keys are that sign ID tokens; null for the official emulator, which signs nothing. */
  readonly jwksUrl: URL | null
  /** Where the host runs the functions, as Amazon calls it ('us-east-2'); null when the host does not say. */
  readonly region: string | null
  readonly deliveries: DeliverySettings
  readonly push: PushSettings | null
}

/**
 * Reads the functions' settings from environment variables.
 *
 * @throws SettingsError that names every problem at once. In production any setting that points to an emulator or a
 * sandbox is such a problem: with one of them a forged token or a pretended payment would count.
 */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(present)
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path, message, code, input }) =>
      code === 'invalid_type' && input === undefined && path.length === 1
        ? `${path.join('.')} is missing`
        : `${path.join('.')} ${message}`,
    ),
    ...emulatorProblems(present),
    ...modeProblems(present),
    ...mtnProblems(present, parsed.data?.DELIVERY_PROVIDERS),
    ...pushProblems(present),
    ...(parsed.data ? promiseProblems(present, parsed.data.DELIVERY_PROVIDERS) : []),
  ]
  if (!parsed.success || problems.length > 0) throw new SettingsError(problems)

  const read = parsed.data
  const unsignedTokens = read.FIREBASE_AUTH_EMULATOR_HOST && !read.FIREBASE_AUTH_JWKS_URL
  return {
    projectId: read.FIREBASE_PROJECT_ID,
    serviceAccount: read.FIREBASE_SERVICE_ACCOUNT,
    stripeSecretKey: read.STRIPE_SECRET_KEY,
    stripeWebhookSecret: read.STRIPE_WEBHOOK_SECRET,
    stripeApiBase: read.STRIPE_API_BASE ? new URL(read.STRIPE_API_BASE) : null,
    firestoreHost: read.FIRESTORE_EMULATOR_HOST ?? null,
    authHost: read.FIREBASE_AUTH_EMULATOR_HOST ?? null,
    storageBucket: read.FIREBASE_STORAGE_BUCKET,
    storageHost: read.FIREBASE_STORAGE_EMULATOR_HOST ?? null,
    jwksUrl: unsignedTokens ? null : new URL(read.FIREBASE_AUTH_JWKS_URL ?? GOOGLE_JWKS_URL),
    region: read.AWS_REGION ?? null,
    deliveries: deliverySettings(read),
    push: pushSettings(read),
  }
}

function pushSettings({
  VITE_VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
  VAPID_SUBJECT: subject,
  PUSH_SERVICE: service,
}: z.output<typeof environment>): PushSettings | null {
  if (!publicKey || !privateKey || !subject) return null
  return { publicKey, privateKey, subject, service: service ? new URL(service).origin : null }
}

function pushProblems(variables: Readonly<Record<string, string | undefined>>): string[] {
  const missing = PUSH_SETTINGS.filter((name) => variables[name] === undefined)
  if (missing.length === PUSH_SETTINGS.length) return []
  const { VITE_VAPID_PUBLIC_KEY: publicKey = '', VAPID_PRIVATE_KEY: privateKey = '' } = variables
  return missing.length > 0 || isPair(publicKey, privateKey)
    ? missing.map((name) => `${name} is missing`)
    : ['VAPID_PRIVATE_KEY is not of the pair of VITE_VAPID_PUBLIC_KEY']
}

function isPair(publicKey: string, privateKey: string): boolean {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
    return pair.getPublicKey('base64url') === publicKey
  } catch {
    return false
  }
}

function deliverySettings(read: z.output<typeof environment>): DeliverySettings {
  const providers = read.DELIVERY_PROVIDERS ?? []
  const mtn: MtnSettings | null = providers.includes('mtn')
    ? {
        base: new URL(read.MTN_API_BASE ?? ''),
        targetEnvironment: read.MTN_TARGET_ENVIRONMENT ?? '',
        subscriptionKey: read.MTN_SUBSCRIPTION_KEY ?? '',
        apiUser: read.MTN_API_USER ?? '',
        apiKey: read.MTN_API_KEY ?? '',
        callback: read.MTN_CALLBACK_URL ? new URL(read.MTN_CALLBACK_URL) : null,
      }
    : null
  const longest = {
    mtn: read.VITE_MTN_LONGEST_MINUTES ?? null,
    byHand: read.VITE_BY_HAND_LONGEST_MINUTES ?? null,
  }
  return { providers, mtn, longest, namesHolders: read.VITE_HOLDER_NAMES === 'on' }
}

/**
 * The app reads the same settings, and does not know who pays to a wallet: what `promisedMinutes` takes for granted of that has to be so.
 */
function promiseProblems(
  variables: Readonly<Record<string, string | undefined>>,
  providers: readonly ProviderName[] = [],
): string[] {
  const { VITE_MTN_LONGEST_MINUTES: mtn, VITE_BY_HAND_LONGEST_MINUTES: byHand } = variables
  const paysByMtn = providers.find((name) => name === 'mtn' || name === 'byHand') === 'mtn'
  return [
    ...(mtn !== undefined && !paysByMtn
      ? ['VITE_MTN_LONGEST_MINUTES promises what MTN does, and DELIVERY_PROVIDERS does not let MTN pay']
      : []),
    ...(byHand !== undefined && providers.length === 0
      ? ['VITE_BY_HAND_LONGEST_MINUTES promises what nobody in DELIVERY_PROVIDERS does']
      : []),
    ...(byHand !== undefined && mtn === undefined && paysByMtn
      ? ['VITE_MTN_LONGEST_MINUTES is missing']
      : []),
  ]
}

/** Its sandbox takes everything and pays nobody: real money never goes together with it. */
function mtnProblems(
  variables: Readonly<Record<string, string | undefined>>,
  providers: readonly ProviderName[] = [],
): string[] {
  if (!providers.includes('mtn')) return []
  const { MTN_API_BASE: base = '', MTN_TARGET_ENVIRONMENT: target, MTN_CALLBACK_URL: callback } = variables
  const isReal = target !== 'sandbox' && /^https:\/\/(?!sandbox\.)/.test(base)
  return [
    ...MTN_SETTINGS.filter((name) => variables[name] === undefined).map((name) => `${name} is missing`),
    ...(isProduction(variables) && base && target && !isReal
      ? ['MTN_API_BASE and MTN_TARGET_ENVIRONMENT point to a sandbox and must not be set in production']
      : []),
    // Anywhere else MTN calls nobody.
    ...(isProduction(variables) && callback && !callback.startsWith('https://')
      ? ['MTN_CALLBACK_URL must be an https address in production']
      : []),
  ]
}

/** A live key is a mark of production too: real money never goes together with a pretended database. */
function isProduction(variables: Readonly<Record<string, string | undefined>>): boolean {
  const hosted = variables.NETLIFY === 'true' || variables.AWS_LAMBDA_FUNCTION_NAME !== undefined
  return (
    variables.CONTEXT === 'production' ||
    (hosted && variables.NETLIFY_DEV !== 'true') ||
    isLive(variables.STRIPE_SECRET_KEY)
  )
}

function emulatorProblems(variables: Readonly<Record<string, string | undefined>>): string[] {
  if (!isProduction(variables)) return []
  return EMULATOR_SETTINGS.filter((name) => variables[name] !== undefined).map(
    (name) => `${name} points to an emulator or a sandbox and must not be set in production`,
  )
}

function modeProblems(variables: Readonly<Record<string, string | undefined>>): string[] {
  const { STRIPE_SECRET_KEY: secret, VITE_STRIPE_PUBLISHABLE_KEY: publishable } = variables
  if (!secret || !publishable || isLive(secret) === isLive(publishable)) return []
  return ['STRIPE_SECRET_KEY and VITE_STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys']
}

function isLive(key: string | undefined): boolean {
  return key !== undefined && /^[a-z]+_live_/.test(key)
}
