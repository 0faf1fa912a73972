import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EMPTY_DRAFT } from '../../domain/transfer.ts'
import { deviceStore } from '../browser/storage.ts'
import { forgetUser, type OpenAttempt, withRows } from './database.ts'
import { keepDraft, keptDraft } from './drafts.ts'
import { welcomeUser } from './signedOutUsers.ts'
import { findUnderWay, noteUnderWay, putBackUnderWay } from './underWay.ts'

const draft = { ...EMPTY_DRAFT, amount: '100', phone: '+224620000000' }
const attempt = { id: 'a1', draft, begunAt: 1 } as OpenAttempt
const attempts = (uid: string) => withRows(uid, ({ attempts }) => attempts.toArray())

/** As the session's actors do when the service has ended it. */
async function endSession(uid: string) {
  const left = await findUnderWay(uid)
  await forgetUser(uid)
  return left
}

function signIn(uid: string) {
  welcomeUser(uid)
  return putBackUnderWay(uid)
}

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
})
afterEach(async () => {
  for (const uid of ['u1', 'u2']) {
    await forgetUser(uid)
    await signIn(uid)
  }
  vi.unstubAllGlobals()
})

test('the same person goes on where the session was ended', async () => {
  await keepDraft('u1', draft)
  noteUnderWay('u1', 'pay', { attemptId: 'a1', write: ({ attempts }) => attempts.put(attempt) })
  expect(await endSession('u1')).toEqual({ attemptId: 'a1', isUnpaid: false })
  expect(await signIn('u1')).toBe(true)
  expect(await keptDraft('u1')).toEqual(draft)
  expect(await attempts('u1')).toEqual([attempt])
})

test('what this page has not looked at yet is found on the device', async () => {
  await withRows('u1', ({ attempts }) => attempts.put(attempt))
  deviceStore.set('unconfirmed', 'a1')
  expect(await endSession('u1')).toEqual({ attemptId: 'a1', isUnpaid: true })
  await signIn('u1')
  expect(await attempts('u1')).toEqual([attempt])
})

test('somebody else finds nothing, and leaves nothing of it', async () => {
  await keepDraft('u1', draft)
  await endSession('u1')
  expect(await signIn('u2')).toBe(false)
  expect(await keptDraft('u2')).toBeNull()
  await forgetUser('u2')
  await signIn('u1')
  expect(await keptDraft('u1')).toBeNull()
})

test('what has come to an end does not come back', async () => {
  await keepDraft('u1', draft)
  noteUnderWay('u1', 'pay', { attemptId: 'a1', write: ({ attempts }) => attempts.put(attempt) })
  noteUnderWay('u1', 'pay', null)
  await keepDraft('u1', EMPTY_DRAFT)
  expect(await endSession('u1')).toBeNull()
  expect(await signIn('u1')).toBe(false)
  expect(await keptDraft('u1')).toBeNull()
  expect(await attempts('u1')).toEqual([])
})

test('what is written too late, for who has left, is not held either', async () => {
  await endSession('u1')
  await keepDraft('u1', draft).catch(() => undefined)
  await signIn('u1')
  expect(await keptDraft('u1')).toBeNull()
})
