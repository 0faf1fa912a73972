import './ui/theme.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createActor } from 'xstate'
import { sessionLogic } from './actors/session.ts'
import { watchFilledFields } from './browser/filledFields.ts'
import { createHiddenRoot } from './browser/snapshotReplacement.ts'
import { getStoredLanguage } from './browser/storedLanguage.ts'
import { tolerateTranslation } from './browser/translatedPage.ts'
import { inspectionOptions } from './inspection/inspection.ts'
import { predictFirstScreen } from './prerender/firstScreens.ts'
import { replayEarlyActions } from './prerender/replayEarlyActions.ts'
import { loadHomeBeforeRender } from './shell/App.tsx'
import { Root } from './shell/Root.tsx'
import { followLanguageOfOtherTabs, setLanguage } from './ui/i18n.ts'

const root = document.getElementById('root')
// Only in development: a build refuses wrong settings, and does not contain their names.
const problems =
  import.meta.env.DEV &&
  (await import('../domain/settings/appSettings.ts')).listSettingProblems(import.meta.env)

if (root && problems && problems.length > 0) {
  // Names of settings need no translation.
  root.textContent = `Passerelle: ${problems.join(', ')}`
} else if (root) {
  tolerateTranslation()
  await setLanguage(getStoredLanguage())
  // If it fails, the waiting screen tries again.
  if (root.inert) await loadHomeBeforeRender().catch(() => undefined)
  const actor = createActor(sessionLogic, inspectionOptions).start()
  const place = root.inert ? createHiddenRoot(root) : root
  const startPage = () => {
    replayEarlyActions(place)
    watchFilledFields()
    // Another language must not reach React before it has hydrated the prerendered texts.
    return followLanguageOfOtherTabs()
  }
  const whole = <Root session={actor} onMount={startPage} />
  const app = import.meta.env.DEV || import.meta.env.INSPECTED ? <StrictMode>{whole}</StrictMode> : whole
  // React can't hydrate a page that an extension or a translator has changed.
  const isAsPainted = place.querySelectorAll('*').length === window.opening?.elements
  const isWaiting = actor.getSnapshot().matches('starting')
  // A transition renders in slices, so that taps in between are handled.
  startTransition(() => {
    if (isAsPainted && isWaiting === (predictFirstScreen() === 'waiting')) hydrateRoot(place, app)
    else createRoot(place).render(app)
  })
}
