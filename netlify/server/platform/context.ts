import { createHmac, createPrivateKey } from 'node:crypto'
import { Firestore } from 'firebase-admin/firestore'
import Stripe from 'stripe'
import type { WalletTariffs } from '../../../domain/prices/walletTariffsSchema.ts'
import { type Accounts, createAccountsClient } from './accounts.ts'
import { createTokenVerifier, requireVerifiedEmail, type VerifyCaller } from './caller.ts'
import { createCallerVerifier } from './callerVerifier.ts'
import { abortAfter, addDeadline, fetchUntilDeadline } from './deadline.ts'
import { createIdentityDocumentsClient, type IdentityDocuments } from './identityDocuments.ts'
import { type Log, logToStdout } from './log.ts'
import { type MailSettings, readSettings, type Settings } from './settings.ts'

// Google's libraries look for a metadata server on every host; outside of Google's cloud that only costs
// time.
process.env.METADATA_SERVER_DETECTION ??= 'none'

/** The dependencies of a function, passed in so that a test can replace the clock, the log or a provider. */
export interface Context {
  /** Firebase project ID. Everything that this deployment creates at Stripe contains it. */
  readonly deployment: string
  /** AWS name of the region where the functions run; null if the host does not say. */
  readonly region: string | null
  /** The app's origin; null for that of the request, outside of a host. */
  readonly site: string | null
  readonly db: Firestore
  readonly stripe: Stripe
  readonly webhookSecret: string
  /** Verifies only the token; the address in it may be unverified. */
  readonly verifyToken: VerifyCaller
  /**
   * Verifies the token, and the address after a password sign-in. For calls of users who may not use the
   * account yet.
   */
  readonly verifySession: VerifyCaller
  /** Also verifies that the caller may use the account. */
  readonly verifyCaller: VerifyCaller
  readonly accounts: Accounts
  readonly identityDocuments: IdentityDocuments
  /**
   * Returns a keyed hash, the same in every instance, of a text that must not be stored as it is. A plain
   * hash of a phone number could be reversed by trying all numbers.
   */
  readonly pseudonym: (text: string) => string
  /** Background work, which continues after the response of its request. These promises never reject. */
  readonly backgroundWork: Set<Promise<void>>
  /** Sends requests to push services and payout providers. */
  readonly fetch: typeof fetch
  /** Whether users may look up the holder of a wallet. */
  readonly namesHolders: boolean
  readonly isRecipientNameRequired: boolean
  /** Maximum use of a month without an approved document, in EUR cents; null without a limit. */
  readonly identityLimitCents: number | null
  readonly walletTariffs: WalletTariffs
  /** Null if receipts are not mailed. */
  readonly mail: MailSettings | null
  readonly log: Log
  /** UTC milliseconds. The server's clock decides, never the browser's. */
  readonly now: () => number
  /** Milliseconds since an arbitrary start; never decreases. Measures durations. */
  readonly elapsed: () => number
  /** Returns a signal that aborts after this many milliseconds. */
  readonly expire: (ms: number) => AbortSignal
  /** Timeout for calls to hosted services, in milliseconds. */
  readonly serviceTimeout: number
}

export type ContextOptions = Partial<
  Pick<Context, 'log' | 'now' | 'elapsed' | 'expire' | 'serviceTimeout' | 'fetch'>
>

/**
 * Creates the context that the settings describe. `fetch` sends the requests to Stripe, Firestore, push
 * services and payout providers; without it, Firestore's SDK uses its own.
 */
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
  // Hash the decoded key, because pasting the key again may change the line breaks of its text.
  const secret = createPrivateKey(settings.serviceAccount.private_key).export({
    type: 'pkcs8',
    format: 'der',
  })
  const verifyToken = createTokenVerifier(settings, now)
  const verifySession = requireVerifiedEmail(verifyToken)
  const pseudonym = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
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
    verifySession,
    verifyCaller: createCallerVerifier(verifySession, { db, pseudonym }),
    accounts: createAccountsClient(settings),
    identityDocuments: createIdentityDocumentsClient(settings),
    pseudonym,
    namesHolders: settings.deliveries.namesHolders,
    isRecipientNameRequired: settings.isRecipientNameRequired,
    identityLimitCents: settings.identityLimitCents,
    walletTariffs: settings.walletTariffs,
    mail: settings.mail,
    backgroundWork: new Set(),
    fetch: ask,
    log,
    now,
    elapsed,
    expire,
    serviceTimeout,
  }
}

/** Makes deadlines abort the requests of Firestore's SDK, except the rollback that unlocks a transaction. */
const adapter = <Options extends { url?: URL | string; signal?: AbortSignal | null }, Answer>(
  options: Options,
  ask: (options: Options) => Promise<Answer>,
): Promise<Answer> =>
  ask(
    String(options.url).endsWith(':rollback') ? options : { ...options, signal: addDeadline(options.signal) },
  )

let fromEnvironment: Context | undefined

/** Returns the context that the environment variables describe, created once per process. */
export function getEnvironmentContext(): Context {
  fromEnvironment ??= createContext(readSettings(process.env))
  return fromEnvironment
}

/** Waits for all work that continues after the response, including work that it begins. */
export async function waitForBackgroundWork({
  backgroundWork,
}: Pick<Context, 'backgroundWork'>): Promise<void> {
  while (backgroundWork.size > 0) await Promise.all(backgroundWork)
}

/** Waits for hosted services up to the `serviceTimeout`. @throws when they take longer. */
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
