import type { StateValue } from 'xstate'

/** All paths of a walk as one tree: a path is a step with all those before it. Each name and each value stands once. */
export interface Ways {
  readonly events: readonly string[]
  readonly values: readonly StateValue[]
  /** From which step, by which of the events, to which of the values. The first one is the start, from no step (-1) and by no event (-1). */
  readonly steps: readonly (readonly [from: number, event: number, value: number])[]
}

/** Keeps paths as they are walked. Steps that look the same share a branch, whatever their events carried. */
export function createWays(start: StateValue) {
  const [events, values, known] = [numbered<string>(), numbered<StateValue>(), new Map<string, number>()]
  const steps: [number, number, number][] = [[-1, -1, values.of(start)]]
  return {
    /** Answers the number of the step that this leads to. */
    step(from: number, event: string, value: StateValue): number {
      const step: [number, number, number] = [from, events.of(event), values.of(value)]
      const at = known.get(step.join()) ?? steps.push(step) - 1
      known.set(step.join(), at)
      return at
    },
    ways: (): Ways => ({ events: events.all(), values: values.all(), steps }),
  }
}

/** The steps of a path from the start up to this one. */
export function wayTo({ events, values, steps }: Ways, end: number) {
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
