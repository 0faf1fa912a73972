/**
 * Whether this is the installed app, in its own window without an address bar. iOS has its own property for
 * it.
 */
export const isStandalone = (): boolean =>
  matchMedia('(display-mode: standalone)').matches ||
  (navigator as { standalone?: boolean }).standalone === true
