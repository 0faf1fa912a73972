import * as v from 'valibot'
import { MINUTE } from '../../domain/common/duration.ts'
import type { Output } from '../../domain/common/schema.ts'
import { parseRefusal } from '../../domain/errors/refusals.ts'
import { ServiceError } from '../browser/failure.ts'
import { checkLoginPage, isPage } from '../browser/network.ts'
import { syncServerTime } from '../browser/serverTime.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import { withToken } from './token.ts'

/** In milliseconds: longer than the host lets a function run. */
const ANSWERS_WITHIN = MINUTE

interface Definition {
  readonly name: string
  readonly request: v.GenericSchema<unknown, object>
  readonly response: v.GenericSchema<unknown, object>
}
type RequestTo<D extends Definition> = Output<D['request']>
type ResponseBody<D extends Definition> = v.InferOutput<D['response']>

/**
 * Retries once with a newer token if the token is refused. @throws `network` without a valid response: the
 * function may or may not have done the work.
 */
export function callFunction<D extends Definition>(
  definition: D,
  body: RequestTo<D>,
): Promise<ResponseBody<D>> {
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

export function queryFunction<D extends Definition>(
  definition: D,
  query: RequestTo<D> & Readonly<Record<string, string>>,
): Promise<ResponseBody<D>> {
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
): Promise<ResponseBody<D>> {
  const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) }
  const response = await send(`/.netlify/functions/${path}`, { ...init, headers })
  if (isPage(response)) throw new ServiceError({ kind: 'network', isLoginPage: await checkLoginPage() })
  const said: unknown = await response.json().catch(() => null)
  if (response.ok) {
    const answer = v.safeParse<D['response']>(definition.response, said)
    // The function may have done the work.
    if (!answer.success) throw new ServiceError({ kind: 'network' })
    return answer.output
  }
  const { code, error, message, details } = v.parse(refusalSchema, said)
  throw new ServiceError({
    kind: 'function',
    status: response.status,
    error,
    message,
    ...parseRefusal(code, details),
  })
}

const text = v.fallback(v.string(), '')
const refusalSchema = v.fallback(
  v.object({ code: text, error: text, message: text, details: v.nullish(v.unknown(), {}) }),
  { code: '', error: '', message: '', details: {} },
)

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
