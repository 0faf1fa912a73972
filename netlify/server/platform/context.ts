import { createHmac, createPrivateKey } from 'node:crypto'
import { Firestore } from 'firebase-admin/firestore'
import Stripe from 'stripe'
import type { WalletTariffs } from '../../../domain/prices/walletTariffsSchema.ts'
import { type Accounts, createAccountsClient } from './accounts.ts'
import { createTokenVerifier, requireVerifiedEmail, type VerifyCaller } from './caller.ts'
import { abortAfter, addDeadline, fetchUntilDeadline } from './deadline.ts'
import { createIdentityDocumentsClient, type IdentityDocuments } from './identityDocuments.ts'
import { type Log, logToStdout } from './log.ts'
import { type MailSettings, type ReceiptSettings, readSettings, type Settings } from './settings.ts'

// Outside of Google's cloud, looking for a metadata server only costs time.
process.env.METADATA_SERVER_DETECTION ??= 'none'

/** Passed in so that a test can replace the clock, the log or a provider. */
export interface Context {
  /** Firebase project ID. Everything that this deployment creates at Stripe contains it. */
  readonly deployment: string
  /** AWS name; null if the host does not say. */
  readonly region: string | null
  /** The app's origin; null for that of the request, outside of a host. */
  readonly site: string | null
  readonly db: Firestore
  readonly stripe: Stripe
  readonly webhookSecret: string
  /** The address in the token may be unverified. */
  readonly verifyToken: VerifyCaller
  /** Also verifies the address after a password sign-in; `createCallerVerifier` checks the account. */
  readonly verifySession: VerifyCaller
  readonly accounts: Accounts
  readonly identityDocuments: IdentityDocuments
  /** Keyed: a plain hash of a phone number could be reversed by trying all numbers. */
  readonly pseudonym: (text: string) => string
  /** Continues after the response. These promises never reject. */
  readonly backgroundWork: Set<Promise<void>>
  readonly fetch: typeof fetch
  readonly isRecipientNameRequired: boolean
  /** Maximum use of a month without an approved document, in EUR cents. */
  readonly identityLimitCents: number | null
  readonly walletTariffs: WalletTariffs
  readonly mail: MailSettings | null
  /** Null without valid keys; receipts have no code then. */
  readonly receipts: ReceiptSettings | null
  readonly log: Log
  /** UTC ms. The server's clock decides, never the browser's. */
  readonly now: () => number
  /** Milliseconds since an arbitrary start; never decreases. */
  readonly elapsed: () => number
  readonly expire: (ms: number) => AbortSignal
  /** In milliseconds. */
  readonly serviceTimeout: number
}

export type ContextOptions = Partial<
  Pick<Context, 'log' | 'now' | 'elapsed' | 'expire' | 'serviceTimeout' | 'fetch'>
>

export function createContext(settings: Settings, options: ContextOptions = {}): Context {
  const { log = logToStdout, now = Date.now, serviceTimeout = 15_000, fetch = globalThis.fetch } = options
  const { elapsed = () => performance.now(), expire = abortAfter } = options
  const ask = fetchUntilDeadline(fetch)
  const db = new Firestore({
    projectId: settings.projectId,
    credentials: settings.serviceAccount,
    preferRest: true,
    ...(settings.firestoreHost && { host: settings.firestoreHost, ssl: false }),
    clientOptions: {
      transporterOptions: { ...(options.fetch && { fetchImplementation: options.fetch }), adapter },
    },
  })
  // Pasting the key again may change the line breaks of its text.
  const secret = createPrivateKey(settings.serviceAccount.private_key).export({
    type: 'pkcs8',
    format: 'der',
  })
  const verifyToken = createTokenVerifier(settings, now)
  const { receiptProblems: problems } = settings
  if (problems.length > 0) log({ level: 'error', event: 'receiptsNotSigned', problems })
  return {
    deployment: settings.projectId,
    region: settings.region,
    site: settings.site,
    db,
    stripe: new Stripe(settings.stripeSecretKey, {
      timeout: 6_000,
      maxNetworkRetries: 2,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(ask),
      ...(settings.stripeApiBase && toStripeAddress(settings.stripeApiBase)),
    }),
    webhookSecret: settings.stripeWebhookSecret,
    verifyToken,
    verifySession: requireVerifiedEmail(verifyToken),
    accounts: createAccountsClient(settings),
    identityDocuments: createIdentityDocumentsClient(settings),
    pseudonym: (text) => createHmac('sha256', secret).update(text).digest('hex'),
    isRecipientNameRequired: settings.isRecipientNameRequired,
    identityLimitCents: settings.identityLimitCents,
    walletTariffs: settings.walletTariffs,
    mail: settings.mail,
    receipts: settings.receipts,
    backgroundWork: new Set(),
    fetch: ask,
    log,
    now,
    elapsed,
    expire,
    serviceTimeout,
  }
}

/** The rollback that unlocks a transaction ignores deadlines. */
const adapter = <Options extends { url?: URL | string; signal?: AbortSignal | null }, Answer>(
  options: Options,
  ask: (options: Options) => Promise<Answer>,
): Promise<Answer> =>
  ask(
    String(options.url).endsWith(':rollback') ? options : { ...options, signal: addDeadline(options.signal) },
  )

let fromEnvironment: Context | undefined

export function getEnvironmentContext(): Context {
  fromEnvironment ??= createContext(readSettings(process.env))
  return fromEnvironment
}

/** Includes work that the work begins. */
export async function waitForBackgroundWork({
  backgroundWork,
}: Pick<Context, 'backgroundWork'>): Promise<void> {
  while (backgroundWork.size > 0) await Promise.all(backgroundWork)
}

/** @throws when the work takes longer than the `serviceTimeout`. */
export async function withTimeout<T>(
  { serviceTimeout }: Pick<Context, 'serviceTimeout'>,
  work: Promise<T>,
): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => timeout.reject(new Error('The hosted services took too long')),
    serviceTimeout,
  )
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

function toStripeAddress({ protocol, hostname, port }: URL) {
  const secure = protocol === 'https:'
  return {
    protocol: secure ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port || (secure ? 443 : 80),
  }
}
