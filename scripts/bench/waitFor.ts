import { MINUTE } from '../../domain/common/duration.ts'
import { withTimeout } from '../../src/browser/withTimeout.ts'

export const STEP_LIMIT = 2 * MINUTE

/** The error names `what`, a noun such as `the server`. */
export const waitFor = <T>(what: string, work: PromiseLike<T>): Promise<T> =>
  withTimeout(work, STEP_LIMIT, () => new Error(`Waited ${STEP_LIMIT / MINUTE} minutes for ${what}.`))
