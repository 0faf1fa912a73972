import type * as v from 'valibot'

/**
 * Schema of a stored instant, parsed to UTC milliseconds. Each SDK has its own timestamp type; the functions
 * return numbers.
 */
export type InstantSchema = v.GenericSchema<unknown, number>
