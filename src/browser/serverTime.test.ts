import { globSync, readFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { HOUR } from '../../domain/duration.ts'

const DEVICE = Date.UTC(2026, 10, 20, 15)

let kept: Map<string, string>

/** The module as a page has it that was opened just now; the storage stays. */
async function openPage() {
  vi.resetModules()
  return import('./serverTime.ts')
}

beforeEach(() => {
  vi.useFakeTimers({ now: DEVICE })
  kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

test('before the first answer it is the time of the device', async () => {
  const { serverNow } = await openPage()
  expect(serverNow()).toBe(DEVICE)
})

test.each([-3, 3, 30])(
  'a device %d hours ahead knows the time of the server, after a reload too',
  async (hours) => {
    const server = DEVICE - hours * HOUR
    const { noteServerTime, serverNow } = await openPage()
    noteServerTime(server, 0)
    expect(serverNow()).toBe(server)
    vi.setSystemTime(DEVICE + 1000)
    expect(serverNow()).toBe(server + 1000)
    expect((await openPage()).serverNow()).toBe(server + 1000)
  },
)

test('the server looked at its clock in the middle of the question, as far as anybody knows', async () => {
  const { noteServerTime, serverNow } = await openPage()
  noteServerTime(DEVICE - HOUR, 4000)
  expect(serverNow()).toBe(DEVICE - HOUR + 2000)
})

test('what a slow answer explains changes nothing', async () => {
  const { noteServerTime, serverNow } = await openPage()
  noteServerTime(DEVICE - HOUR, 0)
  noteServerTime(DEVICE - HOUR - 4000, 8000)
  expect(serverNow()).toBe(DEVICE - HOUR)
  noteServerTime(DEVICE - HOUR - 4001, 0)
  expect(serverNow()).toBe(DEVICE - HOUR - 4001)
})

test('a clock that is put right is noticed at the next answer', async () => {
  const { noteServerTime, serverNow } = await openPage()
  noteServerTime(DEVICE - 3 * HOUR, 20)
  vi.setSystemTime(DEVICE - 3 * HOUR)
  noteServerTime(DEVICE - 3 * HOUR, 20)
  expect(Math.abs(serverNow() - (DEVICE - 3 * HOUR))).toBeLessThanOrEqual(10)
})

test('who asks again is told when it turns out to be another time, and of nothing else', async () => {
  const { noteServerTime, watchServerTime } = await openPage()
  const listener = vi.fn()
  const stop = watchServerTime(listener)
  noteServerTime(DEVICE - HOUR, 0)
  noteServerTime(DEVICE - HOUR, 20)
  expect(listener).toHaveBeenCalledTimes(1)
  stop()
  noteServerTime(DEVICE, 0)
  expect(listener).toHaveBeenCalledTimes(1)
})

/** What measures how long something takes on this device, or in which order its tabs did something; and this. */
const BY_THE_DEVICE = [
  'src/actors/popupQueue.ts',
  'src/cache/database.ts',
  'src/googlePopup/page.ts',
  'src/browser/serverTime.ts',
  'src/inspection/tell.ts',
  'src/ui/phoneCode/usePhoneCode.ts',
]

test('nothing else in the app goes by the clock of the device', () => {
  const asking = globSync('src/**/*.{ts,tsx}')
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .filter((file) => /\bDate\.now\b|new Date\(\)/.test(readFileSync(file, 'utf8')))
  expect(asking.filter((file) => !BY_THE_DEVICE.includes(file))).toEqual([])
})
