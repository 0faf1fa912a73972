import type { Chart, ChartState, ChartTransition, TransitionCause } from './chart.ts'
import { flattenStates } from './chart.ts'

/**
 * Mermaid can't draw a transition that may start anywhere in a state and leads back into it: such arrows
 * start at an extra box, which also lists the state's actors and internal transitions.
 */
export function renderMermaid(chart: Chart): string {
  const states = flattenStates(chart.root)
  const boxes = new Set(states.filter((state) => hasBox(chart, state)).map(({ id }) => id))
  return ['stateDiagram-v2', ...renderContent(chart, chart.root, boxes), ...renderArrows(chart, boxes)]
    .join('\n')
    .concat('\n')
}

export const toMermaidId = (id: string) => id.replaceAll('.', '_')

/** Mermaid's IDs of SVG elements consist of diagram, state and number. */
export function parseMermaidId(elementId: string): string | null {
  return /-state-(.+)-\d+$/.exec(elementId)?.[1] ?? null
}

const boxId = (id: string) => (id === '' ? 'anywhere' : `${toMermaidId(id)}_anywhere`)

export function formatCause(cause: TransitionCause, delays: Chart['delays']): string {
  if (cause.kind === 'delay') {
    const ms = delays[cause.name] ?? (Number(cause.name) || null)
    const isNamed = cause.name in delays
    const long = ms === null ? '' : formatDelay(ms)
    return `after ${[isNamed && cause.name, isNamed && long ? `(${long})` : long].filter(Boolean).join(' ')}`
  }
  if (cause.kind === 'done' || cause.kind === 'failed') return `${cause.name} ${cause.kind}`
  return cause.kind === 'event' ? cause.name : cause.kind
}

/** In the largest unit that needs no fraction. */
export function formatDelay(ms: number): string {
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
  ] as const
  const [size, unit] = units.find(([length]) => ms >= length && ms % length === 0) ?? [1, 'ms']
  return `${ms / size} ${unit}`
}

function renderContent(chart: Chart, state: ChartState, boxes: ReadonlySet<string>): string[] {
  return [
    ...(state.initial ? [`[*] --> ${toMermaidId(state.initial)}`] : []),
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
  const id = toMermaidId(state.id)
  const head = `state "${state.name}" as ${id}`
  if (state.children.length > 0) return [`${head} {`, ...renderContent(chart, state, boxes), '}']
  return [head, ...lines(id, insides(chart, state)), ...(state.kind === 'final' ? [`${id} --> [*]`] : [])]
}

const lines = (id: string, texts: readonly string[]) => texts.map((text) => `${id} : ${text}`)

function insides(chart: Chart, { id, actors }: ChartState): string[] {
  const staying = chart.transitions.filter(({ from, to }) => from === id && to === null)
  return [
    ...actors.map((actor) => `runs ${actor}`),
    ...new Set(staying.map((transition) => formatTransition(chart, transition))),
  ]
}

/** No arrow between states can show this content. */
function hasBox(chart: Chart, state: ChartState): boolean {
  if (state.children.length === 0) return false
  return insides(chart, state).length > 0 || chart.transitions.some((one) => startsInBox(one, state.id))
}

function startsInBox({ from, to }: ChartTransition, id: string): boolean {
  return from === id && to !== null && to.some((target) => isInside(target, id))
}

const isInside = (one: string, other: string) => other === '' || one === other || one.startsWith(`${other}.`)

/** Transitions between the same two states share one arrow. */
function renderArrows(chart: Chart, boxes: ReadonlySet<string>): string[] {
  const labels = new Map<string, string[]>()
  for (const transition of chart.transitions) {
    const { from, to } = transition
    const start = boxes.has(from) && startsInBox(transition, from) ? boxId(from) : toMermaidId(from)
    for (const target of to ?? []) {
      const arrow = `${start} --> ${toMermaidId(target)}`
      labels.set(arrow, [...(labels.get(arrow) ?? []), formatTransition(chart, transition)])
    }
  }
  return [...labels].map(([arrow, texts]) => `  ${arrow} : ${[...new Set(texts)].join('<br/>')}`)
}

export function formatTransition({ delays }: Chart, { cause, guard, isElse }: ChartTransition): string {
  const when = guard ?? (isElse ? 'else' : null)
  return `${formatCause(cause, delays)}${when ? ` [${when}]` : ''}`
}
