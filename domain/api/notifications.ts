import { LONGEST_ENDPOINT, PUBLIC_KEY } from '../push.ts'
import { check, maxLength, nullable, object, pattern, picklist, strictObject } from '../schema.ts'
import { defineFunction, SIGNED_IN } from './definition.ts'

/** Notifies the caller on a device with the app closed, or ends that. */
export const PUSH_SUBSCRIPTION = defineFunction({
  name: 'push-subscription',
  method: 'POST',
  most: 20,
  request: strictObject({
    endpoint: check(maxLength(LONGEST_ENDPOINT), (endpoint) => endpoint !== ''),
    /** Null ends it. The keys are base64url, without padding. */
    device: nullable(
      strictObject({
        p256dh: pattern(PUBLIC_KEY),
        auth: pattern(/^[\w-]{22}$/),
        language: picklist('fr', 'en'),
      }),
    ),
  }),
  response: object({}),
  refusals: [...SIGNED_IN, 'forbidden', 'pushUnavailable', 'pushServiceUnknown'],
})
