import { beforeEach, expect, test, vi } from 'vitest'
import { type NotificationData, updateArrivalBadge } from './arrivalBadge.ts'

const setAppBadge = vi.fn<(count: number) => Promise<void>>()
let shown: (NotificationData | null)[] = []

const registration = {
  getNotifications: async () =>
    shown.map((data) => ({ data, close: () => (shown = shown.filter((one) => one !== data)) })),
} as unknown as ServiceWorkerRegistration

const listShownIds = () => shown.map((data) => data?.id)

beforeEach(() => {
  shown = [
    { id: 'pi_1', isArrival: true },
    { id: 'pi_2', isArrival: true },
    { id: 'pi_3', isArrival: false },
    { id: null, isArrival: false },
    null,
  ]
  setAppBadge.mockReset().mockResolvedValue()
  vi.stubGlobal('navigator', { setAppBadge })
  return () => vi.unstubAllGlobals()
})

test.each([
  ['no arrival', null, 2, ['pi_1', 'pi_2', 'pi_3', null, undefined]],
  ['one arrival', { id: 'pi_1' }, 1, ['pi_2', 'pi_3', null, undefined]],
  ['a refund', { id: 'pi_3' }, 2, ['pi_1', 'pi_2', 'pi_3', null, undefined]],
  ['a general notification', { id: null }, 2, ['pi_1', 'pi_2', 'pi_3', null, undefined]],
  ['every arrival', 'all', 0, ['pi_3', null, undefined]],
] as const)(
  'after the user has seen %s, the badge counts the other arrivals',
  async (_, seen, count, left) => {
    await updateArrivalBadge(registration, seen)
    expect(setAppBadge.mock.calls).toEqual([[count]])
    expect(listShownIds()).toEqual(left)
  },
)

test('a browser without working badges still closes seen notifications', async () => {
  setAppBadge.mockRejectedValue(new DOMException('', 'NotAllowedError'))
  await updateArrivalBadge(registration, { id: 'pi_1' })
  vi.stubGlobal('navigator', {})
  await updateArrivalBadge(registration, { id: 'pi_2' })
  expect(listShownIds()).toEqual(['pi_3', null, undefined])
})
