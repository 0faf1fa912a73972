import { expect, test, vi } from 'vitest'
import { openChannel } from './openChannel.ts'

test('openChannel returns null if the browser has or allows no channel', () => {
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw new DOMException('', 'SecurityError')
      }
    },
  )
  expect(openChannel('tabs')).toBeNull()
  vi.stubGlobal('BroadcastChannel', undefined)
  expect(openChannel('tabs')).toBeNull()
  vi.unstubAllGlobals()
})
