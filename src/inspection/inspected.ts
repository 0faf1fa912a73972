import type { InspectionEvent } from 'xstate'
import { CHANNEL, tellOn } from './tell.ts'

/**
 * The option of every actor of the app: in development it tells the page `/statecharts` where the machine is, and with
 * `?inspect` or `npm run dev -- --inspect` Stately's inspector of everything. A build has none of this.
 */
export const inspected: { readonly inspect?: (happened: InspectionEvent) => void } = import.meta.env.DEV
  ? { inspect: inspection() }
  : {}

function inspection() {
  const page = tellOn(new BroadcastChannel(CHANNEL), crypto.randomUUID())
  window.addEventListener('pagehide', page.leave)
  const isAsked = import.meta.env.VITE_INSPECT || new URLSearchParams(location.search).has('inspect')
  // Events from before the inspector is there wait for it.
  const stately = isAsked
    ? import('@statelyai/inspect').then(({ createBrowserInspector }) => createBrowserInspector().inspect)
    : null
  return (happened: InspectionEvent) => {
    page.inspect(happened)
    stately?.then((inspector) => inspector.next?.(happened))
  }
}
