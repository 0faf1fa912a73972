import { createHmac } from 'node:crypto'
import { createDeliveries, pause, send } from '../deliveries.ts'
import type { Clock } from '../emulator.ts'
import { type Form, ignored, parseParameters } from './form.ts'
import type { StripeEvent } from './objects.ts'
import { type Call, getUnixSeconds, type StripeState } from './state.ts'

export interface SignatureOverride {
  readonly secret?: string
  /** Offset of the signature's timestamp from now. */
  readonly offsetSeconds?: number
}

/**
 * A policy loses a webhook by not calling `send`, duplicates it by calling twice, and delays it by waiting.
 */
export type DeliverWebhook = (
  event: StripeEvent,
  send: (signing?: SignatureOverride) => Promise<void>,
) => Promise<void>

/** In real milliseconds; the webhook is given up after the last. */
const RETRY_AFTER = [50, 100, 200, 400, 800, 1600, 3200]

/** Webhooks are delivered at least once and in any order. */
export function createWebhookSender({
  secret,
  clock,
  url,
  deliver,
}: {
  readonly secret: string
  readonly clock: Clock
  readonly url: () => string | null
  readonly deliver: DeliverWebhook
}) {
  const deliveries = createDeliveries()

  async function deliverOnce(
    endpoint: string,
    event: StripeEvent,
    signal: AbortSignal,
    { secret: signedWith = secret, offsetSeconds = 0 }: SignatureOverride = {},
  ) {
    const body = JSON.stringify(event, null, 2)
    for (const wait of [0, ...RETRY_AFTER]) {
      await pause(wait)
      if (signal.aborted) return
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': buildSignature(body, signedWith, getUnixSeconds(clock) + offsetSeconds),
      }
      const status = await send(endpoint, { method: 'POST', headers, body }, { signal })
      if (status >= 200 && status < 300) return
    }
  }

  return {
    send(event: StripeEvent) {
      const endpoint = url()
      if (endpoint === null) return
      event.pending_webhooks = 1
      // Webhooks contain the event as of its creation, with its delivery pending.
      const snapshot = structuredClone(event)
      deliveries.begin(
        (signal) => deliver(snapshot, (signing) => deliverOnce(endpoint, snapshot, signal, signing)),
        () => {
          event.pending_webhooks = 0
        },
      )
    },
    settled: deliveries.settled,
    stop: deliveries.stop,
  }
}

export function listWebhookEndpoints({ state, webhookUrl }: Call, form: Form): object {
  parseParameters(form, { limit: ignored })
  const all = webhookUrl === null ? [] : [...state.webhookEndpoints.values()]
  const data = all.map((endpoint) => ({ ...endpoint, url: webhookUrl }))
  return { object: 'list', data, has_more: false, url: '/v1/webhook_endpoints' }
}

export const isEventEnabled = ({ webhookEndpoints }: StripeState, type: string): boolean =>
  [...webhookEndpoints.values()].some(
    ({ status, enabled_events: events }) =>
      status === 'enabled' && (events.includes('*') || events.includes(type)),
  )

/** HMAC-SHA256 of the time and the raw body. */
function buildSignature(body: string, secret: string, time: number): string {
  const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return `t=${time},v1=${v1}`
}
