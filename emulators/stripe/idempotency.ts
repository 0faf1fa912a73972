import type { Clock } from '../emulator.ts'
import { canonical, type Form } from './form.ts'
import { fail, invalid, type Result } from './result.ts'
import type { Answer, State } from './state.ts'

const DAY = 24 * 60 * 60 * 1000

export type Claim =
  | { kind: 'first'; keep: (answer: Answer) => void; release: () => void }
  | { kind: 'replay'; answer: Answer; originalRequest: string }

/**
 * Claims an idempotency key for a request. The same key with the same path and parameters gets the first
 * answer again for 24 hours of clock time; with others, or while the first is in flight, it is refused.
 */
export function claimKey(
  { idempotency }: State,
  clock: Clock,
  key: string,
  endpoint: string,
  form: Form,
  requestId: string,
): Result<Claim> {
  if (key.length > 255) return invalid('Idempotency keys can be at most 255 characters long.')
  const parameters = canonical(form)
  const known = idempotency.get(key)
  if (known && (known.answer === null || known.expiresAt > clock.now())) {
    if (known.endpoint !== endpoint)
      return refuse(
        400,
        `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${endpoint}' vs. '${known.endpoint}'). Try using a key other than '${key}' if you meant to execute a different request.`,
      )
    if (known.parameters !== parameters)
      return refuse(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      )
    if (known.answer === null)
      return refuse(
        409,
        `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}.`,
        'idempotency_key_in_use',
      )
    return { ok: true, value: { kind: 'replay', answer: known.answer, originalRequest: known.requestId } }
  }
  const record = { endpoint, parameters, requestId, expiresAt: clock.now() + DAY }
  idempotency.set(key, { ...record, answer: null })
  return {
    ok: true,
    value: {
      kind: 'first',
      keep: (answer) => idempotency.set(key, { ...record, answer }),
      release: () => idempotency.delete(key),
    },
  }
}

const refuse = (status: 400 | 409, message: string, code?: string) =>
  fail({
    kind: 'refused',
    status,
    began: false,
    error: { type: 'idempotency_error', message, ...(code && { code }) },
  })
