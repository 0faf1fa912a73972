import type { MantineColorSchemeManager } from '@mantine/core'
import { getStoredScheme, showScheme } from '../browser/colorScheme.ts'
import { deviceStore } from '../browser/storage.ts'

let unwatch = () => {}

/** The opening script reads the scheme from this device. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: getStoredScheme,
  set(scheme) {
    showScheme(scheme)
    deviceStore.set('scheme', scheme === 'auto' ? null : scheme)
  },
  subscribe(onUpdate) {
    const update = () => onUpdate(getStoredScheme())
    unwatch = deviceStore.watch('scheme', update)
    // Another tab may have changed the scheme since the first render.
    update()
  },
  unsubscribe: () => unwatch(),
  clear: () => deviceStore.set('scheme', null),
}
