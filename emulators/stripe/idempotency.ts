import type { Clock } from '../emulator.ts'
import { type Form, toCanonicalText } from './form.ts'
import { fail, failInvalidParameter, ok, type Result } from './result.ts'
import type { IdempotencyRecord, StoredResponse, StripeState } from './state.ts'

const DAY = 24 * 60 * 60 * 1000

interface Request {
  readonly endpoint: string
  readonly form: Form
  readonly requestId: string
}

/** A key returns its response for 24 hours of clock time; other requests with it are refused. */
export function findStoredResponse(
  { idempotency }: StripeState,
  clock: Clock,
  key: string,
  { endpoint, form }: Request,
): Result<IdempotencyRecord | null> {
  if (key.length > 255) return failInvalidParameter('Idempotency keys can be at most 255 characters long.')
  const known = idempotency.get(key)
  if (!known || known.expiresAt <= clock.now()) return ok(null)
  if (known.endpoint !== endpoint)
    return refuse(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${endpoint}' vs. '${known.endpoint}'). Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  if (known.parameters !== toCanonicalText(form))
    return refuse(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  return ok(known)
}

export function storeResponse(
  { idempotency }: StripeState,
  clock: Clock,
  key: string,
  { endpoint, form, requestId }: Request,
  answer: StoredResponse,
): void {
  const expiresAt = clock.now() + DAY
  idempotency.set(key, { endpoint, parameters: toCanonicalText(form), requestId, expiresAt, answer })
}

const refuse = (message: string) =>
  fail({ kind: 'refused', status: 400, began: false, error: { type: 'idempotency_error', message } })
