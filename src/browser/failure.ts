import type { Failure } from '../../domain/errors/failure.ts'

export class ServiceError extends Error {
  readonly failure: Failure
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.kind, options)
    this.failure = failure
  }
}

/** An unexpected error keeps its message. */
export function toFailure(error: unknown): Failure {
  if (error instanceof ServiceError) return error.failure
  if (isNetworkError(error)) return { kind: 'network' }
  return { kind: 'authOther', message: error instanceof Error ? error.message : '' }
}

export const isDenied = (error: unknown): boolean =>
  error instanceof ServiceError && error.failure.kind === 'data' && error.failure.cause === 'denied'

/** Browsers throw a TypeError, each with its own message. */
export const isNetworkError = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed|import/i.test(error.message)
