import { FirebaseError } from 'firebase/app'
import { expect, test } from 'vitest'
import { toSmsFailure } from './smsFailure.ts'

function thrown(answer: string): FirebaseError {
  const [name = '', words] = answer.split(' : ')
  const code = KNOWN[name] ?? name.toLowerCase().replace(/[_\s]+/g, '-')
  return new FirebaseError(`auth/${code}`, `Firebase: ${words ?? 'Error'} (auth/${code}).`)
}
const KNOWN: Readonly<Record<string, string>> = {
  TOO_MANY_ATTEMPTS_TRY_LATER: 'too-many-requests',
  ADMIN_ONLY_OPERATION: 'admin-restricted-operation',
}

const auth = (code: string) => ({ kind: 'auth', code })
const noMessages = (reason: string) => ({ kind: 'noMessages', reason })

test.each([
  ['INVALID_APP_CREDENTIAL', noMessages('project')],
  ['MISSING_APP_CREDENTIAL', noMessages('project')],
  ['QUOTA_EXCEEDED : Exceeded quota for sending verification codes.', noMessages('project')],
  ['Error code: 39', noMessages('project')],
  ['OPERATION_NOT_ALLOWED', noMessages('project')],
  [
    'OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app developer.',
    noMessages('country'),
  ],
  ['INTERNAL_ERROR : SMS unable to be sent until this region enabled.', noMessages('country')],
  ['BILLING_NOT_ENABLED', noMessages('project')],
  ['INTERNAL_ERROR : [ BILLING_NOT_ENABLED ]', noMessages('project')],
  ['CAPTCHA_CHECK_FAILED : Hostname match not found', noMessages('project')],
  ['CAPTCHA_CHECK_FAILED : Recaptcha verification failed - SITE_MISMATCH', noMessages('project')],
  ['ADMIN_ONLY_OPERATION', noMessages('project')],
  ['Firebase App Check token is invalid.', noMessages('project')],
  ['API key not valid. Please pass a valid API key.', noMessages('project')],
  ['Requests from referer https://passerelle.example are blocked.', noMessages('project')],
  ['CONFIGURATION_NOT_FOUND', noMessages('project')],
  ['INVALID_RECAPTCHA_TOKEN', noMessages('project')],
  ['RECAPTCHA_NOT_ENABLED', noMessages('project')],
  ['CAPTCHA_CHECK_FAILED : Recaptcha verification failed - EXPIRED', auth('captcha-check-failed')],
  ['CAPTCHA_CHECK_FAILED : Recaptcha verification failed - DUPE', auth('captcha-check-failed')],
  [
    'QUOTA_EXCEEDED : Exceeded per phone number quota for sending verification codes.',
    auth('quota-exceeded'),
  ],
  ['TOO_MANY_ATTEMPTS_TRY_LATER', auth('too-many-requests')],
  ['INVALID_PHONE_NUMBER : TOO_SHORT', auth('phone-number-too-short')],
  ['INTERNAL_ERROR : An internal error has occurred.', auth('internal-error')],
  ['NETWORK_REQUEST_FAILED', { kind: 'network' }],
  [
    'NEVER_HEARD_OF : A sentence.',
    { kind: 'authOther', message: 'Firebase: A sentence. (auth/never-heard-of).' },
  ],
])('toSmsFailure maps the service’s refusal %s to %j', (answer, failure) => {
  expect(toSmsFailure(thrown(answer))).toEqual(failure)
})
