/** What went wrong with a request, as Stripe tells it, or a part of Stripe that is not stood in for. */
export type Problem =
  | { kind: 'unsupported'; what: string }
  | {
      kind: 'refused'
      status: 400 | 401 | 402 | 403 | 404 | 409
      error: StripeError
      /**
       * Whether the endpoint had begun its work. Only then is the answer kept for the idempotency key: a
       * request whose parameters did not validate may be sent again with the same key, corrected.
       */
      began: boolean
    }

/** The `error` object of an answer. */
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

/** A parameter that is missing or has no meaning. */
export const invalid = (message: string, rest: { code?: string; param?: string } = {}) =>
  fail({
    kind: 'refused',
    status: 400,
    began: false,
    error: documented({ type: 'invalid_request_error', message, ...rest }),
  })

/** What was asked for can't be done in the state that the object is in. */
export const impossible = (error: Omit<StripeError, 'type'>) =>
  fail({
    kind: 'refused',
    status: 400,
    began: true,
    error: documented({ type: 'invalid_request_error', ...error }),
  })

/** The object that a call is about is not there. */
export const missing = (what: string, id: string) => absent(404, what, id, 'id')

/** The object that a call is about. */
export function find<T>(objects: ReadonlyMap<string, T>, what: string, id: string): Result<T> {
  const found = objects.get(id)
  return found === undefined ? missing(what, id) : ok(found)
}

/** An object that a parameter names is not there. */
export const missingReference = (what: string, id: string, param: string) => absent(400, what, id, param)

const absent = (status: 400 | 404, what: string, id: string, param: string) =>
  fail({
    kind: 'refused',
    status,
    began: false,
    error: documented({
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such ${what}: '${id}'`,
      param,
    }),
  })

export const unsupported = (what: string) => fail({ kind: 'unsupported', what })

export function documented<T extends { code?: string }>(error: T): T & { doc_url?: string } {
  return error.code
    ? { ...error, doc_url: `https://docs.stripe.com/error-codes/${error.code.replaceAll('_', '-')}` }
    : error
}
