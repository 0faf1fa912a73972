import type { Snapshot } from 'xstate'
import { createMachineList, type RunningMachine } from '../../src/inspection/machineList.ts'
import { nameStates } from '../../statecharts/chart.ts'
import { scene } from './environment.ts'

const snapshots = new Map<string, Snapshot<unknown>>()

export async function createSnapshots(): Promise<void> {
  for (const [id, reach] of Object.entries(scene.snapshots ?? {})) snapshots.set(id, (await reach()).snapshot)
}

/** After `forgetSnapshots`, actors start in their initial state. */
export const findSnapshot = (id = ''): { readonly snapshot?: Snapshot<unknown> } => {
  const snapshot = snapshots.get(id)
  return snapshot ? { snapshot } : {}
}

export const forgetSnapshots = () => snapshots.clear()

// The page around the frame follows the app once the user uses it.
for (const type of ['pointerdown', 'keydown'])
  addEventListener(type, () => parent.postMessage('used', '*'), { capture: true })

let running: readonly RunningMachine[] = []
const waiting = new Set<() => void>()

export const inspect = createMachineList((changed) => {
  running = changed
  for (const check of waiting) check()
  parent.postMessage({ running }, '*')
})

export function listWrongStates(): string[] {
  const states = nameStates(running)
  return [...new Set([...Object.keys(states), ...Object.keys(scene.at)])].flatMap((machine) => {
    const [is, should] = [states[machine] ?? null, scene.at[machine] ?? null]
    return is === should ? [] : `${machine} is ${is}, but the scene expects ${should}`
  })
}

/** In milliseconds: a component that appears may send its machine an event. */
const SETTLED_AFTER = 100

export const waitForStates = (): Promise<void> =>
  new Promise((resolve) => {
    let timer = 0
    const check = () => {
      clearTimeout(timer)
      if (listWrongStates().length > 0) return
      timer = window.setTimeout(() => {
        waiting.delete(check)
        resolve()
      }, SETTLED_AFTER)
    }
    waiting.add(check)
    check()
  })
