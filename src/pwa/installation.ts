import { isStandalone } from '../browser/isStandalone.ts'
import { deviceStore } from '../browser/storage.ts'
import { requestPersistence } from './persistence.ts'

/** `share`: on iOS the user installs the app from Safari's menu. */
export type InstallInvitation = 'prompt' | 'share'

interface Facts {
  /** `earned`: a transfer has succeeded, so the app may offer its installation. */
  readonly stored: 'earned' | 'answered' | null
  readonly isInstalled: boolean
  readonly canPrompt: boolean
  readonly isSafariOnIos: boolean
}

/** Null if it is too early or the browser can't install the app. */
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

let isOffered = false

/**
 * Browsers offer the installation seconds after the start. The card would push the home screen down, so it
 * appears when the user next returns.
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

/** The user has seen the receipt of a paid transfer, so the app may offer its installation. */
export function rememberPaidTransfer() {
  requestPersistence()
  if (!deviceStore.get('install')) remember('earned')
}

export function endInstallInvitation() {
  remember('answered')
}

/** Any answer ends the invitation. */
export async function openInstallPrompt() {
  const prompt = window.opening?.installPrompt as InstallPrompt | null
  await prompt?.prompt()
  endInstallInvitation()
}

function remember(what: 'earned' | 'answered') {
  deviceStore.set('install', what)
  changed()
}
