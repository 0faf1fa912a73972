/** A policy that does not call `send` loses the callback. */
export type DeliverCallback = (event: { readonly type: string }, send: () => Promise<void>) => Promise<void>

const ANSWER_WITHIN = 10_000

/** Callbacks are unsigned and sent once. */
export function createCallbackSender({
  fetch,
  deliver,
}: {
  readonly fetch: typeof globalThis.fetch
  readonly deliver: DeliverCallback
}) {
  const pending = new Set<Promise<void>>()
  let stopping = new AbortController()
  let sent = 0

  return {
    /** MTN requires servers to accept POST and PUT. Calls `done` once the callback is delivered or lost. */
    send(url: string, body: object, done: () => void) {
      const { signal } = stopping
      const method = sent % 2 === 0 ? 'POST' : 'PUT'
      sent += 1
      const text = JSON.stringify(body)
      const post = async () => {
        try {
          const response = await fetch(url, {
            method,
            headers: { 'content-type': 'application/json' },
            body: text,
            redirect: 'manual',
            signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN)]),
          })
          await response.body?.cancel()
        } catch {
          // MTN does not retry.
        }
      }
      const delivery = afterwards()
        .then(() => deliver({ type: 'mtn.transfer' }, post))
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
      sent = 0
    },
  }
}

const afterwards = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 0).unref()
  })
