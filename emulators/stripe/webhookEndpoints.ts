import { boolean, type Form, readForm, texts } from './form.ts'
import { type List, listPage, listParameters } from './lists.ts'
import { missing, ok, type Result } from './result.ts'
import type { Call, State, WebhookEndpoint } from './state.ts'

/** The version whose objects this emulator answers with; the one that the pinned SDKs ask for. */
export const API_VERSION = '2026-10-28.endive'

/** The one that whoever sets the product up makes in Stripe's dashboard. */
export const WEBHOOK_ENDPOINT: Readonly<WebhookEndpoint> = {
  id: 'we_sandbox',
  object: 'webhook_endpoint',
  api_version: API_VERSION,
  created: Date.UTC(2026, 0, 1) / 1000,
  enabled_events: ['*'],
  livemode: false,
  status: 'enabled',
}

type Shown = WebhookEndpoint & { readonly url: string }

/** `GET /v1/webhook_endpoints` */
export function listWebhookEndpoints({ state, webhookUrl }: Call, form: Form): Result<List<Shown>> {
  const read = readForm(form, listParameters)
  if (!read.ok) return read
  const all = webhookUrl === null ? [] : [...state.webhookEndpoints.values()]
  const shown = all.map((endpoint) => ({ ...endpoint, url: webhookUrl ?? '' }))
  return listPage(shown, '/v1/webhook_endpoints', 'webhook endpoint', read.value)
}

/** `POST /v1/webhook_endpoints/:id` */
export function updateWebhookEndpoint({ state, webhookUrl }: Call, id: string, form: Form): Result<Shown> {
  const read = readForm(form, { enabled_events: texts, disabled: boolean })
  if (!read.ok) return read
  const endpoint = state.webhookEndpoints.get(id)
  if (!endpoint || webhookUrl === null) return missing('webhook endpoint', id, 'id')
  const { enabled_events: events, disabled } = read.value
  if (events.length > 0) endpoint.enabled_events = events
  if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled'
  return ok({ ...endpoint, url: webhookUrl })
}

/** Whether an endpoint wants to hear of such events. */
export const isWanted = ({ webhookEndpoints }: State, type: string): boolean =>
  [...webhookEndpoints.values()].some(
    ({ status, enabled_events: events }) =>
      status === 'enabled' && (events.includes('*') || events.includes(type)),
  )
