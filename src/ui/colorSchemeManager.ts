import type { MantineColorSchemeManager } from '@mantine/core'
import { getStoredScheme, showScheme } from '../browser/colorScheme.ts'
import { deviceStore } from '../browser/storage.ts'

let unwatch = () => {}

/** Keeps the color scheme on this device, where the opening script reads it, and follows other tabs. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: getStoredScheme,
  set(scheme) {
    showScheme(scheme)
    deviceStore.set('scheme', scheme === 'auto' ? null : scheme)
  },
  subscribe(onUpdate) {
    const update = () => onUpdate(getStoredScheme())
    unwatch = deviceStore.watch('scheme', update)
    // Another tab may have changed it since the first render.
    update()
  },
  unsubscribe: () => unwatch(),
  clear: () => deviceStore.set('scheme', null),
}
