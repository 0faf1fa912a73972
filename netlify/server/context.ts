import { Firestore } from 'firebase-admin/firestore'
import Stripe from 'stripe'
import { callerVerifier, type VerifyCaller } from './caller.ts'
import { type Log, logToStdout } from './log.ts'
import { readSettings, type Settings } from './settings.ts'

// Google's libraries look for a metadata server wherever they run; outside Google's cloud that only costs time.
process.env.METADATA_SERVER_DETECTION ??= 'none'

/** Everything a function reaches for, so that a test can give it another clock, log or provider. */
export interface Context {
  readonly db: Firestore
  readonly stripe: Stripe
  readonly webhookSecret: string
  readonly verifyCaller: VerifyCaller
  readonly log: Log
  /** UTC milliseconds. The server's clock decides; the browser's never does. */
  readonly now: () => number
  /** How long a reservation may take before it is refused rather than left hanging, in milliseconds. */
  readonly patience: number
}

export function createContext(
  settings: Settings,
  options: Partial<Pick<Context, 'log' | 'now' | 'patience'>> = {},
): Context {
  const { log = logToStdout, now = Date.now, patience = 15_000 } = options
  return {
    db: new Firestore({
      projectId: settings.projectId,
      credentials: settings.serviceAccount,
      preferRest: true,
      ...(settings.firestoreHost && { host: settings.firestoreHost, ssl: false }),
    }),
    stripe: new Stripe(settings.stripeSecretKey, {
      timeout: 6_000,
      maxNetworkRetries: 2,
      telemetry: false,
      ...(settings.stripeApiBase && addressOf(settings.stripeApiBase)),
    }),
    webhookSecret: settings.stripeWebhookSecret,
    verifyCaller: callerVerifier(settings, now),
    log,
    now,
    patience,
  }
}

let fromEnvironment: Context | undefined

/** The context that the environment variables describe, made at the first call and kept while the process lives. */
export function environmentContext(): Context {
  fromEnvironment ??= createContext(readSettings(process.env))
  return fromEnvironment
}

function addressOf({ protocol, hostname, port }: URL) {
  const secure = protocol === 'https:'
  return {
    protocol: secure ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port || (secure ? 443 : 80),
  }
}
