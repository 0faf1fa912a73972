import type { InspectionEvent, Snapshot } from 'xstate'
import { getInnermostStates, listActiveStates } from '../../scripts/statecharts/chart.ts'
import {
  broadcastSteps,
  type InspectionMessage,
  type RunningMachine,
} from '../../src/inspection/broadcastSteps.ts'
import { scene } from './environment.ts'

const snapshots = new Map<string, Snapshot<unknown>>()

export async function createSnapshots(): Promise<void> {
  for (const [id, reach] of Object.entries(scene.snapshots ?? {})) snapshots.set(id, await reach())
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

const listeners = new Set<(event: { data: InspectionMessage }) => void>()
addEventListener('message', ({ data }) => {
  for (const listen of listeners) listen({ data })
})

/** By the actor's number. */
const running = new Map<number, RunningMachine>()
const waiting = new Set<() => void>()

const steps = broadcastSteps(
  {
    postMessage(message) {
      if (message.kind === 'running') running.set(message.actor, message)
      if (message.kind === 'ended' && message.actor !== null) running.delete(message.actor)
      for (const check of waiting) check()
      parent.postMessage(message, '*')
    },
    addEventListener: (_type, listen) => listeners.add(listen),
  },
  scene.name,
  { read: () => [], write: () => {} },
)

export const inspect = (event: InspectionEvent) => steps.inspect(event)

/** By machine ID. */
function getStates(): Readonly<Record<string, string>> {
  const states = [...running.values()].flatMap(({ machine, value }) =>
    getInnermostStates(listActiveStates(value)).map((state) => ({ machine, state })),
  )
  return Object.fromEntries(
    [...Map.groupBy(states, ({ machine }) => machine)].map(([machine, own]) => [
      machine,
      [...new Set(own.map(({ state }) => state))].sort().join(' '),
    ]),
  )
}

export function listWrongStates(): string[] {
  const states = getStates()
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
