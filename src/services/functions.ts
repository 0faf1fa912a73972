import { MINUTE } from '../../domain/duration.ts'
import { parseRefusal } from '../../domain/refusals.ts'
import { fallback, type InferOutput, object, parseOrNull, type Schema, string } from '../../domain/schema.ts'
import { ServiceError } from '../browser/failure.ts'
import { syncServerTime } from '../browser/serverTime.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import { withToken } from './token.ts'

/** How long a function may take to respond, in milliseconds: longer than the host lets it run. */
const ANSWERS_WITHIN = MINUTE

interface Definition {
  readonly name: string
  readonly request: Schema<object>
  readonly response: Schema<object>
}
type RequestTo<D extends Definition> = InferOutput<D['request']>
type ResponseOf<D extends Definition> = InferOutput<D['response']>

/**
 * Calls one of the product's own functions as the signed-in user, and once more with a newer token if its
 * token is refused.
 *
 * @throws `network` without a valid response: the function may or may not have done the work.
 */
export function callFunction<D extends Definition>(
  definition: D,
  body: RequestTo<D>,
): Promise<ResponseOf<D>> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  return withTimeout(
    withToken((token) => request(definition, definition.name, init, token)),
    ANSWERS_WITHIN,
  )
}

/** Calls a function that only reads, with its request as the query. */
export function queryFunction<D extends Definition>(
  definition: D,
  query: RequestTo<D> & Readonly<Record<string, string>>,
): Promise<ResponseOf<D>> {
  const path = `${definition.name}?${new URLSearchParams(query)}`
  return withTimeout(
    withToken((token) => request(definition, path, {}, token)),
    ANSWERS_WITHIN,
  )
}

async function request<D extends Definition>(
  definition: D,
  path: string,
  init: RequestInit,
  token: string | null,
): Promise<ResponseOf<D>> {
  const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) }
  const response = await send(`/.netlify/functions/${path}`, { ...init, headers })
  const said: unknown = await response.json().catch(() => null)
  if (response.ok) {
    const schema = definition.response as Schema<ResponseOf<D>>
    const answer = parseOrNull(schema, said)
    // The function may have done the work: its response was cut off, or something else replaced it.
    if (answer === null) throw new ServiceError({ kind: 'network' })
    return answer
  }
  const { code, error, message, details } = parseOrNull(refusalSchema, said) ?? NO_WORDS
  throw new ServiceError({
    kind: 'function',
    status: response.status,
    error: error ?? '',
    message: message ?? '',
    ...parseRefusal(code, details),
  })
}

const refusalSchema = object({
  code: fallback(string, null),
  error: fallback(string, null),
  message: fallback(string, null),
  details: (value) => value ?? {},
})

const NO_WORDS = { code: null, error: null, message: null, details: null }

async function send(path: string, init: RequestInit): Promise<Response> {
  const sentAt = performance.now()
  try {
    const response = await fetch(path, init)
    const said = response.headers.get('server-time')
    if (said) syncServerTime(Number(said), performance.now() - sentAt)
    return response
  } catch (error) {
    throw new ServiceError({ kind: 'network' }, { cause: error })
  }
}
