import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { cancelPlan, EMPTY_SUBSCRIPTION } from '../../domain/plans.ts'
import type { Subscription } from '../../domain/schemas/profile.ts'
import { withRows } from '../cache/database.ts'
import { updateStoredPlan } from '../cache/plans.ts'
import { readOwnSubscription } from '../cache/queries.ts'
import { refreshPlan } from './refreshPlan.ts'

const { fetchProfile } = vi.hoisted(() => ({ fetchProfile: vi.fn() }))
vi.mock('../services/profiles.ts', () => ({ fetchProfile }))
vi.mock('../services/ledgers.ts', () => ({}))

const basic: Subscription = {
  ...EMPTY_SUBSCRIPTION,
  tier: 'basic',
  status: 'active',
  transactionsLeft: 2,
  stripeSubscriptionId: 'sub_1',
}

let people = 0
let uid = ''
const kept = () => withRows(uid, (rows) => readOwnSubscription(rows, uid))

beforeEach(async () => {
  people += 1
  uid = `plan-${people}`
  fetchProfile.mockReset()
  const profile = { uid, email: null, name: 'Awa', phone: null, subscription: basic }
  await withRows(uid, ({ profiles }) => profiles.put(profile))
})

test('refreshPlan replaces the plan on this device with the server’s, and keeps it if the server has none', async () => {
  const used = { ...basic, transactionsLeft: 1 }
  fetchProfile.mockResolvedValueOnce({ subscription: used })
  expect(await refreshPlan(uid)).toEqual(used)
  expect(await kept()).toEqual(used)
  fetchProfile.mockResolvedValueOnce(null)
  expect(await refreshPlan(uid)).toEqual(used)
})

test('refreshPlan ignores a response that is older than a cancellation on this device', async () => {
  const canceled = cancelPlan(basic, 1_800_000_000_000)
  fetchProfile.mockImplementationOnce(async () => {
    await updateStoredPlan(uid, () => canceled)
    return { subscription: basic }
  })
  fetchProfile.mockImplementationOnce(async () => {
    expect(await kept()).toEqual(canceled)
    return { subscription: { ...canceled, transactionsLeft: 1 } }
  })
  expect(await refreshPlan(uid)).toEqual({ ...canceled, transactionsLeft: 1 })
  expect(await kept()).toEqual({ ...canceled, transactionsLeft: 1 })
})

test('refreshPlan stores the server’s profile if this device has none, and reports no plan before', async () => {
  const profile = { uid, email: null, name: 'Awa', phone: null, subscription: basic }
  await withRows(uid, ({ profiles }) => profiles.clear())
  expect(await kept()).toBeNull()
  fetchProfile.mockResolvedValueOnce(profile)
  expect(await refreshPlan(uid)).toEqual(basic)
  expect(await kept()).toEqual(basic)
})

test('updateStoredPlan stores both of two simultaneous changes of the plan', async () => {
  const use = () =>
    updateStoredPlan(uid, (stored) => ({ ...stored, transactionsLeft: (stored.transactionsLeft ?? 0) - 1 }))
  await Promise.all([use(), use()])
  expect(await kept()).toEqual({ ...basic, transactionsLeft: 0 })
})
