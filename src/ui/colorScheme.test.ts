import { expect, test, vi } from 'vitest'
import { followColorScheme } from './colorScheme.ts'

test('shows a scheme that another tab chose after the first paint', () => {
  const documentElement = { dataset: { mantineColorScheme: 'light' } }
  vi.stubGlobal('localStorage', { getItem: () => '"dark"' })
  vi.stubGlobal('document', { documentElement, querySelector: () => null })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }))
  vi.stubGlobal('addEventListener', () => undefined)
  followColorScheme()
  expect(documentElement.dataset.mantineColorScheme).toBe('dark')
  vi.unstubAllGlobals()
})
