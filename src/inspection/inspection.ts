import type { InspectionEvent } from 'xstate'
import { createMachineList, type RunningMachine } from './machineList.ts'

/** No other build contains this code. */
export const isInspectionEnabled: boolean = import.meta.env.DEV || import.meta.env.INSPECTED === true

/** With `?inspect` or `npm run dev -- --inspect`, Stately's inspector gets the events of all machines. */
export const inspectionOptions: { readonly inspect?: (happened: InspectionEvent) => void } =
  isInspectionEnabled ? { inspect: createInspector() } : {}

function createInspector() {
  let running: readonly RunningMachine[] = []
  const list = createMachineList((changed) => {
    running = changed
  })
  // The end-to-end tests call it.
  Object.assign(window, { listRunningMachines: () => running })
  const isAsked =
    import.meta.env.DEV &&
    (import.meta.env.VITE_INSPECT || new URLSearchParams(location.search).has('inspect'))
  const stately = isAsked
    ? import('@statelyai/inspect').then(({ createBrowserInspector }) => createBrowserInspector().inspect)
    : null
  return (happened: InspectionEvent) => {
    list(happened)
    stately?.then((inspector) => inspector.next?.(happened))
  }
}
