import { MINUTE } from '../../domain/duration.ts'
import { readRefusal } from '../../domain/refusals.ts'
import { fallback, type InferOutput, object, parseOrNull, type Schema, string } from '../../domain/schema.ts'
import { ServiceError } from '../browser/failure.ts'
import { noteServerTime } from '../browser/serverTime.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import { withToken } from './token.ts'

/** How long a function may take to answer, in milliseconds: longer than the host lets it work. */
const ANSWERS_WITHIN = MINUTE

interface Definition {
  readonly name: string
  readonly request: Schema<object>
  readonly response: Schema<object>
}
type RequestTo<D extends Definition> = InferOutput<D['request']>
type ResponseOf<D extends Definition> = InferOutput<D['response']>

/**
 * Calls one of the product's own functions as the signed-in user; once more with a newer token when its token is refused. Fails
 * with `network` without a response that fits the definition: the work may or may not have been done then.
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

/** Calls a function that only reads. */
export function askFunction<D extends Definition>(
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
    // The work may have been done. Its answer was cut off on the way, or something else came in its place.
    if (answer === null) throw new ServiceError({ kind: 'network' })
    return answer
  }
  const { code, error, message, details } = parseOrNull(refused, said) ?? NO_WORDS
  throw new ServiceError({
    kind: 'function',
    status: response.status,
    error: error ?? '',
    message: message ?? '',
    ...readRefusal(code, details),
  })
}

const refused = object({
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
    if (said) noteServerTime(Number(said), performance.now() - sentAt)
    return response
  } catch (error) {
    throw new ServiceError({ kind: 'network' }, { cause: error })
  }
}
