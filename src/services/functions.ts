import type { AnswerOf, FunctionName, RequestOf } from '../../domain/api.ts'
import { ServiceError } from '../browser/failure.ts'
import { noteServerTime } from '../browser/serverTime.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import { withToken } from './token.ts'

/** How long a function may take to answer, in milliseconds: longer than the host lets it work. */
const ANSWERS_WITHIN = 60_000

/**
 * Calls one of the product's own functions as the signed-in person; once more with a newer token when the one that it has is refused.
 * Fails with `network` when no answer came: the work may or may not have been done then.
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
    withToken((token) => request<AnswerOf<Name>>(name, init, token)),
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
    withToken((token) => request<AnswerOf<Name>>(path, {}, token)),
    ANSWERS_WITHIN,
  )
}

async function request<T>(path: string, init: RequestInit, token: string | null): Promise<T> {
  const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) }
  const response = await send(`/.netlify/functions/${path}`, { ...init, headers })
  const answer = await response.json().catch((error) => {
    // The work was done, and its answer cut off.
    if (response.ok) throw new ServiceError({ kind: 'network' }, { cause: error })
    return {}
  })
  if (response.ok) return answer as T
  throw new ServiceError({
    kind: 'function',
    status: response.status,
    code: typeof answer.code === 'string' ? answer.code : '',
    error: typeof answer.error === 'string' ? answer.error : '',
    message: typeof answer.message === 'string' ? answer.message : '',
    details: answer.details ?? {},
  })
}

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
