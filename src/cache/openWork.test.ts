import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EMPTY_TRANSFER_DRAFT } from '../../domain/transfers/transfer.ts'
import { deviceStore } from '../browser/storage.ts'
import { stubStorage } from '../browser/testing/stubStorage.ts'
import { forgetUser, type OpenAttempt, withRows } from './database.ts'
import { readStoredDraft, saveDraft } from './drafts.ts'
import {
  findOpenPayment,
  forgetOpenAttempt,
  getDraftId,
  getOpenAttemptId,
  restoreOpenWork,
  trackOpenWork,
} from './openWork.ts'
import { unmarkSignedOut } from './signedOutUsers.ts'

const draft = { ...EMPTY_TRANSFER_DRAFT, amount: '100', phone: '+224620000000' }
const attempt = { id: 'a1', draft, begunAt: 1 } as OpenAttempt
const attempts = (uid: string) => withRows(uid, ({ attempts }) => attempts.toArray())

async function endSession(uid: string) {
  const left = await findOpenPayment(uid)
  await forgetUser(uid)
  return left
}

function signIn(uid: string) {
  unmarkSignedOut(uid)
  return restoreOpenWork(uid)
}

beforeEach(() => void stubStorage())
afterEach(async () => {
  for (const uid of ['u1', 'u2']) {
    await forgetUser(uid)
    await signIn(uid)
  }
  vi.unstubAllGlobals()
})

test('restoreOpenWork restores the form and the open payment of the same user', async () => {
  await saveDraft('u1', draft)
  trackOpenWork('u1', 'transfer', { attemptId: 'a1', write: ({ attempts }) => attempts.put(attempt) })
  expect(await endSession('u1')).toEqual({ attemptId: 'a1', isUnpaid: false })
  expect(await signIn('u1')).toBe(true)
  expect(await readStoredDraft('u1')).toMatchObject({ draft, draftId: getDraftId() })
  expect(await attempts('u1')).toEqual([attempt])
})

test('findOpenPayment finds a stored payment that this page has not read yet', async () => {
  await withRows('u1', ({ attempts }) => attempts.put(attempt))
  deviceStore.set('unconfirmed', 'a1')
  expect(await endSession('u1')).toEqual({ attemptId: 'a1', isUnpaid: true })
  await signIn('u1')
  expect(await attempts('u1')).toEqual([attempt])
})

test('a payment read from the device is closed once it has ended', async () => {
  await withRows('u1', ({ attempts }) => attempts.put(attempt))
  await findOpenPayment('u1')
  forgetOpenAttempt('u1', 'transfer', 'a0')
  expect(getOpenAttemptId('u1')).toBe('a1')
  forgetOpenAttempt('u1', 'transfer', 'a1')
  expect(getOpenAttemptId('u1')).toBeNull()
})

test('restoreOpenWork discards the form of another user', async () => {
  await saveDraft('u1', draft)
  await endSession('u1')
  expect(await signIn('u2')).toBe(false)
  expect(await readStoredDraft('u2')).toBeNull()
  await forgetUser('u2')
  await signIn('u1')
  expect(await readStoredDraft('u1')).toBeNull()
})

test('restoreOpenWork does not restore a payment that has ended', async () => {
  await saveDraft('u1', draft)
  trackOpenWork('u1', 'transfer', { attemptId: 'a1', write: ({ attempts }) => attempts.put(attempt) })
  forgetOpenAttempt('u1', 'transfer', 'a1')
  await saveDraft('u1', EMPTY_TRANSFER_DRAFT)
  expect(await endSession('u1')).toBeNull()
  expect(await signIn('u1')).toBe(false)
  expect(await readStoredDraft('u1')).toBeNull()
  expect(await attempts('u1')).toEqual([])
})

test('restoreOpenWork ignores a form noted after the sign-out', async () => {
  await endSession('u1')
  await saveDraft('u1', draft).catch(() => undefined)
  await signIn('u1')
  expect(await readStoredDraft('u1')).toBeNull()
})
