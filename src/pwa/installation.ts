import { standsAlone } from '../browser/standsAlone.ts'
import { deviceStore } from '../browser/storage.ts'
import { askToKeep } from './keeping.ts'

/** `prompt`: the browser asks when it is told to. `share`: iOS, where the person has to do it in Safari's own menu. */
export type Invitation = 'prompt' | 'share'

interface Facts {
  /** The app may ask once a transfer has gone well, until the user has answered. */
  readonly stored: 'earned' | 'answered' | null
  readonly isInstalled: boolean
  readonly canPrompt: boolean
  readonly isSafariOnIos: boolean
}

/** How the person is invited to install the app now; null when it is not the moment, or there is no way to. */
export function invitationFor({ stored, isInstalled, canPrompt, isSafariOnIos }: Facts): Invitation | null {
  if (stored !== 'earned' || isInstalled) return null
  if (canPrompt) return 'prompt'
  return isSafariOnIos ? 'share' : null
}

interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let changed = () => {}

/** Whether the browser had offered it when the home screen was shown last. */
let isOffered = false

/**
 * For `useSyncExternalStore`: calls back when the invitation may have changed. Browsers offer it some seconds after the start. The card stands
 * over the whole home screen: who looks at that by then is invited when they come back to it, from a page or from elsewhere.
 */
export function watchInvitation(onChange: () => void): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  changed = () => {
    // The page keeps what the browser offered, see src/prerender/opening.ts.
    isOffered = Boolean(window.opening?.installPrompt)
    onChange()
  }
  changed()
  addEventListener('popstate', changed, { signal })
  const changedUnseen = () => document.visibilityState === 'hidden' && changed()
  document.addEventListener('visibilitychange', changedUnseen, { signal })
  addEventListener('appinstalled', answer, { signal })
  return () => stopped.abort()
}

export const currentInvitation = (): Invitation | null =>
  invitationFor({
    stored: deviceStore.get('install'),
    isInstalled: standsAlone(),
    canPrompt: isOffered,
    // Other browsers there, and pages inside other apps, don't name a version of Safari.
    isSafariOnIos: 'standalone' in navigator && /Version\/.*Safari\//.test(navigator.userAgent),
  })

/** A transfer was paid, and its receipt seen: that is worth keeping, in the app and on the device. */
export function noteSuccess() {
  askToKeep()
  if (!deviceStore.get('install')) remember('earned')
}

/** The person has refused, or the app is installed: they are not asked again on this device. */
export function answer() {
  remember('answered')
}

/** Lets the browser ask the person. Any answer ends the invitation. */
export async function install() {
  const prompt = window.opening?.installPrompt as InstallPrompt | null
  await prompt?.prompt()
  answer()
}

function remember(what: 'earned' | 'answered') {
  deviceStore.set('install', what)
  changed()
}
