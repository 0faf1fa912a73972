import { expect, test, vi } from 'vitest'
import { colorSchemeManager } from './colorSchemeManager.ts'

test('reports a scheme that another tab has chosen between the first render and the subscription', () => {
  let stored: string | null = null
  vi.stubGlobal('localStorage', { getItem: () => stored })
  vi.stubGlobal('addEventListener', () => undefined)
  expect(colorSchemeManager.get('auto')).toBe('auto')
  stored = '"dark"'
  const onUpdate = vi.fn()
  colorSchemeManager.subscribe(onUpdate)
  expect(onUpdate).toHaveBeenCalledWith('dark')
  vi.unstubAllGlobals()
})
