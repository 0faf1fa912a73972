import { type Form, ignored, parseParameters } from './form.ts'
import { ok, type Result } from './result.ts'
import type { Call, StripeState } from './state.ts'

export function listWebhookEndpoints({ state, webhookUrl }: Call, form: Form): Result<object> {
  const read = parseParameters(form, { limit: ignored })
  if (!read.ok) return read
  const all = webhookUrl === null ? [] : [...state.webhookEndpoints.values()]
  const data = all.map((endpoint) => ({ ...endpoint, url: webhookUrl }))
  return ok({ object: 'list', data, has_more: false, url: '/v1/webhook_endpoints' })
}

export const isEventEnabled = ({ webhookEndpoints }: StripeState, type: string): boolean =>
  [...webhookEndpoints.values()].some(
    ({ status, enabled_events: events }) =>
      status === 'enabled' && (events.includes('*') || events.includes(type)),
  )
