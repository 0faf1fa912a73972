import type * as v from 'valibot'

/** Each SDK has its own timestamp type; parsed to UTC milliseconds. */
export type InstantSchema = v.GenericSchema<unknown, number>
