import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Subscription } from '../../domain/account/profileSchema.ts'
import { cancelPlan, EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import { withRows } from '../cache/database.ts'
import { updateStoredPlan } from '../cache/plans.ts'
import { readOwnSubscription } from '../cache/queries.ts'
import { refreshPlan } from './refreshPlan.ts'

const { fetchProfile, requestPlanRefresh } = vi.hoisted(() => ({
  fetchProfile: vi.fn(),
  requestPlanRefresh: vi.fn(),
}))
vi.mock('../services/profiles.ts', () => ({ fetchProfile }))
vi.mock('../services/ledgers.ts', () => ({}))
vi.mock('../services/subscriptions.ts', () => ({ requestPlanRefresh }))

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
  requestPlanRefresh.mockReset().mockResolvedValue(undefined)
  const profile = { uid, email: null, name: 'Awa', phone: null, subscription: basic }
  await withRows(uid, ({ profiles }) => profiles.put(profile))
})

test('refreshPlan stores the server’s plan, and keeps the device’s without one', async () => {
  const used = { ...basic, transactionsLeft: 1 }
  fetchProfile.mockResolvedValueOnce({ subscription: used })
  expect(await refreshPlan(uid)).toEqual(used)
  expect(await kept()).toEqual(used)
  fetchProfile.mockResolvedValueOnce(null)
  expect(await refreshPlan(uid)).toEqual(used)
})

test('refreshPlan ignores a response older than the device’s cancellation', async () => {
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

test('refreshPlan stores a missing profile, and reports no former plan', async () => {
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

test('refreshPlan asks about Stripe only while a renewal waits for confirmation', async () => {
  const confirmation = { url: 'https://invoice.example', keptUntil: null }
  const unconfirmed: Subscription = { ...basic, renewalFailed: true, confirmation }
  fetchProfile.mockResolvedValueOnce({ subscription: unconfirmed })
  expect(await refreshPlan(uid)).toEqual(unconfirmed)
  expect(requestPlanRefresh).not.toHaveBeenCalled()
  // The profile is read even if Stripe can't be asked, because an event may have updated it.
  requestPlanRefresh.mockRejectedValueOnce(new Error('no answer'))
  fetchProfile.mockImplementationOnce(async () => {
    expect(requestPlanRefresh).toHaveBeenCalledOnce()
    return { subscription: unconfirmed }
  })
  expect(await refreshPlan(uid)).toEqual(unconfirmed)
  fetchProfile.mockResolvedValueOnce({ subscription: basic })
  expect(await refreshPlan(uid)).toEqual(basic)
  expect(requestPlanRefresh).toHaveBeenCalledTimes(2)
})
