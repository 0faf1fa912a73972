import { createECDH, createPrivateKey } from 'node:crypto'
import { MINUTE, SECOND } from '../../../domain/duration.ts'
import { IDENTITY_LIMIT_PATTERN, parseIdentityLimit } from '../../../domain/identityLimit.ts'
import { isPromisableDuration } from '../../../domain/promisedTime.ts'
import { PUBLIC_KEY_PATTERN } from '../../../domain/push.ts'
import {
  check,
  fail,
  type InferOutput,
  object,
  optional,
  parseOrNull,
  pattern,
  record,
  type Schema,
  safeParse,
  string,
  transform,
  unknown,
  uuid,
} from '../../../domain/schema.ts'
import {
  type MtnSettings,
  PAYOUT_PROVIDERS,
  type PayoutProviderName,
  type PayoutSettings,
  type PushSettings,
} from './payoutSettings.ts'

type Variables = Readonly<Record<string, string | undefined>>

const GOOGLE_JWKS_URL =
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

/** URL of Google's keys for the ID tokens of service accounts. */
const GOOGLE_ID_KEYS_URL = 'https://www.googleapis.com/oauth2/v3/certs'

/** Settings that replace a hosted service with an emulator. None of them may be present in production. */
const EMULATOR_SETTINGS = [
  'FIRESTORE_EMULATOR_HOST',
  'FIREBASE_AUTH_EMULATOR_HOST',
  'FIREBASE_STORAGE_EMULATOR_HOST',
  'FIREBASE_AUTH_JWKS_URL',
  'STRIPE_API_BASE',
  'PUSH_SERVICE',
  'CLOUD_TASKS_API_BASE',
] as const

const host = pattern(/^[^\s/:]+(:\d+)?$/, 'must be host:port, without http://')

const webAddress: Schema<URL> = (value) => {
  const url = URL.parse(string(value))
  return url && /^https?:$/.test(url.protocol) ? url : fail('must be an http or https address')
}

const minutes = check(
  string,
  isPromisableDuration,
  'must be a number of minutes: up to 90, or whole hours, and less than 70 days',
)

/** The longest window for canceling a transfer, in seconds. */
const LONGEST_CANCELLATION_WINDOW = 3600
const seconds = check(
  string,
  (text) => /^\d{1,4}$/.test(text) && Number(text) <= LONGEST_CANCELLATION_WINDOW,
  `must be a number of seconds, from 0 to ${LONGEST_CANCELLATION_WINDOW}`,
)

const parseProvider = (name: string) =>
  PAYOUT_PROVIDERS.find((one) => one === name.trim()) ??
  fail(`must be a comma-separated list of ${PAYOUT_PROVIDERS.join(', ')}`)

const serviceAccountText: Schema<Readonly<Record<string, unknown>>> = (value) => {
  try {
    return record(unknown)(JSON.parse(string(value)))
  } catch {
    return fail('must be the JSON key of a service account')
  }
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).type === 'private'
  } catch {
    return false
  }
}

const serviceAccount = {
  client_email: pattern(/./, 'must not be empty'),
  private_key: check(string, isPrivateKey, 'must be a private key in PEM form'),
}

const environment = {
  FIREBASE_PROJECT_ID: string,
  FIREBASE_STORAGE_BUCKET: pattern(/^[\w.-]+$/, 'must be the name of a bucket'),
  FIREBASE_SERVICE_ACCOUNT: serviceAccountText,
  STRIPE_SECRET_KEY: pattern(/^(sk|rk)_(test|live)_/, 'must start with sk_test_ or sk_live_'),
  STRIPE_WEBHOOK_SECRET: pattern(/^whsec_/, 'must start with whsec_'),
  VITE_STRIPE_PUBLISHABLE_KEY: optional(pattern(/^pk_(test|live)_/, 'must start with pk_test_ or pk_live_')),
  FIRESTORE_EMULATOR_HOST: optional(host),
  FIREBASE_AUTH_EMULATOR_HOST: optional(host),
  FIREBASE_STORAGE_EMULATOR_HOST: optional(host),
  FIREBASE_AUTH_JWKS_URL: optional(webAddress),
  STRIPE_API_BASE: optional(webAddress),
  AWS_REGION: optional(string),
  DELIVERY_PROVIDERS: optional(transform(string, (names) => names.split(',').map(parseProvider))),
  CANCELLATION_WINDOW_SECONDS: optional(seconds),
  MTN_API_BASE: optional(webAddress),
  MTN_TARGET_ENVIRONMENT: optional(string),
  MTN_SUBSCRIPTION_KEY: optional(string),
  // Unlike `uuid`, keeps upper case, because MTN uses the value as a user name.
  MTN_API_USER: optional(check(string, (id) => safeParse(uuid, id).ok, 'must be a UUID')),
  MTN_API_KEY: optional(string),
  MTN_CALLBACK_URL: optional(webAddress),
  VITE_VAPID_PUBLIC_KEY: optional(
    pattern(PUBLIC_KEY_PATTERN, 'must be a public key that web-push generated'),
  ),
  VAPID_PRIVATE_KEY: optional(pattern(/^[\w-]{43}$/, 'must be a private key that web-push generated')),
  VAPID_SUBJECT: optional(
    pattern(/^(mailto:[^\s@]+@[^\s@]+\.[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or https address'),
  ),
  PUSH_SERVICE: optional(webAddress),
  CLOUD_TASKS_LOCATION: optional(pattern(/^[a-z]+-[a-z]+\d+$/, "must be a region, such as 'europe-west1'")),
  CLOUD_TASKS_HANDLER: optional(webAddress),
  CLOUD_TASKS_API_BASE: optional(webAddress),
  VITE_MTN_LONGEST_MINUTES: optional(minutes),
  VITE_BY_HAND_LONGEST_MINUTES: optional(minutes),
  VITE_HOLDER_NAMES: optional(pattern(/^on$/, "must be 'on' or not set")),
  VITE_RECIPIENT_NAME_REQUIRED: optional(pattern(/^on$/, "must be 'on' or not set")),
  VITE_IDENTITY_REQUIRED_FROM: optional(
    pattern(IDENTITY_LIMIT_PATTERN, 'must be a whole number of EUR, from 0 to 999'),
  ),
  SECOND_PERSON_REQUIRED: optional(pattern(/^on$/, "must be 'on' or not set")),
}

const environmentSchema = object(environment)
type Environment = InferOutput<typeof environmentSchema>

const MTN_SETTINGS = [
  ...(['MTN_API_BASE', 'MTN_TARGET_ENVIRONMENT', 'MTN_SUBSCRIPTION_KEY'] as const),
  ...(['MTN_API_USER', 'MTN_API_KEY'] as const),
] as const

/** Either all or none must be set. Without them the app sends no notifications. */
const PUSH_SETTINGS = ['VITE_VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'] as const

/** Error for unusable environment variables. It contains no values, so it can be logged. */
export class SettingsError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The settings of the functions are not valid:\n- ${problems.join('\n- ')}`)
    this.problems = problems
  }
}

/** The settings of the functions, validated once. */
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
  /** URL of the keys that sign ID tokens; null for the official emulator, whose tokens are unsigned. */
  readonly jwksUrl: URL | null
  /** AWS name of the region where the functions run ('us-east-2'); null if the host does not say. */
  readonly region: string | null
  readonly deliveries: PayoutSettings
  readonly push: PushSettings | null
  /** Null if tasks have no queue. */
  readonly tasks: TaskSettings | null
  /** Whether a transfer needs the recipient's name. */
  readonly isRecipientNameRequired: boolean
  /** Maximum use of a month without an approved document, in EUR cents; null without a limit. */
  readonly identityLimitCents: number | null
  /** Whether some operator commands require another operator's approval. */
  readonly isSecondPersonRequired: boolean
}

/** Settings of the queues in Google Cloud Tasks, one for each service. */
export interface TaskSettings {
  readonly location: string
  /** URL of the function `run-task`. */
  readonly handler: string
  /** Origin of Cloud Tasks. */
  readonly api: string
  /** URL of the keys that sign the ID tokens of tasks. */
  readonly keys: URL
  readonly isEmulated: boolean
}

/**
 * Reads the functions' settings from environment variables. @throws SettingsError that names every problem.
 * In production a setting that points to an emulator or a sandbox is a problem too, because forged tokens or
 * simulated payments would count.
 */
export function readSettings(variables: Variables): Settings {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const read = parseOrNull(environmentSchema, present)
  const account = parseOrNull(serviceAccountText, present.FIREBASE_SERVICE_ACCOUNT)
  const problems = [
    ...findProblems(environment, present),
    ...(account ? findProblems(serviceAccount, account, 'FIREBASE_SERVICE_ACCOUNT.') : []),
    ...emulatorProblems(present),
    ...modeProblems(present),
    ...mtnProblems(present, read?.DELIVERY_PROVIDERS),
    ...pushProblems(present),
    ...taskProblems(present),
    ...(read ? promiseProblems(read) : []),
  ]
  if (!read || problems.length > 0) throw new SettingsError(problems)

  const unsignedTokens = read.FIREBASE_AUTH_EMULATOR_HOST && !read.FIREBASE_AUTH_JWKS_URL
  return {
    projectId: read.FIREBASE_PROJECT_ID,
    serviceAccount: object(serviceAccount)(account),
    stripeSecretKey: read.STRIPE_SECRET_KEY,
    stripeWebhookSecret: read.STRIPE_WEBHOOK_SECRET,
    stripeApiBase: read.STRIPE_API_BASE ?? null,
    firestoreHost: read.FIRESTORE_EMULATOR_HOST ?? null,
    authHost: read.FIREBASE_AUTH_EMULATOR_HOST ?? null,
    storageBucket: read.FIREBASE_STORAGE_BUCKET,
    storageHost: read.FIREBASE_STORAGE_EMULATOR_HOST ?? null,
    jwksUrl: unsignedTokens ? null : (read.FIREBASE_AUTH_JWKS_URL ?? new URL(GOOGLE_JWKS_URL)),
    region: read.AWS_REGION ?? null,
    deliveries: deliverySettings(read),
    push: pushSettings(read),
    tasks: taskSettings(read),
    isRecipientNameRequired: read.VITE_RECIPIENT_NAME_REQUIRED === 'on',
    identityLimitCents: parseIdentityLimit(read.VITE_IDENTITY_REQUIRED_FROM),
    isSecondPersonRequired: read.SECOND_PERSON_REQUIRED === 'on',
  }
}

/** Returns the problem of each field, unlike `object`, which stops at the first one. */
function findProblems(
  fields: Readonly<Record<string, Schema<unknown>>>,
  values: Readonly<Record<string, unknown>>,
  prefix = '',
): string[] {
  return Object.entries(fields).flatMap(([name, schema]) => {
    const parsed = safeParse(schema, values[name])
    if (parsed.ok) return []
    return `${prefix}${name} ${values[name] === undefined ? 'is missing' : parsed.error.reason}`
  })
}

function pushSettings({
  VITE_VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
  VAPID_SUBJECT: subject,
  PUSH_SERVICE: service,
}: Environment): PushSettings | null {
  if (!publicKey || !privateKey || !subject) return null
  return { publicKey, privateKey, subject, service: service?.origin ?? null }
}

function pushProblems(variables: Variables): string[] {
  const missing = PUSH_SETTINGS.filter((name) => variables[name] === undefined)
  if (missing.length === PUSH_SETTINGS.length) return []
  const { VITE_VAPID_PUBLIC_KEY: publicKey = '', VAPID_PRIVATE_KEY: privateKey = '' } = variables
  return missing.length > 0 || isPair(publicKey, privateKey)
    ? missing.map((name) => `${name} is missing`)
    : ['VAPID_PRIVATE_KEY does not match VITE_VAPID_PUBLIC_KEY']
}

function taskSettings({
  CLOUD_TASKS_LOCATION: location,
  CLOUD_TASKS_HANDLER: handler,
  CLOUD_TASKS_API_BASE: base,
}: Environment): TaskSettings | null {
  if (!location || !handler) return null
  return {
    location,
    handler: handler.href,
    api: base?.origin ?? 'https://cloudtasks.googleapis.com',
    keys: base ? new URL('/oauth2/v3/certs', base) : new URL(GOOGLE_ID_KEYS_URL),
    isEmulated: base !== undefined,
  }
}

function taskProblems(variables: Variables): string[] {
  const { CLOUD_TASKS_LOCATION: location, CLOUD_TASKS_HANDLER: handler } = variables
  return [
    ...(handler && !location ? ['CLOUD_TASKS_LOCATION is missing'] : []),
    ...(location && !handler ? ['CLOUD_TASKS_HANDLER is missing'] : []),
    ...(isProduction(variables) && handler && !handler.startsWith('https://')
      ? ['CLOUD_TASKS_HANDLER must be an https address in production']
      : []),
  ]
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

function deliverySettings(read: Environment): PayoutSettings {
  const providers = read.DELIVERY_PROVIDERS ?? []
  const mtn: MtnSettings | null =
    providers.includes('mtn') && read.MTN_API_BASE
      ? {
          base: read.MTN_API_BASE,
          targetEnvironment: read.MTN_TARGET_ENVIRONMENT ?? '',
          subscriptionKey: read.MTN_SUBSCRIPTION_KEY ?? '',
          apiUser: read.MTN_API_USER ?? '',
          apiKey: read.MTN_API_KEY ?? '',
          callback: read.MTN_CALLBACK_URL ?? null,
        }
      : null
  return {
    providers,
    mtn,
    namesHolders: read.VITE_HOLDER_NAMES === 'on',
    cancellationWindow: readCancellationWindow(read),
  }
}

/** Returns how long a sender may cancel a transfer before a provider gets it, in milliseconds. */
const readCancellationWindow = ({
  CANCELLATION_WINDOW_SECONDS: text = '60',
}: Pick<Environment, 'CANCELLATION_WINDOW_SECONDS'>) => Number(text) * SECOND

/** How often the due-work job runs, in milliseconds; the schedule is in `netlify/functions/due-work.ts`. */
const DUE_WORK_INTERVAL = 15 * MINUTE

/**
 * Returns the shortest time that MTN can be promised to take, in whole minutes: its payout begins after the
 * window for canceling, in a task or else in the next run of the due-work job.
 */
function computeShortestPromise(read: Environment): number {
  const window = readCancellationWindow(read)
  const wait = window > 0 && taskSettings(read) === null ? DUE_WORK_INTERVAL : 0
  return Math.floor((window + wait) / MINUTE) + 1
}

/**
 * Checks the promised delivery times. The app reads the same settings without knowing the providers, so the
 * assumptions of `choosePromisedMinutes` about them must hold.
 */
function promiseProblems(read: Environment): string[] {
  const { DELIVERY_PROVIDERS: providers = [], VITE_MTN_LONGEST_MINUTES: mtn } = read
  const { VITE_BY_HAND_LONGEST_MINUTES: byHand } = read
  const shortest = computeShortestPromise(read)
  const paysByMtn = providers.find((name) => name === 'mtn' || name === 'byHand') === 'mtn'
  return [
    ...(mtn !== undefined && !paysByMtn
      ? ['VITE_MTN_LONGEST_MINUTES must not be set, because DELIVERY_PROVIDERS does not let MTN pay']
      : []),
    ...(byHand !== undefined && providers.length === 0
      ? ['VITE_BY_HAND_LONGEST_MINUTES must not be set, because DELIVERY_PROVIDERS has no provider']
      : []),
    ...(byHand !== undefined && mtn === undefined && paysByMtn
      ? ['VITE_MTN_LONGEST_MINUTES is missing']
      : []),
    ...(mtn !== undefined && paysByMtn && Number(mtn) < shortest
      ? [
          `VITE_MTN_LONGEST_MINUTES must be at least ${shortest}, because MTN gets a transfer only after CANCELLATION_WINDOW_SECONDS, in a task or else in the next run of the due-work job`,
        ]
      : []),
  ]
}

/**
 * Checks MTN's settings. MTN's sandbox accepts every payout and pays none, so it must never be combined with
 * real money.
 */
function mtnProblems(variables: Variables, providers: readonly PayoutProviderName[] = []): string[] {
  if (!providers.includes('mtn')) return []
  const { MTN_API_BASE: base = '', MTN_TARGET_ENVIRONMENT: target, MTN_CALLBACK_URL: callback } = variables
  const isReal = target !== 'sandbox' && /^https:\/\/(?!sandbox\.)/.test(base)
  return [
    ...MTN_SETTINGS.filter((name) => variables[name] === undefined).map((name) => `${name} is missing`),
    ...(isProduction(variables) && base && target && !isReal
      ? ['MTN_API_BASE and MTN_TARGET_ENVIRONMENT point to a sandbox and must not be set in production']
      : []),
    // Outside of production only the emulator calls back, over plain HTTP.
    ...(isProduction(variables) && callback && !callback.startsWith('https://')
      ? ['MTN_CALLBACK_URL must be an https address in production']
      : []),
  ]
}

/**
 * Whether the settings are those of production. A live key counts as well, because real money must never be
 * combined with an emulated database.
 */
function isProduction(variables: Variables): boolean {
  const hosted = variables.NETLIFY === 'true' || variables.AWS_LAMBDA_FUNCTION_NAME !== undefined
  return (
    variables.CONTEXT === 'production' ||
    (hosted && variables.NETLIFY_DEV !== 'true') ||
    isLive(variables.STRIPE_SECRET_KEY)
  )
}

function emulatorProblems(variables: Variables): string[] {
  if (!isProduction(variables)) return []
  return EMULATOR_SETTINGS.filter((name) => variables[name] !== undefined).map(
    (name) => `${name} points to an emulator or a sandbox and must not be set in production`,
  )
}

function modeProblems(variables: Variables): string[] {
  const { STRIPE_SECRET_KEY: secret, VITE_STRIPE_PUBLISHABLE_KEY: publishable } = variables
  if (!secret || !publishable || isLive(secret) === isLive(publishable)) return []
  return ['STRIPE_SECRET_KEY and VITE_STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys']
}

function isLive(key: string | undefined): boolean {
  return key !== undefined && /^[a-z]+_live_/.test(key)
}
