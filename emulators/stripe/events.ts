import { type Form, readForm, text, texts } from './form.ts'
import { type List, listPage, listParameters } from './lists.ts'
import { missing, ok, type Result } from './result.ts'
import type { Call, StripeEvent } from './state.ts'

/** `GET /v1/events/:id` */
export function retrieveEvent({ state }: Call, id: string): Result<StripeEvent> {
  const event = state.events.get(id)
  return event ? ok(event) : missing('event', id, 'id')
}

/** `GET /v1/events` */
export function listEvents({ state }: Call, form: Form): Result<List<StripeEvent>> {
  const read = readForm(form, { ...listParameters, type: text(), types: texts })
  if (!read.ok) return read
  const { type, types } = read.value
  const wanted = type === undefined ? types : [type]
  const matching = [...state.events.values()].filter(
    (event) => wanted.length === 0 || wanted.includes(event.type),
  )
  return listPage(matching, '/v1/events', 'event', read.value)
}
