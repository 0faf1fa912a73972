import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CONFIRM_ADDRESS } from '../../domain/api/account.ts'
import { parseRefusal } from '../../domain/errors/refusals.ts'
import { ServiceError } from '../browser/failure.ts'
import { deviceStore } from '../browser/storage.ts'
import { confirmAddress } from './addressConfirmation.ts'

const { callFunction, signInProvider } = vi.hoisted(() => ({
  callFunction: vi.fn(),
  signInProvider: vi.fn(),
}))
vi.mock('./functions.ts', () => ({ callFunction }))
vi.mock('./authClient.ts', () => ({
  withAuthErrors: (work: Promise<unknown>) => work,
  getCurrentUser: async () => ({ getIdTokenResult: async () => ({ signInProvider: signInProvider() }) }),
}))

beforeEach(() => {
  callFunction.mockReset()
  deviceStore.set('addressProof', null)
  vi.stubGlobal('location', { search: '' })
})

const refused = (code: string, details = {}) =>
  new ServiceError({ kind: 'function', status: 403, error: '', message: '', ...parseRefusal(code, details) })
const VERIFIED = { emailVerified: true, madeWith: 'address' } as const

test.each([
  ['needs nothing else', null, { signInAgain: false }],
  ['must be signed in to again', 'signedInAgain', { signInAgain: true }],
  ['the server finds unverified', 'unverified', refused('emailUnverified')],
  ['must be signed in to by address', 'byAddress', refused('otherWayIn', { way: 'address' })],
  ['must be signed in to by phone', 'byPhone', refused('otherWayIn', { way: 'phone' })],
  [
    'may be the user’s second one',
    { present: 'd…@e.org' },
    refused('formerAddress', { address: 'd…@e.org' }),
  ],
] as const)(
  'confirmAddress maps the confirmation of an account that %s to %j',
  async (_, expected, answer) => {
    callFunction.mockImplementation(async () => {
      if (answer instanceof ServiceError) throw answer
      return answer
    })
    expect(await confirmAddress(VERIFIED)).toEqual(expected)
    expect(callFunction).toHaveBeenCalledExactlyOnceWith(CONFIRM_ADDRESS, {})
  },
)

describe('an account made with a phone', () => {
  const BY_PHONE = { emailVerified: true, madeWith: 'phone' } as const
  beforeEach(() => signInProvider.mockReturnValue('phone'))

  test('a phone session uses its phone’s account without asking the server', async () => {
    expect(await confirmAddress(BY_PHONE)).toBe(null)
    expect(callFunction).not.toHaveBeenCalled()
  })

  test.each([
    ['in the page’s address', () => vi.stubGlobal('location', { search: '?emailVerified=1&proof=1.a' })],
    ['that was stored before the sign-in', () => deviceStore.set('addressProof', '1.a')],
  ])('a phone’s account confirms its address by a link’s proof %s', async (_, open) => {
    open()
    callFunction.mockResolvedValue({ signInAgain: false })
    expect(await confirmAddress(BY_PHONE)).toBe(null)
    expect(callFunction).toHaveBeenCalledExactlyOnceWith(CONFIRM_ADDRESS, { proof: '1.a' })
    expect(deviceStore.get('addressProof')).toBe(null)
  })

  test('a phone session keeps its account if the proof is refused', async () => {
    deviceStore.set('addressProof', '1.a')
    callFunction.mockRejectedValue(refused('emailUnverified'))
    expect(await confirmAddress(BY_PHONE)).toBe(null)
  })
})

test.each([
  ['that the server refuses for another reason', refused('tooManyRequests')],
  ['without a response', new ServiceError({ kind: 'network' })],
])('confirmAddress rejects with the failure of a call %s', async (_, error) => {
  callFunction.mockRejectedValue(error)
  await expect(confirmAddress(VERIFIED)).rejects.toBe(error)
})

test.each([
  ['address', 'password', 'unverified'],
  ['address', 'phone', 'unverified'],
  ['phone', 'phone', null],
  ['phone', 'password', 'unverified'],
] as const)(
  'confirmAddress maps %s, signed in by %s and unverified, to %s',
  async (madeWith, way, expected) => {
    signInProvider.mockReturnValue(way)
    expect(await confirmAddress({ emailVerified: false, madeWith })).toBe(expected)
    expect(callFunction).not.toHaveBeenCalled()
  },
)
