/** What the sign-in service refuses, by its own codes without the `auth/` in front. */
export type AuthCode =
  | 'email-already-in-use'
  | 'invalid-email'
  | 'weak-password'
  | 'invalid-credential'
  | 'user-not-found'
  | 'wrong-password'
  | 'user-disabled'
  | 'too-many-requests'
  | 'requires-recent-login'

export type Operation = 'createProfile' | 'fetchProfile' | 'fetchHistory'

/** Everything a hosted service can answer instead of what was asked. Texts are made where it is shown. */
export type Failure =
  | { kind: 'network' }
  | { kind: 'auth'; code: AuthCode }
  | { kind: 'authOther'; message: string }
  | { kind: 'data'; operation: Operation; cause: 'missingIndex' | 'denied' | 'other' }
  | { kind: 'function'; status: number; code: string; error: string; details: Record<string, unknown> }

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

/** A TypeError is how browsers report a fetch, or a part of the app, that got no answer; each with words of its own. */
export const isNoAnswer = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed|import/i.test(error.message)
