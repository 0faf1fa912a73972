import { deviceStore } from './storage.ts'

export const SCHEMES = ['auto', 'light', 'dark'] as const

export type Scheme = (typeof SCHEMES)[number]

/** The dark color applies when the media query doesn't match. */
const LIGHT_BAR: Record<Scheme, string> = {
  auto: '(prefers-color-scheme: light)',
  light: 'all',
  dark: 'not all',
}

export const getStoredScheme = (): Scheme => deviceStore.get('scheme') ?? 'auto'

export function showScheme(scheme: Scheme) {
  const isDark = scheme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : scheme === 'dark'
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
  document.querySelector('[name=theme-color]')?.setAttribute('media', LIGHT_BAR[scheme])
}
