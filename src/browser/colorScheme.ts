import { deviceStore } from './storage.ts'

export const SCHEMES = ['auto', 'light', 'dark'] as const

/** The color scheme of the app; `auto` is the system's. */
export type Scheme = (typeof SCHEMES)[number]

/** Media queries of the light color of the browser's bar. The dark one applies when they don't match. */
const LIGHT_BAR: Record<Scheme, string> = {
  auto: '(prefers-color-scheme: light)',
  light: 'all',
  dark: 'not all',
}

/** Returns the scheme chosen on this device; the system's until the user chooses. */
export const getStoredScheme = (): Scheme => deviceStore.get('scheme') ?? 'auto'

/** Shows the page and the browser's bar in this scheme. */
export function showScheme(scheme: Scheme) {
  const isDark = scheme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : scheme === 'dark'
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
  document.querySelector('[name=theme-color]')?.setAttribute('media', LIGHT_BAR[scheme])
}
