import { expect, test, vi } from 'vitest'
import { colorSchemeManager } from './colorSchemeManager.ts'

test('reports another tab’s scheme chosen between first render and subscription', () => {
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
