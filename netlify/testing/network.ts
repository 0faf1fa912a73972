import { AsyncLocalStorage } from 'node:async_hooks'
import type { SimulatedTime } from './simulatedTime.ts'

type Range = readonly [least: number, most: number]

/** Round-trip times in milliseconds. docs/scale.md uses the same. */
export const LATENCIES = {
  stripe: [80, 400],
  firestore: [10, 50],
  google: [50, 300],
  provider: [100, 2_000],
} as const satisfies Record<string, Range>

export type SimulatedService = keyof typeof LATENCIES

/** How long the host lets a function run, in milliseconds. */
export const HOST_LIMITS = { function: 60_000, scheduled: 30_000 } as const

/** Services by the start of a path. The first match counts. */
const PATHS: readonly (readonly [string, SimulatedService])[] = [
  ['/v1/projects/', 'firestore'],
  ['/disbursement/', 'provider'],
  ['/v1/', 'stripe'],
  ['/identitytoolkit.googleapis.com/', 'google'],
  ['/storage/', 'google'],
]

/** Creates a Mulberry32 generator of pseudo-random numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The process that a function runs in. Once dead, its calls wait for `end`, which the next test rejects. */
interface Process {
  isDead: boolean
  readonly end: Promise<never>
}

export function createNetwork(time: SimulatedTime) {
  const processes = new AsyncLocalStorage<Process>()
  let test = Promise.withResolvers<never>()
  let random = createRandom(0)
  let latencies: Readonly<Record<SimulatedService, Range>> = LATENCIES

  const findService = (path: string) => PATHS.find(([start]) => path.startsWith(start))?.[1]

  const draw = ([least, most]: Range) => Math.round(least + random() * (most - least))

  /** The request arrives even if its sender has given up or died in the meantime. */
  async function travel(ms: number, ask: () => Promise<Response>) {
    const there = Math.floor(random() * ms)
    await time.wait(there)
    try {
      return await ask()
    } finally {
      await time.wait(ms - there)
    }
  }

  async function unlessAborted<T>(signal: AbortSignal | null | undefined, work: Promise<T>): Promise<T> {
    if (!signal) return work
    const aborted = Promise.withResolvers<never>()
    const abort = () => aborted.reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
  }

  return {
    delay:
      (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
      async (input, init = {}) => {
        const service = findService(new URL(input instanceof Request ? input.url : input).pathname)
        if (!time.isRunning() || !service) return fetch(input, init)
        const { signal = input instanceof Request ? input.signal : null, ...rest } = init
        const process = processes.getStore()
        if (process?.isDead) return process.end
        signal?.throwIfAborted()
        const answer = time.track(travel(draw(latencies[service]), () => fetch(input, rest)))
        answer.catch(() => {})
        try {
          return await unlessAborted(signal, answer)
        } finally {
          if (process?.isDead) await process.end
        }
      },

    /** After `ms` milliseconds the process is dead: it returns `null` and sends nothing more. */
    async runWithin<T>(ms: number, work: () => Promise<T>): Promise<T | null> {
      const process: Process = { isDead: false, end: test.promise }
      const limit = time.wait(ms).then(() => {
        process.isDead = true
        return null
      })
      return Promise.race([processes.run(process, work), limit])
    },

    begin(seed: number) {
      test.promise.catch(() => {})
      test.reject(new Error('The process is dead'))
      test = Promise.withResolvers()
      random = createRandom(seed)
      latencies = LATENCIES
    },
    slow(service: SimulatedService, range: Range) {
      latencies = { ...latencies, [service]: range }
    },
  }
}
