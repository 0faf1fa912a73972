/** In milliseconds. */
const ANSWERS_WITHIN = 10_000

/** Calls of the emulated service that are under way. */
export function createDeliveries() {
  const pending = new Set<Promise<void>>()
  let stopping = new AbortController()
  return {
    /** Begins the work after the present call, and calls `done` after it, unless `stop` comes first. */
    begin(work: (signal: AbortSignal) => Promise<void>, done: () => void) {
      const { signal } = stopping
      const delivery = pause(0)
        .then(() => work(signal))
        .finally(() => {
          if (pending.delete(delivery)) done()
        })
      pending.add(delivery)
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending)
    },
    stop() {
      stopping.abort()
      stopping = new AbortController()
      pending.clear()
    },
  }
}

/** Returns the status, or 0 without a response. `within`: in milliseconds. */
export async function send(
  url: string,
  request: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  { signal, within = ANSWERS_WITHIN }: { signal?: AbortSignal; within?: number },
): Promise<number> {
  const limit = AbortSignal.timeout(within)
  try {
    const response = await fetch(url, {
      ...request,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return 0
  }
}

/** The timer is unreferenced: a pending delivery does not keep the process alive. */
export const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })
