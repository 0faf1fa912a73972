import { MAX_MESSAGE_LENGTH } from '../errorReport.ts'
import { maxLength, object, pattern, picklist, strictObject } from '../schema.ts'
import { COMMON_REFUSALS, defineFunction } from './definition.ts'

/** Counts an error of the app. Stores nothing but counts of stripped messages, without the caller. */
export const REPORT_ERROR = defineFunction({
  name: 'report-error',
  method: 'POST',
  guardedBy: 'it only counts errors, limited by network and by number of different errors',
  request: strictObject({
    kind: picklist('caught', 'uncaught', 'promise', 'code', 'worker', 'start'),
    message: maxLength(MAX_MESSAGE_LENGTH),
    /** Name of the built file that failed, such as `Home`; empty if unknown. */
    component: pattern(/^[A-Za-z]{0,40}$/),
    /** The hash in the name of the app's own script, `index-….js`. */
    release: pattern(/^[\w-]{8}$/),
  }),
  response: object({}),
  refusals: [...COMMON_REFUSALS, 'tooManyRequests'],
})
