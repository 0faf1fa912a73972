import type { Clock } from '../emulator.ts'
import { type Form, toCanonicalText } from './form.ts'
import { failInvalidParameter, StripeRefusal } from './refusals.ts'
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
): IdempotencyRecord | null {
  if (key.length > 255) return failInvalidParameter('Idempotency keys can be at most 255 characters long.')
  const record = idempotency.get(key)
  if (!record || record.expiresAt <= clock.now()) return null
  if (record.endpoint !== endpoint)
    return failReuse(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${endpoint}' vs. '${record.endpoint}'). Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  if (record.parameters !== toCanonicalText(form))
    return failReuse(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  return record
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

function failReuse(message: string): never {
  throw new StripeRefusal(400, { type: 'idempotency_error', message })
}
