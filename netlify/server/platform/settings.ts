import { createECDH, createPrivateKey } from 'node:crypto'
import * as v from 'valibot'
import { checkEmail } from '../../../domain/account/email.ts'
import { IDENTITY_LIMIT_PATTERN, parseIdentityLimit } from '../../../domain/account/identityLimit.ts'
import { DAY, MINUTE, SECOND } from '../../../domain/common/duration.ts'
import { day, type Output } from '../../../domain/common/schema.ts'
import { isPromisableDuration } from '../../../domain/numbers/promisedTime.ts'
import { type WalletTariffs, walletTariffsSchema } from '../../../domain/prices/walletTariffsSchema.ts'
import { estimateArrival } from '../../../domain/transfers/arrival.ts'
import { PUBLIC_KEY_PATTERN } from '../../../domain/transfers/push.ts'
import type { Operator } from '../../../print/receiptTexts.ts'
import {
  type MtnSettings,
  PAYOUT_PROVIDERS,
  type PayoutProviderName,
  type PayoutSettings,
  type PushSettings,
  type ScreeningSettings,
} from './payoutSettings.ts'

type Variables = Readonly<Record<string, string | undefined>>

const GOOGLE_JWKS_URL =
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

const GOOGLE_ID_KEYS_URL = 'https://www.googleapis.com/oauth2/v3/certs'

/** None of them may be present in production. */
const EMULATOR_SETTINGS = [
  'FIRESTORE_EMULATOR_HOST',
  'FIREBASE_AUTH_EMULATOR_HOST',
  'FIREBASE_STORAGE_EMULATOR_HOST',
  'FIREBASE_AUTH_JWKS_URL',
  'STRIPE_API_BASE',
  'PUSH_SERVICE',
  'CLOUD_TASKS_API_BASE',
] as const

const REFERENCE_RATE_FORM = "must be francs for 1 EUR and their day, such as '10063.85@2025-08-08'"

const pattern = (regex: RegExp, form: string) => v.pipe(v.string(), v.regex(regex, form))

const flag = v.literal('on', "must be 'on' or not set")

const host = pattern(/^[^\s/:]+(:\d+)?$/, 'must be host:port, without http://')

const address = (protocols: RegExp, form: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => URL.parse(text)),
    v.instance(URL, form),
    v.check(({ protocol, hostname }) => protocols.test(protocol) && hostname !== '', form),
  )

const webAddress = address(/^https?:$/, 'must be an http or https address')
const smtpAddress = address(/^smtps?:$/, 'must be smtps://user:password@host')

/** Whether a push service can reach the operator there; Apple's refuses notifications from other contacts. */
function isPublicContact(text: string): boolean {
  const url = /\s/.test(text) ? null : URL.parse(text)
  const [user, host, ...more] = url?.pathname.split('@') ?? []
  const mailed = user && host && more.length === 0 ? URL.parse(`https://${host}`) : null
  const place = url?.protocol === 'mailto:' ? mailed : url?.protocol === 'https:' ? url : null
  return /\.(?!(?:localhost|local|invalid)$)[a-z][a-z\d-]*$/.test(place?.hostname ?? '')
}

const minutes = v.pipe(
  v.string(),
  v.check(
    isPromisableDuration,
    'must be a number of minutes: up to 90, or whole hours, and less than 70 days',
  ),
)

/** In seconds. */
const MAX_CANCELLATION_WINDOW = 3600
const seconds = v.pipe(
  v.string(),
  v.check(
    (text) => /^\d{1,4}$/.test(text) && Number(text) <= MAX_CANCELLATION_WINDOW,
    `must be a number of seconds, from 0 to ${MAX_CANCELLATION_WINDOW}`,
  ),
)

const SERVICE_ACCOUNT_FORM = 'must be the JSON key of a service account'

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).type === 'private'
  } catch {
    return false
  }
}

const serviceAccount = v.pipe(
  v.string(),
  v.parseJson(undefined, SERVICE_ACCOUNT_FORM),
  v.record(v.string(), v.unknown(), SERVICE_ACCOUNT_FORM),
  v.object(
    {
      client_email: v.pipe(v.string(), v.nonEmpty('must not be empty')),
      private_key: v.pipe(v.string(), v.check(isPrivateKey, 'must be a private key in PEM form')),
    },
    'is missing',
  ),
)

const payoutProviders = v.pipe(
  v.string(),
  v.transform((names) => names.split(',').map((name) => name.trim())),
  v.array(v.picklist(PAYOUT_PROVIDERS, `must be one of ${PAYOUT_PROVIDERS.join(', ')}`)),
)

const referenceRateSchema = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{3,5}(\.\d+)?@\d{4}-\d\d-\d\d$/, REFERENCE_RATE_FORM),
  v.transform((text) => ({ gnf: Number(text.slice(0, -11)), date: text.slice(-10) })),
  v.check(({ date }) => v.is(day, date), REFERENCE_RATE_FORM),
)

const environment = {
  FIREBASE_PROJECT_ID: v.string(),
  FIREBASE_STORAGE_BUCKET: pattern(/^[\w.-]+$/, 'must be the name of a bucket'),
  FIREBASE_SERVICE_ACCOUNT: serviceAccount,
  STRIPE_SECRET_KEY: pattern(/^(sk|rk)_(test|live)_/, 'must start with sk_test_ or sk_live_'),
  STRIPE_WEBHOOK_SECRET: pattern(/^whsec_/, 'must start with whsec_'),
  VITE_STRIPE_PUBLISHABLE_KEY: v.exactOptional(
    pattern(/^pk_(test|live)_/, 'must start with pk_test_ or pk_live_'),
  ),
  FIRESTORE_EMULATOR_HOST: v.exactOptional(host),
  FIREBASE_AUTH_EMULATOR_HOST: v.exactOptional(host),
  FIREBASE_STORAGE_EMULATOR_HOST: v.exactOptional(host),
  FIREBASE_AUTH_JWKS_URL: v.exactOptional(webAddress),
  STRIPE_API_BASE: v.exactOptional(webAddress),
  AWS_REGION: v.exactOptional(v.string()),
  // Netlify sets it.
  URL: v.exactOptional(webAddress),
  DELIVERY_PROVIDERS: v.exactOptional(payoutProviders),
  CANCELLATION_WINDOW_SECONDS: v.exactOptional(seconds),
  MTN_API_BASE: v.exactOptional(webAddress),
  MTN_TARGET_ENVIRONMENT: v.exactOptional(v.string()),
  MTN_SUBSCRIPTION_KEY: v.exactOptional(v.string()),
  // Unlike `uuid`, keeps upper case, because MTN uses the value as a user name.
  MTN_API_USER: v.exactOptional(v.pipe(v.string(), v.uuid('must be a UUID'))),
  MTN_API_KEY: v.exactOptional(v.string()),
  MTN_CALLBACK_URL: v.exactOptional(webAddress),
  VITE_VAPID_PUBLIC_KEY: v.exactOptional(
    pattern(PUBLIC_KEY_PATTERN, 'must be a public key that web-push generated'),
  ),
  VAPID_PRIVATE_KEY: v.exactOptional(pattern(/^[\w-]{43}$/, 'must be a private key that web-push generated')),
  VAPID_SUBJECT: v.exactOptional(
    v.pipe(v.string(), v.check(isPublicContact, 'must be a mailto: or https address with a public host')),
  ),
  PUSH_SERVICE: v.exactOptional(webAddress),
  CLOUD_TASKS_LOCATION: v.exactOptional(
    pattern(/^[a-z]+-[a-z]+\d+$/, "must be a region, such as 'europe-west1'"),
  ),
  CLOUD_TASKS_HANDLER: v.exactOptional(webAddress),
  CLOUD_TASKS_API_BASE: v.exactOptional(webAddress),
  VITE_MTN_LONGEST_MINUTES: v.exactOptional(minutes),
  VITE_BY_HAND_LONGEST_MINUTES: v.exactOptional(minutes),
  VITE_HOLDER_NAMES: v.exactOptional(flag),
  VITE_RECIPIENT_NAME_REQUIRED: v.exactOptional(flag),
  VITE_IDENTITY_REQUIRED_FROM: v.exactOptional(
    pattern(IDENTITY_LIMIT_PATTERN, 'must be a whole number of EUR, from 0 to 999'),
  ),
  VITE_WALLET_TARIFFS: v.exactOptional(walletTariffsSchema),
  REFERENCE_RATE_GNF: v.exactOptional(referenceRateSchema),
  SMTP_URL: v.exactOptional(smtpAddress),
  VITE_MAIL_FROM: v.exactOptional(
    v.pipe(
      v.string(),
      v.check((text) => checkEmail(text).ok, 'must be an email address'),
    ),
  ),
  VITE_OPERATOR_NAME: v.exactOptional(v.string()),
  VITE_OPERATOR_LICENCE: v.exactOptional(v.string()),
  VITE_COMPLAINTS_EMAIL: v.exactOptional(v.string()),
  SECOND_PERSON_REQUIRED: v.exactOptional(flag),
  // Users may write below identity/.
  SCREENING_LIST: v.exactOptional(
    pattern(
      /^(?!identity\/)[\w.-]+(\/[\w.-]+)*$/,
      'must be the name of a file in the bucket, and not below identity/',
    ),
  ),
  SCREENING_LIST_MAX_AGE_DAYS: v.exactOptional(
    pattern(/^[1-9]\d?$/, 'must be a number of days, from 1 to 99'),
  ),
}

/** All or none, because the app shows the button by one of them. */
const MAIL_SETTINGS = ['SMTP_URL', 'VITE_MAIL_FROM'] as const
/** The receipt names the operator. */
const OPERATOR_SETTINGS = ['VITE_OPERATOR_NAME', 'VITE_OPERATOR_LICENCE', 'VITE_COMPLAINTS_EMAIL'] as const

const environmentSchema = v.object(environment, 'is missing')
type Environment = v.InferOutput<typeof environmentSchema>

const MTN_SETTINGS = [
  ...(['MTN_API_BASE', 'MTN_TARGET_ENVIRONMENT', 'MTN_SUBSCRIPTION_KEY'] as const),
  ...(['MTN_API_USER', 'MTN_API_KEY'] as const),
] as const

/** All or none. Without them the app sends no notifications. */
const PUSH_SETTINGS = ['VITE_VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'] as const

/** Contains no values, so it can be logged. */
export class SettingsError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The settings of the functions are not valid:\n- ${problems.join('\n- ')}`)
    this.problems = problems
  }
}

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
  /** Null for the official emulator, whose tokens are unsigned. */
  readonly jwksUrl: URL | null
  /** AWS name ('us-east-2'); null if the host does not say. */
  readonly region: string | null
  /** Origin to which links and pages of hosted services return; null outside of a host. */
  readonly site: string | null
  readonly deliveries: PayoutSettings
  readonly push: PushSettings | null
  readonly mail: MailSettings | null
  /** Null if tasks have no queue. */
  readonly tasks: TaskSettings | null
  readonly isRecipientNameRequired: boolean
  /** Maximum use of a month without an approved document, in EUR cents; null without a limit. */
  readonly identityLimitCents: number | null
  readonly walletTariffs: WalletTariffs
  /** The market's rate to compare with the fixed one; null if the operator has set none. */
  readonly referenceRate: ReferenceRate | null
  /** Whether some operator commands require another operator's approval. */
  readonly isSecondPersonRequired: boolean
}

/** Francs for 1 EUR on a day, as a bank or an authority published them. */
export type ReferenceRate = Output<typeof referenceRateSchema>

export interface MailSettings {
  /** URL with user and password. */
  readonly server: string
  readonly from: string
  readonly operator: Operator
}

/** One queue in Google Cloud Tasks for each service. */
export interface TaskSettings {
  readonly location: string
  readonly handler: string
  readonly api: string
  /** These keys sign the ID tokens of tasks. */
  readonly keys: URL
  readonly isEmulated: boolean
}

/**
 * Reads the functions' settings from environment variables. @throws SettingsError that names every problem.
 * In production a setting that points to an emulator or a sandbox is a problem too, because forged tokens or
 * simulated payments would count.
 */
export function readSettings(variables: Variables): Settings {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value))
  const parsed = v.safeParse(environmentSchema, present, { abortPipeEarly: true })
  const read = parsed.success ? parsed.output : null
  const problems = [
    ...(parsed.issues ?? []).map((issue) => `${v.getDotPath(issue)} ${issue.message}`),
    ...emulatorProblems(present),
    ...siteProblems(present),
    ...modeProblems(present),
    ...mtnProblems(present, read?.DELIVERY_PROVIDERS),
    ...pushProblems(present),
    ...taskProblems(present),
    ...mailProblems(present),
    ...(read ? promiseProblems(read) : []),
    ...(read ? screeningProblems(read) : []),
  ]
  if (!read || problems.length > 0) throw new SettingsError(problems)

  const unsignedTokens = read.FIREBASE_AUTH_EMULATOR_HOST && !read.FIREBASE_AUTH_JWKS_URL
  return {
    projectId: read.FIREBASE_PROJECT_ID,
    serviceAccount: read.FIREBASE_SERVICE_ACCOUNT,
    stripeSecretKey: read.STRIPE_SECRET_KEY,
    stripeWebhookSecret: read.STRIPE_WEBHOOK_SECRET,
    stripeApiBase: read.STRIPE_API_BASE ?? null,
    firestoreHost: read.FIRESTORE_EMULATOR_HOST ?? null,
    authHost: read.FIREBASE_AUTH_EMULATOR_HOST ?? null,
    storageBucket: read.FIREBASE_STORAGE_BUCKET,
    storageHost: read.FIREBASE_STORAGE_EMULATOR_HOST ?? null,
    jwksUrl: unsignedTokens ? null : (read.FIREBASE_AUTH_JWKS_URL ?? new URL(GOOGLE_JWKS_URL)),
    region: read.AWS_REGION ?? null,
    site: read.URL?.origin ?? null,
    deliveries: deliverySettings(read),
    push: pushSettings(read),
    tasks: taskSettings(read),
    mail: mailSettings(read),
    isRecipientNameRequired: read.VITE_RECIPIENT_NAME_REQUIRED === 'on',
    identityLimitCents: parseIdentityLimit(read.VITE_IDENTITY_REQUIRED_FROM),
    walletTariffs: read.VITE_WALLET_TARIFFS ?? {},
    referenceRate: read.REFERENCE_RATE_GNF ?? null,
    isSecondPersonRequired: read.SECOND_PERSON_REQUIRED === 'on',
  }
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

function mailSettings({
  SMTP_URL: server,
  VITE_MAIL_FROM: from,
  VITE_OPERATOR_NAME: name = '',
  VITE_OPERATOR_LICENCE: licence = '',
  VITE_COMPLAINTS_EMAIL: complaints = '',
}: Environment): MailSettings | null {
  return server && from ? { server: server.href, from, operator: { name, licence, complaints } } : null
}

function mailProblems(variables: Variables): string[] {
  if (MAIL_SETTINGS.every((name) => variables[name] === undefined)) return []
  return [
    ...[...MAIL_SETTINGS, ...OPERATOR_SETTINGS]
      .filter((name) => variables[name] === undefined)
      .map((name) => `${name} is missing`),
    ...(isProduction(variables) && variables.SMTP_URL && !variables.SMTP_URL.startsWith('smtps://')
      ? ['SMTP_URL must be an smtps address in production']
      : []),
  ]
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
    screening: screeningSettings(read),
  }
}

const screeningSettings = ({
  SCREENING_LIST: path,
  SCREENING_LIST_MAX_AGE_DAYS: days = '7',
}: Environment): ScreeningSettings | null => (path ? { path, maxAge: Number(days) * DAY } : null)

/** A list must be searched for every person who is paid out. */
function screeningProblems(read: Environment): string[] {
  if (read.SCREENING_LIST === undefined)
    return read.SCREENING_LIST_MAX_AGE_DAYS === undefined ? [] : ['SCREENING_LIST is missing']
  return [
    ...(read.DELIVERY_PROVIDERS === undefined
      ? ['SCREENING_LIST must not be set, because DELIVERY_PROVIDERS has no provider']
      : []),
    ...(read.VITE_RECIPIENT_NAME_REQUIRED === undefined
      ? ['VITE_RECIPIENT_NAME_REQUIRED is missing, because SCREENING_LIST is searched for the recipient']
      : []),
  ]
}

/** In milliseconds. */
const readCancellationWindow = ({
  CANCELLATION_WINDOW_SECONDS: text = '60',
}: Pick<Environment, 'CANCELLATION_WINDOW_SECONDS'>) => Number(text) * SECOND

/** In milliseconds; the schedule is in `netlify/functions/due-work.ts`. */
const DUE_WORK_INTERVAL = 15 * MINUTE

/** The app estimates this without a promise. */
const ESTIMATED_MINUTES = estimateArrival(0) / MINUTE

/** In minutes. MTN gets a payout after the window for canceling, in a task or the next due-work job. */
function computeShortestPromise(read: Environment): number {
  const window = readCancellationWindow(read)
  const wait = window > 0 && taskSettings(read) === null ? DUE_WORK_INTERVAL : 0
  return Math.floor((window + wait) / MINUTE) + 1
}

// The app does not know the providers, so the assumptions of `choosePromisedMinutes` about them must hold.
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
    ...(mtn === undefined && byHand === undefined && paysByMtn && shortest > ESTIMATED_MINUTES
      ? [
          `CANCELLATION_WINDOW_SECONDS is too long for the estimate of ${ESTIMATED_MINUTES} minutes: set a shorter one, or VITE_MTN_LONGEST_MINUTES to at least ${shortest}`,
        ]
      : []),
  ]
}

// MTN's sandbox accepts every payout and pays none, so it must never be combined with real money.
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

// A live key counts as well: real money must never be combined with an emulated database.
function isProduction(variables: Variables): boolean {
  return variables.CONTEXT === 'production' || isHosted(variables) || isLive(variables.STRIPE_SECRET_KEY)
}

function isHosted({ NETLIFY, AWS_LAMBDA_FUNCTION_NAME, NETLIFY_DEV }: Variables): boolean {
  return (NETLIFY === 'true' || AWS_LAMBDA_FUNCTION_NAME !== undefined) && NETLIFY_DEV !== 'true'
}

// The header `Host` of a request can name any origin.
function siteProblems(variables: Variables): string[] {
  return isHosted(variables) && !variables.URL?.startsWith('https://')
    ? ['URL must be the https address of the app, as Netlify sets it']
    : []
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
