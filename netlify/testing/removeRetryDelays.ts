import { createRequire } from 'node:module'
import type { Context } from '../server/platform/context.ts'

/*
 * With the SDKs' delays, hundreds of schedules with faults would wait for hours. No option switches them off,
 * so tests change internals of @google-cloud/firestore 9.4 and stripe 23. If an update renames one, loading
 * this file fails.
 */

const require = createRequire(import.meta.url)
const inFirestore = createRequire(require.resolve('@google-cloud/firestore'))

const backoff: { setTimeoutHandler(handler: (run: () => void, ms: number) => unknown): void } =
  inFirestore('./backoff.js')
requireThat(typeof backoff.setTimeoutHandler === 'function', "'setTimeoutHandler' of backoff.js")

// Other retries have no such hook. The SDK reads these settings when the first client is created.
const { interfaces }: { interfaces: Record<string, { retry_params: { default: object } }> } = inFirestore(
  '@google-cloud/firestore-api/build/src/v1/firestore_client_config.json',
)
for (const [name, { retry_params: waits }] of Object.entries(interfaces))
  replace(
    waits.default,
    { initial_retry_delay_millis: 0, max_retry_delay_millis: 0 },
    `the settings of ${name} in firestore_client_config.json`,
  )

const { getRetryParams }: { getRetryParams(method: string): object } = inFirestore('./util.js')
const waitsOfWrite = getRetryParams('commit')
// For an unknown method the SDK returns a new object each time, and changing that would have no effect.
requireThat(getRetryParams('commit') === waitsOfWrite, "the waits of 'commit' in util.js")

/** About as often as the SDK retries within ten minutes. */
const TRIES_OF_A_WRITE = 40

export function removeRetryDelays({ stripe }: Pick<Context, 'stripe'>) {
  backoff.setTimeoutHandler((run) => setImmediate(run))
  replace(waitsOfWrite, { totalTimeoutMillis: undefined }, "the waits of 'commit' in util.js")
  Object.assign(waitsOfWrite, { maxRetries: TRIES_OF_A_WRITE })
  replace(
    stripe,
    { getInitialNetworkRetryDelay: () => 0.001, getMaxNetworkRetryDelay: () => 0.001 },
    'the client of Stripe',
  )
}

/** @throws if the library has no such property. */
function replace(inside: object, values: object, where: string) {
  for (const name of Object.keys(values)) requireThat(name in inside, `'${name}' in ${where}`)
  Object.assign(inside, values)
}

function requireThat(isThere: boolean, what: string) {
  if (!isThere)
    throw new Error(
      `The library no longer has ${what}. Find its replacement in the library's source, and update netlify/testing/removeRetryDelays.ts`,
    )
}
