import type { Cause, Chart, ChartState, ChartTransition } from './chart.ts'
import { withInner } from './chart.ts'

/**
 * The chart as a state diagram of Mermaid. An arrow names what it waits for and its guard. What can happen anywhere in a
 * state and leads into that state again has no arrow that could be drawn: it starts at a box of its own, which also lists
 * what the state runs and takes in without leaving.
 */
export function mermaidOf(chart: Chart): string {
  const states = withInner(chart.root)
  const boxes = new Set(states.filter((state) => hasBox(chart, state)).map(({ id }) => id))
  return ['stateDiagram-v2', ...insideOf(chart, chart.root, boxes), ...arrowsOf(chart, boxes)]
    .join('\n')
    .concat('\n')
}

/** The state's name in the diagram. The machine itself has none: only the box of what can happen anywhere in it. */
export const mermaidId = (id: string) => id.replaceAll('.', '_')

/** Of which state this is the element, by the id that Mermaid gives it: the diagram's, the state's, and a number. */
export function drawnState(elementId: string): string | null {
  return /-state-(.+)-\d+$/.exec(elementId)?.[1] ?? null
}

const boxId = (id: string) => (id === '' ? 'anywhere' : `${mermaidId(id)}_anywhere`)

/** What is waited for, in words. */
export function causeText(cause: Cause, delays: Chart['delays']): string {
  if (cause.kind === 'delay') {
    const ms = delays[cause.name] ?? (Number(cause.name) || null)
    const isNamed = cause.name in delays
    const long = ms === null ? '' : durationText(ms)
    return `after ${[isNamed && cause.name, isNamed && long ? `(${long})` : long].filter(Boolean).join(' ')}`
  }
  if (cause.kind === 'done' || cause.kind === 'failed') return `${cause.name} ${cause.kind}`
  return cause.kind === 'event' ? cause.name : cause.kind
}

/** In the largest unit that says it in whole numbers. */
export function durationText(ms: number): string {
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
  ] as const
  const [size, unit] = units.find(([length]) => ms >= length && ms % length === 0) ?? [1, 'ms']
  return `${ms / size} ${unit}`
}

function insideOf(chart: Chart, state: ChartState, boxes: ReadonlySet<string>): string[] {
  return [
    ...(state.initial ? [`[*] --> ${mermaidId(state.initial)}`] : []),
    ...(boxes.has(state.id)
      ? [
          `state "anywhere in ${state.id || chart.name}" as ${boxId(state.id)}`,
          ...lines(boxId(state.id), insides(chart, state)),
        ]
      : []),
    ...state.children.flatMap((child, index) => [
      ...(state.kind === 'parallel' && index > 0 ? ['--'] : []),
      ...stateText(chart, child, boxes),
    ]),
  ].map((line) => `  ${line}`)
}

function stateText(chart: Chart, state: ChartState, boxes: ReadonlySet<string>): string[] {
  const id = mermaidId(state.id)
  const head = `state "${state.name}" as ${id}`
  if (state.children.length > 0) return [`${head} {`, ...insideOf(chart, state, boxes), '}']
  return [head, ...lines(id, insides(chart, state)), ...(state.kind === 'final' ? [`${id} --> [*]`] : [])]
}

const lines = (id: string, texts: readonly string[]) => texts.map((text) => `${id} : ${text}`)

/** What runs in the state, and what it takes in without leaving. */
function insides(chart: Chart, { id, actors }: ChartState): string[] {
  const staying = chart.transitions.filter(({ from, to }) => from === id && to === null)
  return [
    ...actors.map((actor) => `runs ${actor}`),
    ...new Set(staying.map((transition) => labelOf(chart, transition))),
  ]
}

/** Whether a state with others inside has something to say that no arrow between states can. */
function hasBox(chart: Chart, state: ChartState): boolean {
  if (state.children.length === 0) return false
  return insides(chart, state).length > 0 || chart.transitions.some((one) => startsInBox(one, state.id))
}

function startsInBox({ from, to }: ChartTransition, id: string): boolean {
  return from === id && to !== null && to.some((target) => isInside(target, id))
}

/** Whether one state is the other, or inside of it. Everything is inside of the machine. */
const isInside = (one: string, other: string) => other === '' || one === other || one.startsWith(`${other}.`)

/** All that leads from one state to the same other one shares an arrow. */
function arrowsOf(chart: Chart, boxes: ReadonlySet<string>): string[] {
  const labels = new Map<string, string[]>()
  for (const transition of chart.transitions) {
    const { from, to } = transition
    const start = boxes.has(from) && startsInBox(transition, from) ? boxId(from) : mermaidId(from)
    for (const target of to ?? []) {
      const arrow = `${start} --> ${mermaidId(target)}`
      labels.set(arrow, [...(labels.get(arrow) ?? []), labelOf(chart, transition)])
    }
  }
  return [...labels].map(([arrow, texts]) => `  ${arrow} : ${[...new Set(texts)].join('<br/>')}`)
}

function labelOf({ delays }: Chart, { cause, guard, isElse }: ChartTransition): string {
  const when = guard ?? (isElse ? 'else' : null)
  return `${causeText(cause, delays)}${when ? ` [${when}]` : ''}`
}
