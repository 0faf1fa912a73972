import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Context } from '../server/context.ts'

/** The part of Firestore's SDK that waits between tries; it has this door for tests. */
const backoff = createRequire(import.meta.url)(
  fileURLToPath(new URL('../../node_modules/@google-cloud/firestore/build/src/backoff.js', import.meta.url)),
) as { setTimeoutHandler(handler: (run: () => void, ms: number) => unknown): void }

/**
 * Lets the SDKs try again at once, as often as ever: hundreds of schedules with faults would otherwise take hours of
 * waiting.
 */
export function hurry({ stripe }: Pick<Context, 'stripe'>) {
  backoff.setTimeoutHandler((run) => setImmediate(run))
  Object.assign(stripe, { getInitialNetworkRetryDelay: () => 0.001, getMaxNetworkRetryDelay: () => 0.001 })
}
