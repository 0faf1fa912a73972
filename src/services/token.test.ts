import { FirebaseError } from 'firebase/app'
import type { User } from 'firebase/auth'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Failure } from '../../domain/errors/failure.ts'
import { parseRefusal } from '../../domain/errors/refusals.ts'
import { ServiceError } from '../browser/failure.ts'
import { refreshStaleToken, withToken } from './token.ts'

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
  const withAuthErrors = (work: Promise<unknown>) =>
    work.catch((cause: FirebaseError) => {
      const failure: Failure =
        cause.code === 'auth/network-request-failed'
          ? { kind: 'network' }
          : { kind: 'authOther', message: cause.code }
      throw new ServiceError(failure, { cause })
    })
  return { auth, withAuthErrors }
})

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
  new ServiceError({ kind: 'function', status: 401, error: '', message: '', ...parseRefusal(code, {}) })
const denied = () => new FirebaseError('permission-denied', 'Missing or insufficient permissions.')
const refuses = (code: string) => async () => {
  throw new FirebaseError(`auth/${code}`, '')
}

const refusedWith = (...errors: unknown[]) =>
  vi.fn(async (token: string | null) => {
    const error = errors.shift()
    if (error) throw error
    return token
  })

const nth = (count: number) => `token ${first + count}`
let first = made
beforeEach(() => {
  made += 1
  first = made
  says = null
  auth.currentUser = person()
})
afterEach(() => vi.clearAllMocks())

describe('withToken after a refusal for an old token', () => {
  test.each([
    ['of the token by a function', refusal('unauthenticated')],
    ['of the token’s claims by a function', refusal('emailUnverified')],
    ['of the token by the database', new FirebaseError('unauthenticated', '')],
    ['by the rules of the database', denied()],
    ['of the token by the storage', new FirebaseError('storage/unauthenticated', '')],
    [
      'by the rules of the storage, as a ServiceError',
      new ServiceError(
        { kind: 'storage', code: 'unauthorized' },
        { cause: new FirebaseError('storage/unauthorized', '') },
      ),
    ],
  ])('a refusal %s makes withToken retry once with a newer token', async (_, error) => {
    const work = refusedWith(error)
    expect(await withToken(work)).toBe(nth(1))
    expect(work.mock.calls).toEqual([[nth(0)], [nth(1)]])
  })

  test('withToken rejects if the retry is refused too', async () => {
    const work = refusedWith(refusal('unauthenticated'), refusal('unauthenticated'))
    await expect(withToken(work)).rejects.toMatchObject({ failure: { code: 'unauthenticated' } })
    expect(work).toHaveBeenCalledTimes(2)
  })

  test('calls refused at the same time renew the token once', async () => {
    const works = Array.from({ length: 3 }, () => refusedWith(refusal('unauthenticated')))
    expect(await Promise.all(works.map((work) => withToken(work)))).toEqual(Array(3).fill(nth(1)))
    expect(forced).toHaveBeenCalledOnce()
  })

  test('a call that took longer than the renewal finds the renewed token', async () => {
    const { promise: refused, reject } = Promise.withResolvers<never>()
    const work = vi.fn((given: string | null) => (given === nth(0) ? refused : Promise.resolve(given)))
    const late = withToken(work)
    await withToken(refusedWith(refusal('unauthenticated')))
    reject(refusal('unauthenticated'))
    expect(await late).toBe(nth(1))
    expect(forced).toHaveBeenCalledOnce()
  })
})

describe('withToken does not repeat a call', () => {
  test.each([
    ['that got no response', new ServiceError({ kind: 'network' })],
    ['that was refused for another reason', refusal('attemptEnded')],
    ['that an unavailable database rejected', new FirebaseError('unavailable', '')],
    ['that failed with an unknown error', new Error('?')],
  ])('withToken does not repeat a call %s', async (_, error) => {
    const work = refusedWith(error)
    await expect(withToken(work)).rejects.toBe(error)
    expect(work).toHaveBeenCalledOnce()
    expect(forced).not.toHaveBeenCalled()
  })

  test('withToken does not repeat a call for a signed-out user', async () => {
    auth.currentUser = null
    const work = refusedWith(refusal('unauthenticated'))
    await expect(withToken(work)).rejects.toMatchObject({ failure: { code: 'unauthenticated' } })
    expect(work.mock.calls).toEqual([[null]])
  })

  test('withToken repeats no call whose renewed token is refused again', async () => {
    await withToken(refusedWith(denied()))
    const work = refusedWith(denied())
    await expect(withToken(work)).rejects.toMatchObject({ code: 'permission-denied' })
    expect(forced).toHaveBeenCalledOnce()
    // A refusal of the token itself still renews it.
    expect(await withToken(refusedWith(refusal('unauthenticated')))).toBe(nth(2))
  })

  test('withToken repeats no call for a user who just signed in', async () => {
    says = async () => {
      auth.currentUser = person('u2')
    }
    const work = refusedWith(refusal('unauthenticated'))
    await expect(withToken(work)).rejects.toMatchObject({ failure: { code: 'unauthenticated' } })
    expect(work).toHaveBeenCalledOnce()
  })
})

describe('a token that cannot be renewed', () => {
  test.each(['user-token-expired', 'user-disabled', 'invalid-refresh-token', 'project-number-mismatch'])(
    'a token of an ended session (%s) signs the user out',
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
  ])('withToken rejects with a renewal’s failure (%s), and keeps the session', async (code, failure) => {
    says = refuses(code)
    await expect(withToken(refusedWith(refusal('unauthenticated')))).rejects.toMatchObject({ failure })
    expect(signOut).not.toHaveBeenCalled()
    says = null
    expect(await withToken(refusedWith(refusal('unauthenticated')))).toBe(nth(1))
  })
})

describe('a token and its account', () => {
  const bringUpToDate = () => refreshStaleToken(auth.currentUser as unknown as User)

  test('a token whose claims disagree with its account is renewed once', async () => {
    await Promise.all([bringUpToDate(), bringUpToDate()])
    await bringUpToDate()
    expect(forced).toHaveBeenCalledOnce()
  })

  test('a token whose claims agree with its account is not renewed', async () => {
    auth.currentUser = person('u1', false)
    await bringUpToDate()
    expect(forced).not.toHaveBeenCalled()
  })

  test('a token that disagrees even after renewal is not renewed again', async () => {
    const stubborn = { ...person(), getIdTokenResult: async () => ({ token: `token ${made}`, claims: {} }) }
    auth.currentUser = stubborn
    await bringUpToDate()
    await bringUpToDate()
    expect(forced).toHaveBeenCalledOnce()
  })
})
