import { number, type Schema } from '../schema.ts'

/**
 * Schema of a stored instant, parsed to UTC milliseconds. Each SDK has its own timestamp type; the functions
 * return numbers.
 */
export type InstantSchema = Schema<number>

/** Creates the schema for the timestamps of an SDK. */
export const createInstantSchema =
  (toMillis: (value: unknown) => number | null): InstantSchema =>
  (value) =>
    number(toMillis(value))
