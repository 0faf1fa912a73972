import type { Failure } from '../../domain/failure.ts'

/** How a service's refusal travels to an actor's `onError` or to a form. */
export class ServiceError extends Error {
  readonly failure: Failure
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.kind, options)
    this.failure = failure
  }
}

/** The failure in whatever was thrown; an unforeseen error is told by its message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ServiceError) return error.failure
  if (isNoAnswer(error)) return { kind: 'network' }
  return { kind: 'authOther', message: error instanceof Error ? error.message : '' }
}

/** Whether the rules of the database refused what was asked. */
export const isDenied = (error: unknown): boolean =>
  error instanceof ServiceError && error.failure.kind === 'data' && error.failure.cause === 'denied'

/** Browsers throw a TypeError when a fetch or an import gets no answer. Each browser has its own words for it. */
export const isNoAnswer = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed|import/i.test(error.message)
