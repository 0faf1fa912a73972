import * as v from 'valibot'
import { ERROR_NAME_PATTERN, PLACE_PATTERN } from '../errors/errorReport.ts'
import { defineFunction } from './definition.ts'

/** Counts an error of the app, by kind and place. Stores neither its message nor the caller. */
export const REPORT_ERROR = defineFunction({
  name: 'report-error',
  method: 'POST',
  guardedBy: 'it only counts errors, limited by network and by number of different errors',
  request: v.strictObject({
    kind: v.picklist(['caught', 'uncaught', 'promise', 'code', 'worker', 'start']),
    name: v.pipe(v.string(), v.regex(ERROR_NAME_PATTERN)),
    /** Built file, line and column, such as `Home:1:200`; empty if unknown. */
    place: v.pipe(v.string(), v.regex(PLACE_PATTERN)),
    /** The hash in the name of the app's own script, `index-….js`. */
    release: v.pipe(v.string(), v.regex(/^[\w-]{8}$/)),
  }),
  response: v.object({}),
})
