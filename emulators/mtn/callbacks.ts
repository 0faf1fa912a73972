import { createDeliveries, send } from '../deliveries.ts'

/** A policy that does not call `send` loses the callback. */
export type DeliverCallback = (event: { readonly type: string }, send: () => Promise<void>) => Promise<void>

/** Callbacks are unsigned and sent once: MTN does not retry. */
export function createCallbackSender(deliver: DeliverCallback) {
  const deliveries = createDeliveries()
  let sent = 0

  return {
    /** MTN requires servers to accept POST and PUT. Calls `done` once the callback is delivered or lost. */
    send(url: string, content: object, done: () => void) {
      const method = sent % 2 === 0 ? 'POST' : 'PUT'
      sent += 1
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(content)
      deliveries.begin(
        (signal) =>
          deliver({ type: 'mtn.transfer' }, async () => {
            await send(url, { method, headers, body }, { signal })
          }),
        done,
      )
    },
    settled: deliveries.settled,
    stop() {
      deliveries.stop()
      sent = 0
    },
  }
}
