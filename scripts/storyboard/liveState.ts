import {
  getRecentSteps,
  type InspectionMessage,
  type InspectionStep,
  type RunningMachine,
} from '../../src/inspection/broadcastSteps.ts'

export interface LiveState {
  /** Running machines, in the order of their last step. */
  readonly running: readonly RunningMachine[]
  /** By tab, closed ones included, in the order of their first message. */
  readonly steps: ReadonlyMap<string, readonly InspectionStep[]>
}

export const EMPTY_LIVE_STATE: LiveState = { running: [], steps: new Map() }

export function applyMessage(before: LiveState, message: InspectionMessage): LiveState {
  if (message.kind === 'running') {
    const { kind, ...one } = message
    const { at, context, ...step } = one
    return {
      running: sortByTime([...removeActor(before.running, one), one]),
      steps: addStep(before.steps, step),
    }
  }
  if (message.kind === 'here') {
    const { tab, running, steps } = message
    const others = before.running.filter((one) => one.tab !== tab)
    return { running: sortByTime([...others, ...running]), steps: new Map(before.steps).set(tab, steps) }
  }
  if (message.kind !== 'ended') return before
  if (message.actor === null)
    return { ...before, running: before.running.filter(({ tab }) => tab !== message.tab) }
  const { kind, ...step } = message
  return { running: removeActor(before.running, step), steps: addStep(before.steps, step) }
}

const removeActor = (running: readonly RunningMachine[], { tab, actor }: InspectionStep) =>
  running.filter((one) => one.tab !== tab || one.actor !== actor)

// Tabs may reply in any order.
const sortByTime = (running: readonly RunningMachine[]) => running.toSorted((one, other) => one.at - other.at)

const addStep = (steps: LiveState['steps'], step: InspectionStep): LiveState['steps'] =>
  new Map(steps).set(step.tab, getRecentSteps([...(steps.get(step.tab) ?? []), step]))
