import { createHmac } from 'node:crypto'
import { Firestore } from 'firebase-admin/firestore'
import Stripe from 'stripe'
import type { LongestMinutes } from '../../../domain/promise.ts'
import { type Accounts, accountsOf } from './accounts.ts'
import { callersOf, callerVerifier, type VerifyCaller } from './caller.ts'
import { type IdentityDocuments, identityDocumentsOf } from './identityDocuments.ts'
import { type Log, logToStdout } from './log.ts'
import { readSettings, type Settings } from './settings.ts'

// Google's libraries look for a metadata server wherever they run; outside Google's cloud that only costs time.
process.env.METADATA_SERVER_DETECTION ??= 'none'

/** Everything a function reaches for, so that a test can give it another clock, log or provider. */
export interface Context {
  /** The id of the Firebase project: what this deployment makes at the provider names it. */
  readonly deployment: string
  /** Where the host runs this, as Amazon calls it; null when the host does not say. */
  readonly region: string | null
  readonly db: Firestore
  readonly stripe: Stripe
  readonly webhookSecret: string
  /** Who calls, let into the account or not: for what may be asked before. */
  readonly verifySession: VerifyCaller
  readonly verifyCaller: VerifyCaller
  readonly accounts: Accounts
  readonly identityDocuments: IdentityDocuments
  /**
   * A name for what must not be stored in clear, the same in every instance. It is keyed, because the numbers of the
   * world are few enough to try them all on a plain hash.
   */
  readonly pseudonym: (text: string) => string
  /** Work that holds up nothing. It takes seconds at most and never fails, and a function is over when it is: the host may stop the process then. */
  readonly beside: Set<Promise<void>>
  /** Asks push services. */
  readonly fetch: typeof fetch
  /** How long they may take: what is promised. */
  readonly longest: LongestMinutes
  /** Whether people may ask them whose wallet a number is. */
  readonly namesHolders: boolean
  readonly log: Log
  /** UTC milliseconds. The server's clock decides; the browser's never does. */
  readonly now: () => number
  /** Milliseconds that only go forward, by which the process knows how long something takes. */
  readonly elapsed: () => number
  /** How long hosted services may take before a call is refused rather than left hanging, in milliseconds. */
  readonly patience: number
}

export type ContextOptions = Partial<Pick<Context, 'log' | 'now' | 'elapsed' | 'patience' | 'fetch'>>

/** With a `fetch` the SDKs of Stripe and Firestore send their requests by it; without one each has its own way. */
export function createContext(settings: Settings, options: ContextOptions = {}): Context {
  const { log = logToStdout, now = Date.now, patience = 15_000, fetch } = options
  const { elapsed = () => performance.now() } = options
  const db = new Firestore({
    projectId: settings.projectId,
    credentials: settings.serviceAccount,
    preferRest: true,
    ...(settings.firestoreHost && { host: settings.firestoreHost, ssl: false }),
    ...(fetch && { clientOptions: { transporterOptions: { fetchImplementation: fetch } } }),
  })
  const verifySession = callerVerifier(settings, now)
  return {
    deployment: settings.projectId,
    region: settings.region,
    db,
    stripe: new Stripe(settings.stripeSecretKey, {
      timeout: 6_000,
      maxNetworkRetries: 2,
      telemetry: false,
      ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
      ...(settings.stripeApiBase && addressOf(settings.stripeApiBase)),
    }),
    webhookSecret: settings.stripeWebhookSecret,
    verifySession,
    verifyCaller: callersOf(verifySession, db),
    accounts: accountsOf(settings),
    identityDocuments: identityDocumentsOf(settings),
    pseudonym: (text) => createHmac('sha256', settings.serviceAccount.private_key).update(text).digest('hex'),
    longest: settings.deliveries.longest,
    namesHolders: settings.deliveries.namesHolders,
    beside: new Set(),
    fetch: fetch ?? globalThis.fetch,
    log,
    now,
    elapsed,
    patience,
  }
}

let fromEnvironment: Context | undefined

/** The context that the environment variables describe, made at the first call and kept while the process lives. */
export function environmentContext(): Context {
  fromEnvironment ??= createContext(readSettings(process.env))
  return fromEnvironment
}

/** What the hosted services answer, if they do within the context's patience. @throws when they do not. */
export async function withTimeout<T>({ patience }: Pick<Context, 'patience'>, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('The hosted services took too long')), patience)
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

function addressOf({ protocol, hostname, port }: URL) {
  const secure = protocol === 'https:'
  return {
    protocol: secure ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port || (secure ? 443 : 80),
  }
}
