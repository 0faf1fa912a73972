import * as v from 'valibot'
import { MAX_MESSAGE_LENGTH } from '../errors/errorReport.ts'
import { COMMON_REFUSALS, defineFunction } from './definition.ts'

/** Counts an error of the app. Stores nothing but counts of stripped messages, without the caller. */
export const REPORT_ERROR = defineFunction({
  name: 'report-error',
  method: 'POST',
  guardedBy: 'it only counts errors, limited by network and by number of different errors',
  request: v.strictObject({
    kind: v.picklist(['caught', 'uncaught', 'promise', 'code', 'worker', 'start']),
    message: v.pipe(v.string(), v.maxLength(MAX_MESSAGE_LENGTH)),
    /** Name of the built file that failed, such as `Home`; empty if unknown. */
    component: v.pipe(v.string(), v.regex(/^[A-Za-z]{0,40}$/)),
    /** The hash in the name of the app's own script, `index-….js`. */
    release: v.pipe(v.string(), v.regex(/^[\w-]{8}$/)),
  }),
  response: v.object({}),
  refusals: [...COMMON_REFUSALS, 'tooManyRequests'],
})
