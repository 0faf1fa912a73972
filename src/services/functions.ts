import { ANSWERS } from '../../domain/answers.ts'
import type { AnswerOf, FunctionName, RequestOf } from '../../domain/api.ts'
import { MINUTE } from '../../domain/duration.ts'
import { readRefusal } from '../../domain/refusals.ts'
import { fallback, object, parseOrNull, type Schema, string } from '../../domain/schema.ts'
import { ServiceError } from '../browser/failure.ts'
import { noteServerTime } from '../browser/serverTime.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import { withToken } from './token.ts'

/** How long a function may take to answer, in milliseconds: longer than the host lets it work. */
const ANSWERS_WITHIN = MINUTE

/**
 * Calls one of the product's own functions as the signed-in person; once more with a newer token when the one that it has is refused.
 * Fails with `network` when no answer came, or none that fits the contract: the work may or may not have been done then.
 */
export function callFunction<Name extends FunctionName>(
  name: Name,
  body: RequestOf<Name>,
): Promise<AnswerOf<Name>> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  return withTimeout(
    withToken((token) => request(name, name, init, token)),
    ANSWERS_WITHIN,
  )
}

/** The same for a function that only answers a question. */
export function askFunction<Name extends FunctionName>(
  name: Name,
  query: RequestOf<Name> & Readonly<Record<string, string>>,
): Promise<AnswerOf<Name>> {
  const path = `${name}?${new URLSearchParams(query)}`
  return withTimeout(
    withToken((token) => request(name, path, {}, token)),
    ANSWERS_WITHIN,
  )
}

async function request<Name extends FunctionName>(
  name: Name,
  path: string,
  init: RequestInit,
  token: string | null,
): Promise<AnswerOf<Name>> {
  const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) }
  const response = await send(`/.netlify/functions/${path}`, { ...init, headers })
  const said: unknown = await response.json().catch(() => null)
  if (response.ok) {
    const read: Schema<AnswerOf<Name>> = ANSWERS[name]
    const answer = parseOrNull(read, said)
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
