import { AsyncLocalStorage } from 'node:async_hooks'

/** After this many turns of the event loop without a change, only time can make the code continue. */
const QUIET_TURNS = 5

interface Timer {
  at: number
  order: number
  readonly ms: number
  readonly fire: () => void
}

export type SimulatedTime = ReturnType<typeof createSimulatedTime>

const clearRealTimeout = globalThis.clearTimeout

/** Stays installed after a run, because a simulated timer may be cleared later. */
function clearAnyTimeout(handle: unknown) {
  if (typeof handle === 'object' && handle !== null && 'timer' in handle && 'close' in handle)
    (handle.close as () => void)()
  else clearRealTimeout(handle as NodeJS.Timeout)
}

const immediate = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * The clock advances only inside `run`, when nothing else can continue: to the earliest timer, which fires.
 * `setTimeout`, `AbortSignal.timeout` and the SDKs' timeouts use it.
 */
export function createSimulatedTime() {
  let timers: Timer[] = []
  let elapsed = 0
  let orders = 0
  let isRunning = false
  /** Counts signs that the code is still running. */
  let changes = 0
  let held = 0
  let underWay = 0

  function add(timer: Timer) {
    timer.order = orders += 1
    changes += 1
    const index = timers.findLastIndex(({ at }) => at <= timer.at)
    timers.splice(index + 1, 0, timer)
  }
  function remove(timer: Timer) {
    changes += 1
    timers = timers.filter((other) => other !== timer)
  }

  function start(fire: () => void, ms: number) {
    const timer: Timer = { at: elapsed + Math.max(0, ms), order: 0, ms, fire }
    add(timer)
    return timer
  }

  function setSimulatedTimeout(fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) {
    const timer = start(
      AsyncLocalStorage.bind(() => fire(...args)),
      ms,
    )
    const handle = {
      timer,
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      refresh() {
        remove(timer)
        timer.at = elapsed + timer.ms
        add(timer)
        return handle
      },
      close: () => remove(timer),
      [Symbol.toPrimitive]: () => timer.order,
    }
    return handle
  }

  function install() {
    const { setTimeout: realTimeout } = globalThis
    const realSignal = AbortSignal.timeout
    globalThis.setTimeout = setSimulatedTimeout as unknown as typeof setTimeout
    globalThis.clearTimeout = clearAnyTimeout as typeof clearTimeout
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController()
      start(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms)
      return controller.signal
    }
    return () => {
      globalThis.setTimeout = realTimeout
      AbortSignal.timeout = realSignal
    }
  }

  async function settle() {
    for (let quiet = 0; quiet < QUIET_TURNS || held > 0; ) {
      const before = changes
      await immediate()
      quiet = changes === before ? quiet + 1 : 0
    }
  }

  return {
    isRunning: () => isRunning,
    /** Milliseconds since the start; never decreases. */
    elapsed: () => elapsed,
    pass(ms: number) {
      elapsed += Math.max(0, ms)
    },
    wait: (ms: number) => new Promise<void>((resolve) => void start(resolve, ms)),

    /** Waits for real work that takes no simulated time, such as cryptography in another thread. */
    async hold<T>(work: Promise<T>): Promise<T> {
      held += 1
      try {
        return await work
      } finally {
        held -= 1
        changes += 1
      }
    },

    async track<T>(work: Promise<T>): Promise<T> {
      underWay += 1
      try {
        return await work
      } finally {
        underWay -= 1
        changes += 1
      }
    },

    /** Runs work and lets time pass until it and all tracked work is done. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (isRunning) return work()
      const uninstall = install()
      isRunning = true
      let isDone = false
      const result = work().finally(() => {
        isDone = true
        changes += 1
      })
      result.catch(() => {})
      try {
        for (;;) {
          await settle()
          if (isDone && underWay === 0) return await result
          const next = timers.shift()
          if (!next) continue
          elapsed = Math.max(elapsed, next.at)
          changes += 1
          next.fire()
        }
      } finally {
        isRunning = false
        uninstall()
      }
    },

    reset() {
      timers = []
      underWay = 0
    },
  }
}
