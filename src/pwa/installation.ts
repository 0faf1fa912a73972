import { isStandalone } from '../browser/isStandalone.ts'
import { deviceStore } from '../browser/storage.ts'
import { requestPersistence } from './persistence.ts'

/**
 * `prompt`: the app can open the browser's prompt. `share`: on iOS the user installs the app from Safari's
 * menu.
 */
export type InstallInvitation = 'prompt' | 'share'

interface Facts {
  /**
   * `earned`: a transfer has succeeded, so the app may offer its installation. `answered`: the user has
   * answered the offer.
   */
  readonly stored: 'earned' | 'answered' | null
  readonly isInstalled: boolean
  readonly canPrompt: boolean
  readonly isSafariOnIos: boolean
}

/** Chooses how the app can invite the user to install it; null if it is too early or the browser can't. */
export function chooseInstallInvitation({
  stored,
  isInstalled,
  canPrompt,
  isSafariOnIos,
}: Facts): InstallInvitation | null {
  if (stored !== 'earned' || isInstalled) return null
  if (canPrompt) return 'prompt'
  return isSafariOnIos ? 'share' : null
}

interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let changed = () => {}

/** Whether the browser had offered the installation when the home screen was last shown. */
let isOffered = false

/**
 * Calls back when the invitation may have changed; for `useSyncExternalStore`. Browsers offer the
 * installation seconds after the start. The card would push the home screen down, so it appears when the user
 * next returns to that screen.
 */
export function watchInstallInvitation(onChange: () => void): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  changed = () => {
    // src/prerender/opening.ts stores the browser's offer.
    isOffered = Boolean(window.opening?.installPrompt)
    onChange()
  }
  changed()
  addEventListener('popstate', changed, { signal })
  const changedUnseen = () => document.visibilityState === 'hidden' && changed()
  document.addEventListener('visibilitychange', changedUnseen, { signal })
  addEventListener('appinstalled', endInstallInvitation, { signal })
  return () => stopped.abort()
}

export const getInstallInvitation = (): InstallInvitation | null =>
  chooseInstallInvitation({
    stored: deviceStore.get('install'),
    isInstalled: isStandalone(),
    canPrompt: isOffered,
    // Other browsers on iOS, and pages inside other apps, don't name a version of Safari.
    isSafariOnIos: 'standalone' in navigator && /Version\/.*Safari\//.test(navigator.userAgent),
  })

/**
 * Notes that the user has seen the receipt of a paid transfer. Now the app may offer its installation, and
 * requests persistent storage.
 */
export function rememberPaidTransfer() {
  requestPersistence()
  if (!deviceStore.get('install')) remember('earned')
}

/** Ends the invitation on this device: the user refused, or the app is installed. */
export function endInstallInvitation() {
  remember('answered')
}

/** Opens the browser's prompt. Any answer ends the invitation. */
export async function openInstallPrompt() {
  const prompt = window.opening?.installPrompt as InstallPrompt | null
  await prompt?.prompt()
  endInstallInvitation()
}

function remember(what: 'earned' | 'answered') {
  deviceStore.set('install', what)
  changed()
}
