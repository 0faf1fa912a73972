import { ServiceError } from './failure.ts'

/**
 * The answer, if it comes within so many milliseconds. Fails with `network` otherwise: the work may still be done then. A network can
 * lose a request without any error, and nobody should wait for ever.
 */
export function withTimeout<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ServiceError({ kind: 'network' })), milliseconds)
  })
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer))
}
