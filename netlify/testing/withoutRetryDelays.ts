import { createRequire } from 'node:module'
import type { Context } from '../server/platform/context.ts'

/*
 * The SDKs wait between two tries, and hundreds of schedules with faults would take hours of waiting. They have no option
 * for it, so this leans on modules inside of @google-cloud/firestore 9.4, on the settings that it reads, and on two
 * methods of stripe 23. Nothing of it is in the product. What an update renames is refused here in words, when the file is
 * loaded; that nobody waits any more is what `withoutRetryDelays.test.ts` looks at.
 */

const require = createRequire(import.meta.url)
const inFirestore = createRequire(require.resolve('@google-cloud/firestore'))

/** The part of Firestore's SDK that waits before a transaction is tried again; it has this door for tests. */
const backoff: { setTimeoutHandler(handler: (run: () => void, ms: number) => unknown): void } =
  inFirestore('./backoff.js')
requireThat(typeof backoff.setTimeoutHandler === 'function', "'setTimeoutHandler' of backoff.js")

/**
 * How the SDK repeats a single request that found nobody, or a write outside of a transaction that was given up because of
 * another: it has no such door. What stands here is read when the first client is made.
 */
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
// For a method that it does not know it makes new ones each time: to change those would change nothing.
requireThat(getRetryParams('commit') === waitsOfWrite, "the waits of 'commit' in util.js")

/** About as many as there are in the ten minutes after which such a write is given up, with waits of up to one minute. */
const TRIES_OF_A_WRITE = 40

/** Lets the SDKs try again at once, as often as ever. */
export function withoutRetryDelays({ stripe }: Pick<Context, 'stripe'>) {
  backoff.setTimeoutHandler((run) => setImmediate(run))
  replace(waitsOfWrite, { totalTimeoutMillis: undefined }, "the waits of 'commit' in util.js")
  Object.assign(waitsOfWrite, { maxRetries: TRIES_OF_A_WRITE })
  replace(
    stripe,
    { getInitialNetworkRetryDelay: () => 0.001, getMaxNetworkRetryDelay: () => 0.001 },
    'the client of Stripe',
  )
}

/** Replaces what is there under the same name. @throws when the library has no such name. */
function replace(inside: object, values: object, where: string) {
  for (const name of Object.keys(values)) requireThat(name in inside, `'${name}' in ${where}`)
  Object.assign(inside, values)
}

function requireThat(isThere: boolean, what: string) {
  if (!isThere)
    throw new Error(
      `An update of the library has taken away ${what}: see in its source what took its place, for netlify/testing/withoutRetryDelays.ts`,
    )
}
