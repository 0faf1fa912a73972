import * as v from 'valibot'
import { MAX_ENDPOINT_LENGTH, PUBLIC_KEY_PATTERN } from '../transfers/push.ts'
import { defineFunction } from './definition.ts'

/** Subscribes the caller's device to push notifications, or unsubscribes it. */
export const SET_PUSH_SUBSCRIPTION = defineFunction({
  name: 'push-subscription',
  method: 'POST',
  most: 20,
  request: v.strictObject({
    endpoint: v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_ENDPOINT_LENGTH)),
    /** Null unsubscribes. The keys are base64url without padding. */
    device: v.nullish(
      v.strictObject({
        p256dh: v.pipe(v.string(), v.regex(PUBLIC_KEY_PATTERN)),
        auth: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)),
        language: v.picklist(['fr', 'en']),
      }),
      null,
    ),
  }),
  response: v.object({}),
})
