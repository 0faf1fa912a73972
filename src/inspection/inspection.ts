import type { InspectionEvent } from 'xstate'
import { broadcastSteps, INSPECTION_CHANNEL } from './broadcastSteps.ts'
import { claimTabName, storeTabName, tabStepStorage } from './tabStepStorage.ts'

/** No other build contains this code. */
export const isInspectionEnabled: boolean = import.meta.env.DEV || import.meta.env.INSPECTED === true

/** In development with `?inspect` or `npm run dev -- --inspect`, Stately's inspector gets everything too. */
export const inspectionOptions: { readonly inspect?: (happened: InspectionEvent) => void } =
  isInspectionEnabled ? { inspect: createInspector() } : {}

function createInspector() {
  const tab = claimTabName()
  const page = broadcastSteps(new BroadcastChannel(INSPECTION_CHANNEL), tab, tabStepStorage)
  window.addEventListener('pagehide', () => {
    storeTabName(tab)
    page.leave()
  })
  const isAsked =
    import.meta.env.DEV &&
    (import.meta.env.VITE_INSPECT || new URLSearchParams(location.search).has('inspect'))
  const stately = isAsked
    ? import('@statelyai/inspect').then(({ createBrowserInspector }) => createBrowserInspector().inspect)
    : null
  return (happened: InspectionEvent) => {
    page.inspect(happened)
    stately?.then((inspector) => inspector.next?.(happened))
  }
}
