import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import * as v from 'valibot'
import { parseIdentityLimit } from '../../../domain/account/identityLimit.ts'
import { day } from '../../../domain/common/schema.ts'
import { APP_SETTINGS, flag, parseSettings, pattern } from '../../../domain/settings/appSettings.ts'

export type Variables = Readonly<Record<string, string | undefined>>

const GOOGLE_JWKS_URL =
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

const GOOGLE_ID_KEYS_URL = 'https://www.googleapis.com/oauth2/v3/certs'

const REFERENCE_RATE_FORM = "must be francs for 1 EUR and their day, such as '10063.85@2025-08-08'"

const host = pattern(/^[^\s/:]+(:\d+)?$/, 'must be host:port, without http://')

const address = (protocols: RegExp, form: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => URL.parse(text)),
    v.instance(URL, form),
    v.check(({ protocol, hostname }) => protocols.test(protocol) && hostname !== '', form),
  )

export const webAddress = address(/^https?:$/, 'must be an http or https address')
const smtpAddress = address(/^smtps?:$/, 'must be smtps://user:password@host')

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

const referenceRate = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{3,5}(\.\d+)?@\d{4}-\d\d-\d\d$/, REFERENCE_RATE_FORM),
  v.transform((text) => ({ gnf: Number(text.slice(0, -11)), date: text.slice(-10) })),
  v.check(({ date }) => v.is(day, date), REFERENCE_RATE_FORM),
)

/** None of them may be present in production. */
const EMULATORS = {
  FIRESTORE_EMULATOR_HOST: host,
  FIREBASE_AUTH_EMULATOR_HOST: host,
  FIREBASE_STORAGE_EMULATOR_HOST: host,
  FIREBASE_AUTH_JWKS_URL: webAddress,
  STRIPE_API_BASE: webAddress,
  CLOUD_TASKS_API_BASE: webAddress,
}

const coreSchema = v.pipe(
  v.object(
    {
      FIREBASE_PROJECT_ID: APP_SETTINGS.VITE_FIREBASE_PROJECT_ID,
      FIREBASE_STORAGE_BUCKET: APP_SETTINGS.VITE_FIREBASE_STORAGE_BUCKET,
      FIREBASE_SERVICE_ACCOUNT: serviceAccount,
      STRIPE_SECRET_KEY: pattern(/^(sk|rk)_(test|live)_/, 'must start with sk_test_ or sk_live_'),
      STRIPE_WEBHOOK_SECRET: pattern(/^whsec_/, 'must start with whsec_'),
      ...v.partial(
        v.object({
          ...EMULATORS,
          AWS_REGION: v.string(),
          // Netlify sets it.
          URL: webAddress,
          VITE_STRIPE_PUBLISHABLE_KEY: APP_SETTINGS.VITE_STRIPE_PUBLISHABLE_KEY,
          VITE_RECIPIENT_NAME_REQUIRED: APP_SETTINGS.VITE_RECIPIENT_NAME_REQUIRED,
          VITE_IDENTITY_REQUIRED_FROM: APP_SETTINGS.VITE_IDENTITY_REQUIRED_FROM,
          VITE_WALLET_TARIFFS: APP_SETTINGS.VITE_WALLET_TARIFFS,
          REFERENCE_RATE_GNF: referenceRate,
          SECOND_PERSON_REQUIRED: flag,
        }),
      ).entries,
    },
    'is missing',
  ),
  v.transform((read) => ({
    projectId: read.FIREBASE_PROJECT_ID,
    serviceAccount: read.FIREBASE_SERVICE_ACCOUNT,
    stripeSecretKey: read.STRIPE_SECRET_KEY,
    stripeWebhookSecret: read.STRIPE_WEBHOOK_SECRET,
    stripeApiBase: read.STRIPE_API_BASE ?? null,
    firestoreHost: read.FIRESTORE_EMULATOR_HOST ?? null,
    authHost: read.FIREBASE_AUTH_EMULATOR_HOST ?? null,
    storageBucket: read.FIREBASE_STORAGE_BUCKET,
    storageHost: read.FIREBASE_STORAGE_EMULATOR_HOST ?? null,
    /** Null for the official emulator, whose tokens are unsigned. */
    jwksUrl:
      read.FIREBASE_AUTH_JWKS_URL ??
      (read.FIREBASE_AUTH_EMULATOR_HOST === undefined ? new URL(GOOGLE_JWKS_URL) : null),
    region: read.AWS_REGION ?? null,
    site: read.URL?.origin ?? null,
    isRecipientNameRequired: read.VITE_RECIPIENT_NAME_REQUIRED === 'on',
    identityLimitCents: parseIdentityLimit(read.VITE_IDENTITY_REQUIRED_FROM),
    walletTariffs: read.VITE_WALLET_TARIFFS ?? {},
    /** The market's rate to compare with the fixed one; null if the operator has set none. */
    referenceRate: read.REFERENCE_RATE_GNF ?? null,
    isSecondPersonRequired: read.SECOND_PERSON_REQUIRED === 'on',
  })),
)

/** The receipt names the operator. */
const mailSchema = v.pipe(
  v.object(
    {
      SMTP_URL: smtpAddress,
      VITE_MAIL_FROM: APP_SETTINGS.VITE_MAIL_FROM,
      VITE_OPERATOR_NAME: APP_SETTINGS.VITE_OPERATOR_NAME,
      VITE_OPERATOR_LICENCE: APP_SETTINGS.VITE_OPERATOR_LICENCE,
      VITE_COMPLAINTS_EMAIL: APP_SETTINGS.VITE_COMPLAINTS_EMAIL,
    },
    'is missing',
  ),
  v.transform((read) => ({
    /** URL with user and password. */
    server: read.SMTP_URL.href,
    from: read.VITE_MAIL_FROM,
    operator: {
      name: read.VITE_OPERATOR_NAME,
      licence: read.VITE_OPERATOR_LICENCE,
      complaints: read.VITE_COMPLAINTS_EMAIL,
    },
  })),
)

/** Null if it is not an Ed25519 key. */
function readSigningKey(text: string): KeyObject | null {
  try {
    const der = Buffer.from(text, 'base64url')
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}

/** In base64url, as in `VITE_RECEIPT_KEYS`. */
export const getPublicReceiptKey = (signingKey: KeyObject) =>
  createPublicKey(signingKey).export({ format: 'jwk' }).x

/** Its private key is published with the sandbox. */
export const SANDBOX_RECEIPT_KEY = 'bHsrsiU1FZIbTuo8oJAC3bKmhWmwYGFKWqWy9lsiDnc'

/** Receipts are signed with the last of the public keys' private key. */
const receiptSchema = v.pipe(
  v.object(
    {
      RECEIPT_SIGNING_KEY: v.pipe(
        v.string(),
        v.transform(readSigningKey),
        v.custom<KeyObject>(
          (key) => key !== null,
          "must be a private key, as 'npm run ops -- keys' prints it",
        ),
      ),
      VITE_RECEIPT_KEYS: APP_SETTINGS.VITE_RECEIPT_KEYS,
    },
    'is missing',
  ),
  v.forward(
    v.check(
      (read) => getPublicReceiptKey(read.RECEIPT_SIGNING_KEY) === read.VITE_RECEIPT_KEYS.at(-1)?.encoded,
      'does not match the last key of VITE_RECEIPT_KEYS',
    ),
    ['RECEIPT_SIGNING_KEY'],
  ),
  v.transform((read) => ({ signingKey: read.RECEIPT_SIGNING_KEY, keys: read.VITE_RECEIPT_KEYS })),
)

/** One queue in Google Cloud Tasks for each service. */
const taskSchema = v.pipe(
  v.object(
    {
      CLOUD_TASKS_LOCATION: pattern(/^[a-z]+-[a-z]+\d+$/, "must be a region, such as 'europe-west1'"),
      CLOUD_TASKS_HANDLER: webAddress,
      CLOUD_TASKS_API_BASE: v.optional(webAddress),
    },
    'is missing',
  ),
  v.transform(({ CLOUD_TASKS_API_BASE: base, ...read }) => ({
    location: read.CLOUD_TASKS_LOCATION,
    handler: read.CLOUD_TASKS_HANDLER.href,
    api: base?.origin ?? 'https://cloudtasks.googleapis.com',
    /** These keys sign the ID tokens of tasks. */
    keys: base ? new URL('/oauth2/v3/certs', base) : new URL(GOOGLE_ID_KEYS_URL),
    isEmulated: base !== undefined,
  })),
)

/** Francs for 1 EUR on a day, as a bank or an authority published them. */
export type ReferenceRate = Readonly<v.InferOutput<typeof referenceRate>>
export type MailSettings = Readonly<v.InferOutput<typeof mailSchema>>
export type ReceiptSettings = Readonly<v.InferOutput<typeof receiptSchema>>
export type TaskSettings = Readonly<v.InferOutput<typeof taskSchema>>

/** `mail`, `receipts` and `tasks` are null if the feature is off. */
export type Settings = Readonly<NonNullable<ReturnType<typeof parseCoreSettings>['settings']>>

/** Contains no values, so it can be logged. */
export class SettingsError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The settings of the functions are not valid:\n- ${problems.join('\n- ')}`)
    this.problems = problems
  }
}

/**
 * Reads what all functions need from environment variables. @throws SettingsError that names every problem.
 * In production a setting that points to an emulator or a sandbox is a problem too, because forged tokens or
 * simulated payments would count.
 */
export function readSettings(variables: Variables): Settings {
  const { settings, problems } = parseCoreSettings(variables)
  if (!settings || problems.length > 0) throw new SettingsError(problems)
  return settings
}

export function parseCoreSettings(variables: Variables) {
  const core = parseSettings(coreSchema, variables)
  const mail = parseGroup(mailSchema, variables, variables.SMTP_URL || variables.VITE_MAIL_FROM)
  const receipts = parseGroup(
    receiptSchema,
    variables,
    variables.RECEIPT_SIGNING_KEY || variables.VITE_RECEIPT_KEYS || variables.DELIVERY_PROVIDERS,
  )
  const tasks = parseGroup(
    taskSchema,
    variables,
    variables.CLOUD_TASKS_LOCATION || variables.CLOUD_TASKS_HANDLER,
  )
  const settings = core.settings && {
    ...core.settings,
    mail: mail.settings,
    receipts: receipts.settings,
    // Why receipts are not signed although a provider pays out. Not fatal: without functions, charged money would not
    // even be recorded.
    receiptProblems: receipts.problems,
    tasks: tasks.settings,
  }
  return {
    settings,
    problems: [
      ...core.problems,
      ...listEmulators(variables, Object.keys(EMULATORS)),
      ...listSiteProblems(variables),
      ...listModeProblems(variables),
      ...listForgeableKeys(variables),
      ...tasks.problems,
      ...listInsecure(variables, 'CLOUD_TASKS_HANDLER', 'https'),
      ...mail.problems,
      ...listInsecure(variables, 'SMTP_URL', 'smtps'),
    ],
  }
}

/** A group is complete or, if its feature is off, not read. */
export const parseGroup = <T>(
  schema: v.GenericSchema<unknown, T>,
  variables: Variables,
  isOn: unknown,
): { readonly settings: T | null; readonly problems: readonly string[] } =>
  isOn ? parseSettings(schema, variables) : { settings: null, problems: [] }

export const listInsecure = (variables: Variables, name: string, protocol: 'https' | 'smtps'): string[] =>
  isProduction(variables) && variables[name] && !variables[name].startsWith(`${protocol}://`)
    ? [`${name} must be an ${protocol} address in production`]
    : []

// A live key counts as well: real money must never be combined with an emulated database.
export function isProduction(variables: Variables): boolean {
  return variables.CONTEXT === 'production' || isHosted(variables) || isLive(variables.STRIPE_SECRET_KEY)
}

function isHosted({ NETLIFY, AWS_LAMBDA_FUNCTION_NAME, NETLIFY_DEV }: Variables): boolean {
  return (NETLIFY === 'true' || Boolean(AWS_LAMBDA_FUNCTION_NAME)) && NETLIFY_DEV !== 'true'
}

// The header `Host` of a request can name any origin.
function listSiteProblems(variables: Variables): string[] {
  return isHosted(variables) && !variables.URL?.startsWith('https://')
    ? ['URL must be the https address of the app, as Netlify sets it']
    : []
}

export const listEmulators = (variables: Variables, names: readonly string[]): string[] =>
  names
    .filter((name) => isProduction(variables) && variables[name])
    .map((name) => `${name} points to an emulator or a sandbox and must not be set in production`)

const listForgeableKeys = (variables: Variables): string[] =>
  isProduction(variables) && variables.VITE_RECEIPT_KEYS?.includes(SANDBOX_RECEIPT_KEY)
    ? ["VITE_RECEIPT_KEYS has the sandbox's key, with which anyone can forge receipts"]
    : []

function listModeProblems(variables: Variables): string[] {
  const { STRIPE_SECRET_KEY: secret, VITE_STRIPE_PUBLISHABLE_KEY: publishable } = variables
  if (!secret || !publishable || isLive(secret) === isLive(publishable)) return []
  return ['STRIPE_SECRET_KEY and VITE_STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys']
}

function isLive(key: string | undefined): boolean {
  return key !== undefined && /^[a-z]+_live_/.test(key)
}
