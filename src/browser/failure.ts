import type { Failure } from '../../domain/errors/failure.ts'

/** Carries a failure of a service to an actor's `onError` or to a form. */
export class ServiceError extends Error {
  readonly failure: Failure
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.kind, options)
    this.failure = failure
  }
}

/** Turns any thrown value into a failure; an unexpected error keeps its message. */
export function toFailure(error: unknown): Failure {
  if (error instanceof ServiceError) return error.failure
  if (isNetworkError(error)) return { kind: 'network' }
  return { kind: 'authOther', message: error instanceof Error ? error.message : '' }
}

/** Whether the database's rules refused the request. */
export const isDenied = (error: unknown): boolean =>
  error instanceof ServiceError && error.failure.kind === 'data' && error.failure.cause === 'denied'

/** Whether a fetch or an import got no response. Browsers throw a TypeError, each with its own message. */
export const isNetworkError = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed|import/i.test(error.message)
