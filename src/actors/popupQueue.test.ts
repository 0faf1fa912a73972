import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { chooseGoogleWindow, popupQueueLogic } from './popupQueue.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('Google opens in the own window if channels are blocked', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  expect(chooseGoogleWindow()).toBe('popup')
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw new DOMException('', 'SecurityError')
      }
    },
  )
  expect(chooseGoogleWindow()).toBe('own')
})

test('a closed popup is looked for every 2 to 10 seconds @spec-popup-polling', () => {
  const looks: number[] = [Date.now()]
  const popup = {
    close() {},
    get closed() {
      looks.push(Date.now())
      return false
    },
  }
  vi.stubGlobal('window', { open: () => popup, screenX: 0, screenY: 0, outerWidth: 1280, outerHeight: 800 })
  const actor = createActor(popupQueueLogic, { input: { isSlow: true } })
  actor.start()
  actor.send({ type: 'popup.request', id: '1', purpose: 'signIn', window: 'popup' })
  vi.advanceTimersByTime(50_000)
  actor.stop()
  const pauses = looks.slice(1).map((at, index) => at - (looks[index] ?? 0))
  expect(pauses.length).toBeGreaterThan(5)
  expect(Math.min(...pauses)).toBe(2_000)
  expect(Math.max(...pauses)).toBe(10_000)
})
