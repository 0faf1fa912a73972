import { fromPromise } from 'xstate'
import { err, ok } from '../../domain/common/result.ts'
import type { Failure } from '../../domain/errors/failure.ts'
import { type AccountCheckAnswer, phoneOtpMachine } from '../../machines/phoneOtp.ts'
import { toFailure } from '../browser/failure.ts'
import { deviceStore } from '../browser/storage.ts'

const loadCodes = () => import('../services/phoneCodes.ts')

export const phoneOtpLogic = phoneOtpMachine.provide({
  actors: {
    checkAccount: fromPromise(async ({ input: { phone } }): Promise<AccountCheckAnswer> => {
      try {
        const [{ callFunction }, { CHECK_PHONE_USER }] = await Promise.all([
          import('../services/functions.ts'),
          import('../../domain/api/account.ts'),
        ])
        await callFunction(CHECK_PHONE_USER, { phone })
        return 'found'
      } catch (error) {
        const answer = toAccountAnswer(toFailure(error))
        if (!answer) throw error
        return answer
      }
    }),
    sendCode: fromPromise(async ({ input: { phone } }) => {
      try {
        return ok(await (await loadCodes()).sendCode(phone))
      } catch (error) {
        return err(toFailure(error))
      }
    }),
    confirmCode: fromPromise(async ({ input }) => {
      try {
        await (await loadCodes()).confirmCode(input)
        if (input.purpose === 'signUp') deviceStore.set('forceSignUp', null)
        return ok(undefined)
      } catch (error) {
        return err(toFailure(error))
      }
    }),
  },
})

/** Null if the failure doesn't say whether an account exists. Specification, section 7. */
function toAccountAnswer(failure: Failure): AccountCheckAnswer | null {
  if (failure.kind !== 'function') return null
  if (failure.status === 404) return 'notFound'
  return failure.code === 'tooManyRequests' ? 'limited' : null
}
