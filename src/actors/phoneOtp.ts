import { fromPromise } from 'xstate'
import type { Failure } from '../../domain/failure.ts'
import { err, ok } from '../../domain/result.ts'
import { type AccountAnswer, phoneOtpMachine } from '../../machines/phoneOtp.ts'
import { failureOf } from '../browser/failure.ts'
import { deviceStore } from '../browser/storage.ts'

const loadCodes = () => import('../services/phoneCodes.ts')

/** The phone machine with everything it needs in a browser. */
export const phoneOtp = phoneOtpMachine.provide({
  actors: {
    checkAccount: fromPromise(async ({ input: { phone } }): Promise<AccountAnswer> => {
      try {
        const [{ callFunction }, { CHECK_PHONE_USER }] = await Promise.all([
          import('../services/functions.ts'),
          import('../../domain/api/account.ts'),
        ])
        await callFunction(CHECK_PHONE_USER, { phone })
        return { kind: 'found' }
      } catch (error) {
        const answer = accountAnswer(failureOf(error))
        if (!answer) throw error
        return answer
      }
    }),
    sendCode: fromPromise(async ({ input: { phone } }) => {
      try {
        return ok(await (await loadCodes()).sendCode(phone))
      } catch (error) {
        return err(failureOf(error))
      }
    }),
    confirmCode: fromPromise(async ({ input }) => {
      try {
        await (await loadCodes()).confirmCode(input)
        if (input.purpose === 'signUp') deviceStore.set('forceSignUp', null)
        return ok(undefined)
      } catch (error) {
        return err(failureOf(error))
      }
    }),
  },
})

/** Null when the function did not answer the question. Specification, section 7. */
function accountAnswer(failure: Failure): AccountAnswer | null {
  if (failure.kind !== 'function') return null
  if (failure.status === 404) return { kind: 'notFound' }
  return failure.code === 'tooManyRequests'
    ? { kind: 'limited', retryAfterSeconds: failure.details.retryAfterSeconds }
    : null
}
