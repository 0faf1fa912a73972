import { createHmac } from 'node:crypto'
import type { Clock } from '../emulator.ts'
import type { StripeEvent } from './objects.ts'
import { seconds } from './state.ts'

/** How a delivery is signed when it is not signed as it should be. */
export interface Signing {
  readonly secret?: string
  /** How far the signature's time is from now. */
  readonly offsetSeconds?: number
}

/**
 * Decides what becomes of one event's delivery: `send` makes one delivery, with its retries. A
 * policy that does not call it loses the webhook, one that calls it twice doubles it, one that waits first makes
 * it late.
 */
export type Deliver = (event: StripeEvent, send: (signing?: Signing) => Promise<void>) => Promise<void>

/** Milliseconds of real time before each further try; a webhook that is refused every time is given up. */
const RETRY_AFTER = [50, 100, 200, 400, 800, 1600, 3200]
const ANSWER_WITHIN = 10_000

export interface Webhooks {
  send(event: StripeEvent): void
  settled(): Promise<void>
  stop(): void
}

/** Sends events to the webhook endpoint: signed, at least once, in no certain order. */
export function createWebhooks({
  secret,
  clock,
  url,
  fetch,
  deliver,
}: {
  readonly secret: string
  readonly clock: Clock
  readonly url: () => string | null
  readonly fetch: typeof globalThis.fetch
  readonly deliver: Deliver
}): Webhooks {
  const pending = new Set<Promise<void>>()
  let stopping = new AbortController()

  async function deliverOnce(endpoint: string, event: StripeEvent, signal: AbortSignal, signing?: Signing) {
    const body = JSON.stringify(event, null, 2)
    for (const wait of [0, ...RETRY_AFTER]) {
      await pause(wait)
      if (signal.aborted || (await post(endpoint, body, signal, signing))) return
    }
  }

  async function post(
    endpoint: string,
    body: string,
    signal: AbortSignal,
    { secret: signedWith = secret, offsetSeconds = 0 }: Signing = {},
  ): Promise<boolean> {
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signature(body, signedWith, seconds(clock) + offsetSeconds),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN)]),
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      // Nobody answered: as good as an answer that refuses.
      return false
    }
  }

  return {
    send(event) {
      const endpoint = url()
      if (endpoint === null) return
      event.pending_webhooks = 1
      const { signal } = stopping
      // What is sent is the event as it was when it happened, with the delivery still to be done.
      const sent = structuredClone(event)
      const delivery = pause(0)
        .then(() => deliver(sent, (signing) => deliverOnce(endpoint, sent, signal, signing)))
        .finally(() => {
          event.pending_webhooks = 0
          pending.delete(delivery)
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

/** The `stripe-signature` header: HMAC-SHA256 over the time and the raw body. */
function signature(body: string, secret: string, time: number): string {
  const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return `t=${time},v1=${v1}`
}

/** An unreferenced timer: a webhook that still waits never keeps the process alive. */
const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })
