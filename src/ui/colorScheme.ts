import { useSyncExternalStore } from 'react'
import { getStoredScheme, type Scheme, showScheme } from '../browser/colorScheme.ts'
import { deviceStore } from '../browser/storage.ts'

const ATTRIBUTE = 'data-mantine-color-scheme'

const showStored = () => showScheme(getStoredScheme())

/** Follows the system and the other tabs. */
export function followColorScheme(): () => void {
  // Another tab may have changed the scheme since the first paint.
  showStored()
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', showStored)
  const unwatch = deviceStore.watch('scheme', showStored)
  return () => {
    system.removeEventListener('change', showStored)
    unwatch()
  }
}

export function setColorScheme(scheme: Scheme) {
  deviceStore.set('scheme', scheme === 'auto' ? null : scheme)
  showScheme(scheme)
}

export const useColorScheme = (): Scheme => useSyncExternalStore(watchScheme, getStoredScheme)

export const useIsDark = (): boolean => useSyncExternalStore(watchScheme, isDark)

const isDark = () => document.documentElement.getAttribute(ATTRIBUTE) === 'dark'

function watchScheme(listener: () => void) {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: [ATTRIBUTE] })
  return () => observer.disconnect()
}
