import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Context } from '../server/platform/context.ts'

const inFirestore = createRequire(
  fileURLToPath(new URL('../../node_modules/@google-cloud/firestore/build/src/index.js', import.meta.url)),
)

/** The part of Firestore's SDK that waits before a transaction is tried again; it has this door for tests. */
const backoff: { setTimeoutHandler(handler: (run: () => void, ms: number) => unknown): void } =
  inFirestore('./backoff.js')

/**
 * How the SDK repeats a single request that found nobody, or a write outside of a transaction that was given up because of
 * another: it has no such door. What stands here is read when the first client is made.
 */
const { interfaces }: { interfaces: Record<string, { retry_params: { default: object } }> } = inFirestore(
  '@google-cloud/firestore-api/build/src/v1/firestore_client_config.json',
)
for (const { retry_params: waits } of Object.values(interfaces))
  Object.assign(waits.default, { initial_retry_delay_millis: 0, max_retry_delay_millis: 0 })

const { getRetryParams }: { getRetryParams(method: string): object } = inFirestore('./util.js')

/** About as many as there are in the ten minutes after which such a write is given up, with waits of up to one minute. */
const TRIES_OF_A_WRITE = 40

/**
 * Lets the SDKs try again at once, as often as ever: hundreds of schedules with faults would otherwise take hours of
 * waiting.
 */
export function withoutRetryDelays({ stripe }: Pick<Context, 'stripe'>) {
  backoff.setTimeoutHandler((run) => setImmediate(run))
  Object.assign(getRetryParams('commit'), { totalTimeoutMillis: undefined, maxRetries: TRIES_OF_A_WRITE })
  Object.assign(stripe, { getInitialNetworkRetryDelay: () => 0.001, getMaxNetworkRetryDelay: () => 0.001 })
}
