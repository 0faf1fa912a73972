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

/** A part of Stripe that the emulator lacks. */
export class UnsupportedCall extends Error {}

/** Ends a call with Stripe's error response. */
export class StripeRefusal extends Error {
  readonly status: 400 | 401 | 402 | 403 | 404
  readonly error: StripeError
  /** Whether the endpoint had begun its work. Only then is the response stored for the idempotency key. */
  readonly hasBegun: boolean

  constructor(status: StripeRefusal['status'], error: StripeError, hasBegun = false) {
    super(error.message)
    this.status = status
    this.error = addDocUrl(error)
    this.hasBegun = hasBegun
  }
}

export function failInvalidParameter(message: string, param?: string, code?: string): never {
  throw new StripeRefusal(400, {
    type: 'invalid_request_error',
    message,
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  })
}

export const failMissingParameter = (name: string): never =>
  failInvalidParameter(`Missing required param: ${name}.`, name, 'parameter_missing')

export function failInvalidState(error: Omit<StripeError, 'type'>): never {
  throw new StripeRefusal(400, { type: 'invalid_request_error', ...error }, true)
}

/** For the cardholder: the issuer declined, or the typed card is invalid. */
export function failCard(error: Omit<StripeError, 'type'>): never {
  throw new StripeRefusal(402, { type: 'card_error', ...error }, true)
}

export const failNotFound = (what: string, id: string): never => failAbsent(404, what, id, 'id')

export const failMissingReference = (what: string, id: string, param: string): never =>
  failAbsent(400, what, id, param)

function failAbsent(status: 400 | 404, what: string, id: string, param: string): never {
  const message = `No such ${what}: '${id}'`
  throw new StripeRefusal(status, { type: 'invalid_request_error', code: 'resource_missing', message, param })
}

export function failUnsupported(what: string): never {
  throw new UnsupportedCall(what)
}

export const findObject = <T>(objects: ReadonlyMap<string, T>, what: string, id: string): T =>
  objects.get(id) ?? failNotFound(what, id)

export function addDocUrl<T extends { code?: string }>(error: T): T & { doc_url?: string } {
  return error.code
    ? { ...error, doc_url: `https://docs.stripe.com/error-codes/${error.code.replaceAll('_', '-')}` }
    : error
}
