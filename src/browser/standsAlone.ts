/** Whether this is the installed app, which has one window and no address bar. iOS has a word of its own for it. */
export const standsAlone = (): boolean =>
  matchMedia('(display-mode: standalone)').matches ||
  (navigator as { standalone?: boolean }).standalone === true
