import { expect, test, vi } from 'vitest'
import { deleteAccount, signOutEverywhere } from './accountEnd.ts'
import { callFunction } from './functions.ts'

const { auth } = vi.hoisted(() => ({ auth: { currentUser: { uid: 'awa' } as { uid: string } | null } }))
vi.mock('./authClient.ts', () => ({ auth, getCurrentUser: async () => auth.currentUser }))
vi.mock('./functions.ts', () => ({ callFunction: vi.fn() }))

test.each([
  ['the same user', 'awa', true],
  ['nobody', null, true],
  ['another user', 'binta', false],
])('the end of an account concerns a device with %s', async (_, uid, isConcerned) => {
  for (const end of [signOutEverywhere, deleteAccount]) {
    auth.currentUser = { uid: 'awa' }
    vi.mocked(callFunction).mockImplementation(async () => {
      auth.currentUser = uid === null ? null : { uid }
      return {}
    })
    expect(await end()).toBe(isConcerned)
  }
})
