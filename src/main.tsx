// The composition root: settings, language and the session machine, then the app.
import './ui/components.css'
import './ui/theme.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createActor } from 'xstate'
import { session } from './actors/session.ts'
import { behindSnapshot } from './browser/behindSnapshot.ts'
import { storedLanguage } from './browser/storedLanguage.ts'
import { inspected } from './inspection/inspected.ts'
import { paintedFirst } from './prerender/painted.ts'
import { takeOver } from './prerender/takeOver.ts'
import { checkSettings } from './services/checkSettings.ts'
import { Root } from './shell/Root.tsx'
import { followOtherTabs, setLanguage } from './ui/i18n.ts'

const root = document.getElementById('root')
// A build is not made from settings that are wrong, and does not carry their names.
const problems = import.meta.env.DEV && checkSettings(import.meta.env)

if (root && problems && problems.length > 0) {
  // This is for the person who develops the app. It comes before any language, and consists of names of settings.
  root.textContent = `Passerelle: ${problems.map(({ setting, kind }) => `${setting} is ${kind}`).join(', ')}`
} else if (root) {
  await setLanguage(storedLanguage())
  followOtherTabs()
  const actor = createActor(session, inspected).start()
  const place = root.inert ? behindSnapshot(root, () => window.opening ?? null) : root
  const app = <Root session={actor} onFirstRender={() => takeOver(place)} />
  const isPainted = place.hasChildNodes()
  const isWaiting = actor.getSnapshot().matches('starting')
  // In a transition the work is done in slices, and a tap in between is answered.
  startTransition(() => {
    if (isPainted && isWaiting === (paintedFirst() === 'waiting')) hydrateRoot(place, app)
    else createRoot(place).render(app)
  })
}
