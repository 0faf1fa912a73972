import { globSync, readFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { HOUR } from '../../domain/common/duration.ts'
import { stubStorage } from './testing/stubStorage.ts'

const DEVICE = Date.UTC(2026, 10, 20, 15)

async function openPage() {
  vi.resetModules()
  return import('./serverTime.ts')
}

beforeEach(() => {
  vi.useFakeTimers({ now: DEVICE })
  stubStorage()
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

test('serverNow returns the device’s time before the first response', async () => {
  const { serverNow } = await openPage()
  expect(serverNow()).toBe(DEVICE)
})

test.each([-3, 3, 30])(
  'serverNow corrects a clock that is %d hours ahead, even after reloading',
  async (hours) => {
    const server = DEVICE - hours * HOUR
    const { syncServerTime, serverNow } = await openPage()
    syncServerTime(server, 0)
    expect(serverNow()).toBe(server)
    vi.setSystemTime(DEVICE + 1000)
    expect(serverNow()).toBe(server + 1000)
    expect((await openPage()).serverNow()).toBe(server + 1000)
  },
)

test('syncServerTime assumes that the server read its clock halfway through the request', async () => {
  const { syncServerTime, serverNow } = await openPage()
  syncServerTime(DEVICE - HOUR, 4000)
  expect(serverNow()).toBe(DEVICE - HOUR + 2000)
})

test('syncServerTime ignores a difference that a slow response explains', async () => {
  const { syncServerTime, serverNow } = await openPage()
  syncServerTime(DEVICE - HOUR, 0)
  syncServerTime(DEVICE - HOUR - 4000, 8000)
  expect(serverNow()).toBe(DEVICE - HOUR)
  syncServerTime(DEVICE - HOUR - 4001, 0)
  expect(serverNow()).toBe(DEVICE - HOUR - 4001)
})

test('syncServerTime adapts to a corrected device clock at the next response', async () => {
  const { syncServerTime, serverNow } = await openPage()
  syncServerTime(DEVICE - 3 * HOUR, 20)
  vi.setSystemTime(DEVICE - 3 * HOUR)
  syncServerTime(DEVICE - 3 * HOUR, 20)
  expect(Math.abs(serverNow() - (DEVICE - 3 * HOUR))).toBeLessThanOrEqual(10)
})

test('watchServerTime calls back only when the server’s time differs', async () => {
  const { syncServerTime, watchServerTime } = await openPage()
  const listener = vi.fn()
  const stop = watchServerTime(listener)
  syncServerTime(DEVICE - HOUR, 0)
  syncServerTime(DEVICE - HOUR, 20)
  expect(listener).toHaveBeenCalledTimes(1)
  stop()
  syncServerTime(DEVICE, 0)
  expect(listener).toHaveBeenCalledTimes(1)
})

/** The files that may use the device's clock, for durations or to order events across tabs. */
const BY_THE_DEVICE = [
  'src/actors/appLock.ts',
  'src/actors/popupQueue.ts',
  'src/cache/database.ts',
  'src/googlePopup/page.ts',
  'src/browser/serverTime.ts',
  'src/ui/phoneCode/usePhoneCode.ts',
]

test('only the listed files of the app use the device’s clock', () => {
  const asking = globSync('src/**/*.{ts,tsx}')
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .filter((file) => /\bDate\.now\b|new Date\(\)/.test(readFileSync(file, 'utf8')))
  expect(asking.filter((file) => !BY_THE_DEVICE.includes(file))).toEqual([])
})
