import { standsAlone } from '../browser/standsAlone.ts'
import { askToKeep } from './keeping.ts'

const KEY = 'passerelle.install'

/** Nobody is asked before a transfer has gone well, nor again after an answer. */
type Stored = 'earned' | 'answered'

/** `prompt`: the browser asks when it is told to. `share`: iOS, where the person has to do it in Safari's own menu. */
export type Invitation = 'prompt' | 'share'

interface Facts {
  readonly stored: string | null
  readonly isInstalled: boolean
  readonly canPrompt: boolean
  readonly isSafariOnIos: boolean
}

/** How the person is invited to install the app now; null when it is not the moment, or there is no way to. */
export function invitationFor({ stored, isInstalled, canPrompt, isSafariOnIos }: Facts): Invitation | null {
  if (stored !== ('earned' satisfies Stored) || isInstalled) return null
  if (canPrompt) return 'prompt'
  return isSafariOnIos ? 'share' : null
}

interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let changed = () => {}

/** For `useSyncExternalStore`: calls back when the invitation may have changed. */
export function watchInvitation(onChange: () => void): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  changed = onChange
  // The page keeps what the browser offered, see src/prerender/opening.ts.
  addEventListener('beforeinstallprompt', onChange, { signal })
  addEventListener('appinstalled', answer, { signal })
  return () => stopped.abort()
}

export const currentInvitation = (): Invitation | null =>
  invitationFor({
    stored: localStorage.getItem(KEY),
    isInstalled: standsAlone(),
    canPrompt: Boolean(window.opening?.installPrompt),
    // Other browsers there, and pages inside other apps, don't name a version of Safari.
    isSafariOnIos: 'standalone' in navigator && /Version\/.*Safari\//.test(navigator.userAgent),
  })

/** A transfer was paid, and its receipt seen: that is worth keeping, in the app and on the device. */
export function noteSuccess() {
  askToKeep()
  if (localStorage.getItem(KEY) === null) remember('earned')
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

function remember(what: Stored) {
  localStorage.setItem(KEY, what)
  changed()
}
