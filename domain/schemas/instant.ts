import { number, type Schema } from '../schema.ts'

/** UTC milliseconds. Each SDK stores them by a timestamp of its own, and functions answer with numbers. */
export type Instant = Schema<number>

/** Instants as an SDK has them. */
export const instantWith =
  (toMillis: (value: unknown) => number | null): Instant =>
  (value) =>
    number(toMillis(value))
