import { type Message, type Running, recentOf, type Told } from '../../src/inspection/tell.ts'

/** What the app in other tabs has told. */
export interface Heard {
  /** The machines that run there, in the order in which they moved last. */
  readonly running: readonly Running[]
  /** The last steps of each machine, by tab: in the order in which the tabs were heard of first, those that are closed too. */
  readonly steps: ReadonlyMap<string, readonly Told[]>
}

export const NOTHING_HEARD: Heard = { running: [], steps: new Map() }

/** What is known after a message. */
export function heard(before: Heard, message: Message): Heard {
  if (message.kind === 'running') {
    const { kind, ...one } = message
    const { at, context, ...step } = one
    return { running: inOrder([...without(before.running, one), one]), steps: withStep(before.steps, step) }
  }
  if (message.kind === 'here') {
    const { tab, running, steps } = message
    const others = before.running.filter((one) => one.tab !== tab)
    return { running: inOrder([...others, ...running]), steps: new Map(before.steps).set(tab, steps) }
  }
  if (message.kind !== 'ended') return before
  if (message.actor === null)
    return { ...before, running: before.running.filter(({ tab }) => tab !== message.tab) }
  const { kind, ...step } = message
  return { running: without(before.running, step), steps: withStep(before.steps, step) }
}

const without = (running: readonly Running[], { tab, actor }: Told) =>
  running.filter((one) => one.tab !== tab || one.actor !== actor)

/** Tabs that are asked answer in any order. */
const inOrder = (running: readonly Running[]) => running.toSorted((one, other) => one.at - other.at)

const withStep = (steps: Heard['steps'], step: Told): Heard['steps'] =>
  new Map(steps).set(step.tab, recentOf([...(steps.get(step.tab) ?? []), step]))
