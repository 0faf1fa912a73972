import { ServiceError } from './failure.ts'

/** A network can lose a request without an error. The work may still finish later. */
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
