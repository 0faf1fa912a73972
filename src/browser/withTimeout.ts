import { ServiceError } from './failure.ts'

/**
 * Resolves with the answer, or rejects once `milliseconds` have passed. The work may still finish after that: a network can lose a
 * request without any error.
 */
export function withTimeout<T>(
  answer: PromiseLike<T>,
  milliseconds: number,
  createError: () => Error = () => new ServiceError({ kind: 'network' }),
): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createError()), milliseconds)
  })
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer))
}
