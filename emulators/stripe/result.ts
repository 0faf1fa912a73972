export type Problem =
  | { kind: 'unsupported'; what: string }
  | {
      kind: 'refused'
      status: 400 | 401 | 402 | 403 | 404 | 409
      error: StripeError
      /**
       * Whether the endpoint had begun its work. Only then is the response stored for the idempotency key.
       */
      began: boolean
    }

export interface StripeError {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  doc_url?: string
  charge?: string
  payment_intent?: unknown
  payment_method?: unknown
}

export type Result<T> = { ok: true; value: T } | { ok: false; problem: Problem }

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })

export const fail = (problem: Problem): { ok: false; problem: Problem } => ({ ok: false, problem })

export const failInvalidParameter = (message: string, param?: string, code?: string) =>
  fail({
    kind: 'refused',
    status: 400,
    began: false,
    error: addDocUrl({
      type: 'invalid_request_error',
      message,
      ...(code !== undefined && { code }),
      ...(param !== undefined && { param }),
    }),
  })

export const failMissingParameter = (name: string) =>
  failInvalidParameter(`Missing required param: ${name}.`, name, 'parameter_missing')

export const failInvalidState = (error: Omit<StripeError, 'type'>) =>
  fail({
    kind: 'refused',
    status: 400,
    began: true,
    error: addDocUrl({ type: 'invalid_request_error', ...error }),
  })

export const failNotFound = (what: string, id: string) => absent(404, what, id, 'id')

export function findObject<T>(objects: ReadonlyMap<string, T>, what: string, id: string): Result<T> {
  const found = objects.get(id)
  return found === undefined ? failNotFound(what, id) : ok(found)
}

export const failMissingReference = (what: string, id: string, param: string) => absent(400, what, id, param)

const absent = (status: 400 | 404, what: string, id: string, param: string) =>
  fail({
    kind: 'refused',
    status,
    began: false,
    error: addDocUrl({
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such ${what}: '${id}'`,
      param,
    }),
  })

export const failUnsupported = (what: string) => fail({ kind: 'unsupported', what })

export function addDocUrl<T extends { code?: string }>(error: T): T & { doc_url?: string } {
  return error.code
    ? { ...error, doc_url: `https://docs.stripe.com/error-codes/${error.code.replaceAll('_', '-')}` }
    : error
}
