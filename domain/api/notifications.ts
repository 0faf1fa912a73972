import { MAX_ENDPOINT_LENGTH, PUBLIC_KEY_PATTERN } from '../push.ts'
import { check, maxLength, nullable, object, pattern, picklist, strictObject } from '../schema.ts'
import { defineFunction, SIGNED_IN_REFUSALS } from './definition.ts'

/** Subscribes the caller's device to push notifications, or unsubscribes it. */
export const SET_PUSH_SUBSCRIPTION = defineFunction({
  name: 'push-subscription',
  method: 'POST',
  most: 20,
  request: strictObject({
    endpoint: check(maxLength(MAX_ENDPOINT_LENGTH), (endpoint) => endpoint !== ''),
    /** Null unsubscribes. The keys are base64url without padding. */
    device: nullable(
      strictObject({
        p256dh: pattern(PUBLIC_KEY_PATTERN),
        auth: pattern(/^[\w-]{22}$/),
        language: picklist('fr', 'en'),
      }),
    ),
  }),
  response: object({}),
  refusals: [...SIGNED_IN_REFUSALS, 'forbidden', 'pushUnavailable', 'pushServiceUnknown'],
})
