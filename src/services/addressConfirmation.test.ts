import { beforeEach, expect, test, vi } from 'vitest'
import { CONFIRM_ADDRESS } from '../../domain/api/account.ts'
import { readRefusal } from '../../domain/refusals.ts'
import { ServiceError } from '../browser/failure.ts'
import { confirmAddress } from './addressConfirmation.ts'

const { callFunction, signInProvider } = vi.hoisted(() => ({
  callFunction: vi.fn(),
  signInProvider: vi.fn(),
}))
vi.mock('./functions.ts', () => ({ callFunction }))
vi.mock('./authClient.ts', () => ({
  asking: (work: Promise<unknown>) => work,
  currentUser: async () => ({ getIdTokenResult: async () => ({ signInProvider: signInProvider() }) }),
}))

beforeEach(() => {
  callFunction.mockReset()
})

const refused = (code: string, details = {}) =>
  new ServiceError({ kind: 'function', status: 403, error: '', message: '', ...readRefusal(code, details) })
const VERIFIED = { emailVerified: true, madeWith: 'address' } as const

test.each([
  ['is open', { signInAgain: false }, null],
  ['waits for another sign-in', { signInAgain: true }, 'signedInAgain'],
  ['is not verified after all', refused('emailUnverified'), 'unverified'],
  ['opens by its address', refused('otherWayIn', { way: 'address' }), 'byAddress'],
  ['opens by its phone', refused('otherWayIn', { way: 'phone' }), 'byPhone'],
  ['may be a second one', refused('formerAddress', { address: 'd…@e.org' }), { present: 'd…@e.org' }],
] as const)('an account with a verified address %s', async (_, answer, expected) => {
  callFunction.mockImplementation(async () => {
    if (answer instanceof ServiceError) throw answer
    return answer
  })
  expect(await confirmAddress(VERIFIED)).toEqual(expected)
  expect(callFunction).toHaveBeenCalledExactlyOnceWith(CONFIRM_ADDRESS, {})
})

test.each([
  ['that the server refused otherwise', refused('tooManyRequests')],
  ['without an answer', new ServiceError({ kind: 'network' })],
])('a call %s decides nothing', async (_, error) => {
  callFunction.mockRejectedValue(error)
  await expect(confirmAddress(VERIFIED)).rejects.toBe(error)
})

test.each([
  ['address', 'password', 'unverified'],
  ['address', 'phone', 'unverified'],
  ['phone', 'phone', null],
  ['phone', 'password', 'unverified'],
] as const)(
  'an unverified address of an account made with %s, by %s: %s',
  async (madeWith, way, expected) => {
    signInProvider.mockReturnValue(way)
    expect(await confirmAddress({ emailVerified: false, madeWith })).toBe(expected)
    expect(callFunction).not.toHaveBeenCalled()
  },
)
