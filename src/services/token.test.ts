import { FirebaseError } from 'firebase/app'
import type { User } from 'firebase/auth'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Failure } from '../../domain/failure.ts'
import { readRefusal } from '../../domain/refusals.ts'
import { ServiceError } from '../browser/failure.ts'
import { bringTokenUpToDate, withToken } from './token.ts'

interface FakeUser {
  readonly uid: string
  readonly email: string
  readonly emailVerified: boolean
  readonly phoneNumber: null
  getIdToken(isForced?: boolean): Promise<string>
  getIdTokenResult(): Promise<{ token: string; claims: object }>
}

const { auth, signOut } = vi.hoisted(() => {
  const auth = { authStateReady: async () => {}, currentUser: null as FakeUser | null }
  const signOut = vi.fn(async () => {
    auth.currentUser = null
  })
  return { auth, signOut }
})
vi.mock('firebase/auth', () => ({ signOut }))
vi.mock('./authClient.ts', async () => {
  const { ServiceError } = await import('../browser/failure.ts')
  const asking = (work: Promise<unknown>) =>
    work.catch((cause: FirebaseError) => {
      const failure: Failure =
        cause.code === 'auth/network-request-failed'
          ? { kind: 'network' }
          : { kind: 'authOther', message: cause.code }
      throw new ServiceError(failure, { cause })
    })
  return { auth, asking }
})

/** Tokens are what the service made, in order; `says` is its answer to who wants a newer one. */
let made = 1
let says: (() => Promise<void>) | null = null
const forced = vi.fn()

const person = (uid = 'u1', emailVerified = true): FakeUser => {
  let claims = { email_verified: false, email: 'awa@example.com' }
  let token = `token ${made}`
  return {
    uid,
    email: 'awa@example.com',
    emailVerified,
    phoneNumber: null,
    async getIdToken(isForced = false) {
      if (!isForced) return token
      forced()
      await says?.()
      made += 1
      token = `token ${made}`
      claims = { ...claims, email_verified: emailVerified }
      return token
    },
    getIdTokenResult: async () => ({ token, claims }),
  }
}

const refusal = (code: string) =>
  new ServiceError({ kind: 'function', status: 401, error: '', message: '', ...readRefusal(code, {}) })
const denied = () => new FirebaseError('permission-denied', 'Missing or insufficient permissions.')
const refuses = (code: string) => async () => {
  throw new FirebaseError(`auth/${code}`, '')
}

/** Work that is refused with these errors in turn, and then done. */
const refusedWith = (...errors: unknown[]) =>
  vi.fn(async (token: string | null) => {
    const error = errors.shift()
    if (error) throw error
    return token
  })

/** The token at the start of the test, and those that are made after it. */
const nth = (count: number) => `token ${first + count}`
let first = made
beforeEach(() => {
  made += 1
  first = made
  says = null
  auth.currentUser = person()
})
afterEach(() => vi.clearAllMocks())

describe('a refusal that an old token explains', () => {
  test.each([
    ['by a function, of the token', refusal('unauthenticated')],
    ['by a function, of what it says', refusal('emailUnverified')],
    ['by the database, of the token', new FirebaseError('unauthenticated', '')],
    ['by the rules of the database', denied()],
    ['by the storage, of the token', new FirebaseError('storage/unauthenticated', '')],
    [
      'by the rules of the storage, told as a failure',
      new ServiceError(
        { kind: 'storage', code: 'unauthorized' },
        { cause: new FirebaseError('storage/unauthorized', '') },
      ),
    ],
  ])('%s: is answered by a newer one and one more try', async (_, error) => {
    const work = refusedWith(error)
    expect(await withToken(work)).toBe(nth(1))
    expect(work.mock.calls).toEqual([[nth(0)], [nth(1)]])
  })

  test('is told when it comes again', async () => {
    const work = refusedWith(refusal('unauthenticated'), refusal('unauthenticated'))
    await expect(withToken(work)).rejects.toMatchObject({ failure: { code: 'unauthenticated' } })
    expect(work).toHaveBeenCalledTimes(2)
  })

  test('of several calls at once makes one newer token', async () => {
    const works = Array.from({ length: 3 }, () => refusedWith(refusal('unauthenticated')))
    expect(await Promise.all(works.map((work) => withToken(work)))).toEqual(Array(3).fill(nth(1)))
    expect(forced).toHaveBeenCalledOnce()
  })

  test('of a call that took longer than the renewal finds the newer token there', async () => {
    const { promise: refused, reject } = Promise.withResolvers<never>()
    const work = vi.fn((given: string | null) => (given === nth(0) ? refused : Promise.resolve(given)))
    const late = withToken(work)
    await withToken(refusedWith(refusal('unauthenticated')))
    reject(refusal('unauthenticated'))
    expect(await late).toBe(nth(1))
    expect(forced).toHaveBeenCalledOnce()
  })
})

describe('nothing is tried again', () => {
  test.each([
    ['without an answer', new ServiceError({ kind: 'network' })],
    ['after another refusal', refusal('attemptEnded')],
    ['after a database that is not there', new FirebaseError('unavailable', '')],
    ['after what nobody foresaw', new Error('?')],
  ])('%s', async (_, error) => {
    const work = refusedWith(error)
    await expect(withToken(work)).rejects.toBe(error)
    expect(work).toHaveBeenCalledOnce()
    expect(forced).not.toHaveBeenCalled()
  })

  test('for who is not signed in', async () => {
    auth.currentUser = null
    const work = refusedWith(refusal('unauthenticated'))
    await expect(withToken(work)).rejects.toMatchObject({ failure: { code: 'unauthenticated' } })
    expect(work.mock.calls).toEqual([[null]])
  })

  test('when rules refuse a token that was renewed for the same reason', async () => {
    await withToken(refusedWith(denied()))
    const work = refusedWith(denied())
    await expect(withToken(work)).rejects.toMatchObject({ code: 'permission-denied' })
    expect(forced).toHaveBeenCalledOnce()
    // A server that does not take the token is another matter.
    expect(await withToken(refusedWith(refusal('unauthenticated')))).toBe(nth(2))
  })

  test('in the name of who signed in meanwhile', async () => {
    says = async () => {
      auth.currentUser = person('u2')
    }
    const work = refusedWith(refusal('unauthenticated'))
    await expect(withToken(work)).rejects.toMatchObject({ failure: { code: 'unauthenticated' } })
    expect(work).toHaveBeenCalledOnce()
  })
})

describe('a newer token that is not to be had', () => {
  test.each(['user-token-expired', 'user-disabled', 'invalid-refresh-token', 'project-number-mismatch'])(
    'because the session is over (%s): the refusal stands, and nobody is signed in any more',
    async (code) => {
      says = refuses(code)
      const work = refusedWith(refusal('unauthenticated'))
      await expect(withToken(work)).rejects.toMatchObject({ failure: { code: 'unauthenticated' } })
      expect(work).toHaveBeenCalledOnce()
      expect(signOut).toHaveBeenCalledOnce()
    },
  )

  test.each([
    ['network-request-failed', { kind: 'network' }],
    ['internal-error', { kind: 'authOther' }],
  ])('for want of an answer (%s): that is told, and the session stays', async (code, failure) => {
    says = refuses(code)
    await expect(withToken(refusedWith(refusal('unauthenticated')))).rejects.toMatchObject({ failure })
    expect(signOut).not.toHaveBeenCalled()
    says = null
    expect(await withToken(refusedWith(refusal('unauthenticated')))).toBe(nth(1))
  })
})

describe('a token and its account', () => {
  const bringUpToDate = () => bringTokenUpToDate(auth.currentUser as unknown as User)

  test('that disagree are brought together, once', async () => {
    await Promise.all([bringUpToDate(), bringUpToDate()])
    await bringUpToDate()
    expect(forced).toHaveBeenCalledOnce()
  })

  test('that agree ask nobody', async () => {
    auth.currentUser = person('u1', false)
    await bringUpToDate()
    expect(forced).not.toHaveBeenCalled()
  })

  test('are left alone when a new token says the same', async () => {
    const stubborn = { ...person(), getIdTokenResult: async () => ({ token: `token ${made}`, claims: {} }) }
    auth.currentUser = stubborn
    await bringUpToDate()
    await bringUpToDate()
    expect(forced).toHaveBeenCalledOnce()
  })
})
