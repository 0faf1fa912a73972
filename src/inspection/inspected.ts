import type { InspectionEvent } from 'xstate'
import { keptSteps, leaveTab, takeTab } from './keptSteps.ts'
import { CHANNEL, tellOn } from './tell.ts'

/** In development, and in the build whose screens are checked for the states that they stand in. No other build has any of this. */
export const isTold: boolean = import.meta.env.DEV || import.meta.env.TOLD === true

/**
 * The option of every actor of the app: it tells the page `/storyboard` where the machine is, and in development, with `?inspect` or
 * `npm run dev -- --inspect`, Stately's inspector of everything.
 */
export const inspected: { readonly inspect?: (happened: InspectionEvent) => void } = isTold
  ? { inspect: inspection() }
  : {}

function inspection() {
  const tab = takeTab()
  const page = tellOn(new BroadcastChannel(CHANNEL), tab, keptSteps)
  window.addEventListener('pagehide', () => {
    leaveTab(tab)
    page.leave()
  })
  const isAsked =
    import.meta.env.DEV &&
    (import.meta.env.VITE_INSPECT || new URLSearchParams(location.search).has('inspect'))
  // Events from before the inspector is there wait for it.
  const stately = isAsked
    ? import('@statelyai/inspect').then(({ createBrowserInspector }) => createBrowserInspector().inspect)
    : null
  return (happened: InspectionEvent) => {
    page.inspect(happened)
    stately?.then((inspector) => inspector.next?.(happened))
  }
}
