/** Decides what becomes of a callback: `send` makes one delivery. One that does not call it loses the callback. */
export type DeliverCallback = (event: { readonly type: string }, send: () => Promise<void>) => Promise<void>

const ANSWER_WITHIN = 10_000

/** Sends callbacks: unsigned, once, without another try whatever is answered, by POST and by PUT in turn. */
export function createCallbacks({
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
    /** `done` once it was delivered or lost. MTN says that both methods have to be allowed, and not when it takes which. */
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
          // Nobody answered. It is not sent again.
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

/** Not before what is being answered has been. */
const afterwards = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 0).unref()
  })
