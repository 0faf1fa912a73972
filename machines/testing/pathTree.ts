import type { StateValue } from 'xstate'

/** A path is a step and its ancestors. Each name and value is stored once. */
export interface PathTree {
  readonly events: readonly string[]
  readonly values: readonly StateValue[]
  /** The first is the start, from no step (-1) by no event (-1). */
  readonly steps: readonly (readonly [from: number, event: number, value: number])[]
}

/** Steps that look the same share a branch, whatever data their events carry. */
export function createPathRecorder(start: StateValue) {
  const [events, values, known] = [numbered<string>(), numbered<StateValue>(), new Map<string, number>()]
  const steps: [number, number, number][] = [[-1, -1, values.of(start)]]
  return {
    /** Returns the number of the resulting step. */
    step(from: number, event: string, value: StateValue): number {
      const step: [number, number, number] = [from, events.of(event), values.of(value)]
      const at = known.get(step.join()) ?? steps.push(step) - 1
      known.set(step.join(), at)
      return at
    },
    ways: (): PathTree => ({ events: events.all(), values: values.all(), steps }),
  }
}

export function tracePath({ events, values, steps }: PathTree, end: number) {
  const way: { readonly event: string | null; readonly value: StateValue }[] = []
  for (let at = steps[end]; at; at = steps[at[0]]) {
    const [, event, value] = at
    way.unshift({ event: events[event] ?? null, value: values[value] ?? {} })
  }
  return way
}

function numbered<Item>() {
  const all = new Map<string, readonly [number, Item]>()
  return {
    of(item: Item): number {
      const key = JSON.stringify(item)
      const [at] = all.get(key) ?? [all.size]
      all.set(key, [at, item])
      return at
    },
    all: () => [...all.values()].map(([, item]) => item),
  }
}
