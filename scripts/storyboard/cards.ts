import type { ELK, ElkNode } from 'elkjs'
import type { Chart, ChartState, ChartTransition } from '../statecharts/chart.ts'
import { causeText } from '../statecharts/mermaid.ts'

/** A state as a card that can be read: what it takes in stands on it in lines, so that arrows need no words. */
export interface Card {
  readonly state: ChartState
  readonly lines: readonly Line[]
  /** Where its upper left corner is on the chart, in pixels. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly isFolded: boolean
  /** Whether the machine, or the state around it, starts in it. */
  readonly isStart: boolean
}

/** One transition, as it is read. */
export interface Line {
  readonly transition: ChartTransition
  readonly cause: string
  /** The name of the guard, or 'else'; empty where there is neither. */
  readonly guard: string
  /** Where it leads: a state beside its own by its name alone. Empty where it leads nowhere. */
  readonly target: string
  readonly kind: LineKind
}

/** `happy`: on the way that most people go. `stays`: leads nowhere else. `failure`: an actor failed, or took too long. */
export type LineKind = 'happy' | 'onward' | 'failure' | 'stays'

export interface Arrow {
  readonly from: string
  readonly to: string
  readonly isHappy: boolean
  /** Its corners, in pixels. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

export interface Drawing {
  readonly width: number
  readonly height: number
  /** The outer ones first. */
  readonly cards: readonly Card[]
  readonly arrows: readonly Arrow[]
}

/** Of letters as wide as the widest of a line, 13 pixels high. */
const CHARACTER = 7.9
const CARD_WIDTH = 280
const LINE_HEIGHT = 19
/** Of the name, which is all that a folded state shows. */
const HEAD_HEIGHT = 34
const LINE_LETTERS = Math.floor((CARD_WIDTH - 24) / CHARACTER)
const PADDING = 12
/** So many states that no arrow leads to stand beside each other. */
const MOST_BESIDE = 3

const LAYOUT = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.aspectRatio': '0.7',
  'elk.layered.layering.strategy': 'LONGEST_PATH',
  'elk.spacing.nodeNode': '28',
  'elk.spacing.componentComponent': '28',
  'elk.layered.spacing.nodeNodeBetweenLayers': '36',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
}

/** Whether it is what an actor's failure, or a wait that was too long, leads to. */
const isFailure = ({ cause }: ChartTransition) =>
  cause.kind === 'failed' || (cause.kind === 'delay' && /timeout|limit|stall/i.test(cause.name))

/** The lines of a state: the happy way first, what stays last. `happy` has the ids of the states on that way, in their order. */
export function linesOf(chart: Chart, state: ChartState, happy: readonly string[]): Line[] {
  const order: readonly LineKind[] = ['happy', 'onward', 'failure', 'stays']
  return chart.transitions
    .filter(({ from }) => from === state.id)
    .map((transition): Line => {
      const kind = kindOf(transition, happy)
      const guard = transition.guard ?? (transition.isElse ? 'else' : '')
      const target = (transition.to ?? []).map((to) => besideName(to, state.id)).join(', ')
      return { transition, cause: causeText(transition.cause, chart.delays), guard, target, kind }
    })
    .sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

const aroundOf = (id: string) => id.split('.').slice(0, -1).join('.')

const besideName = (id: string, from: string) =>
  aroundOf(id) === aroundOf(from) ? id.split('.').slice(-1).join() : id

function kindOf(transition: ChartTransition, happy: readonly string[]): LineKind {
  const { from, to } = transition
  if (to === null || to.includes(from)) return 'stays'
  if (isFailure(transition)) return 'failure'
  return to.some((target) => isNext(happy, from, target)) ? 'happy' : 'onward'
}

/** Whether the happy way goes from one state to the other, or into it or out of it by a state inside. */
function isNext(happy: readonly string[], from: string, to: string): boolean {
  const isIn = (state: string, outer: string) =>
    outer === '' || state === outer || state.startsWith(`${outer}.`)
  return happy.some((state, at) => isIn(state, from) && isIn(happy[at + 1] ?? '', to))
}

/**
 * Lays a chart out in cards, from above to below, the innermost states as wide as a hand. Arrows lead onward alone: what leads back, or is a
 * failure, is a line on its card. States in `folded` hide what is inside of them.
 */
export async function drawingOf(
  elk: Pick<ELK, 'layout'>,
  chart: Chart,
  happy: readonly string[],
  folded: ReadonlySet<string> = new Set(),
): Promise<Drawing> {
  const states = new Map<string, ChartState>()
  const lines = new Map<string, Line[]>()
  const nodeOf = (state: ChartState): ElkNode => {
    states.set(state.id, state)
    const own = linesOf(chart, state, happy)
    lines.set(state.id, own)
    const height = heightOf(state, own)
    if (folded.has(state.id) || state.children.length === 0)
      return { id: state.id, width: CARD_WIDTH, height: folded.has(state.id) ? HEAD_HEIGHT : height }
    const padding = `[top=${height + PADDING},left=${PADDING},bottom=${PADDING},right=${PADDING}]`
    return {
      id: state.id,
      children: state.children.map(nodeOf),
      layoutOptions: {
        'elk.padding': padding,
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        'elk.nodeSize.minimum': `(${CARD_WIDTH},${height})`,
      },
    }
  }
  const children = chart.root.children.map(nodeOf)
  const edges = onwardOf(chart, states, happy, folded).map((edge, at) => ({
    id: `arrow ${at}`,
    sources: [edge.from],
    targets: [edge.to],
    ...edge,
  }))
  const outermost = (id: string) => id.split('.')[0]
  const joined = new Set(
    edges.flatMap(({ from, to }) =>
      outermost(from) === outermost(to) ? [] : [outermost(from), outermost(to)],
    ),
  )
  const alone = children.filter(({ id }) => !joined.has(id))
  // Else they would all stand side by side.
  const below = alone.slice(MOST_BESIDE).map(({ id }, at) => ({
    id: `below ${at}`,
    sources: [alone[at]?.id ?? ''],
    targets: [id],
  }))
  const laid: ElkNode = await elk.layout<ElkNode>({
    id: '',
    children,
    edges: [...edges, ...below],
    layoutOptions: LAYOUT,
  })
  const starts = new Set([chart.root, ...states.values()].map(({ initial }) => initial))
  const cards: Card[] = []
  const place = ({ children: inner = [] }: ElkNode, left: number, top: number) => {
    for (const node of inner) {
      const state = states.get(node.id)
      if (!state) throw new Error(`No state ${node.id}`)
      const { x = 0, y = 0, width = 0, height = 0 } = node
      cards.push({
        state,
        lines: folded.has(node.id) ? [] : (lines.get(node.id) ?? []),
        ...{ x: left + x, y: top + y, width, height },
        isFolded: folded.has(node.id),
        isStart: starts.has(node.id),
      })
      place(node, left + x, top + y)
    }
  }
  place(laid, 0, 0)
  const corners = new Map(cards.map(({ state, x, y }) => [state.id, { x, y }]))
  const arrows = (laid.edges ?? []).flatMap((edge) => {
    const known = edges.find(({ id }) => id === edge.id)
    if (!known) return []
    // By the state around it.
    const { x: left, y: top } = corners.get((edge as { container?: string }).container ?? '') ?? {
      x: 0,
      y: 0,
    }
    return (edge.sections ?? []).map(({ startPoint, bendPoints = [], endPoint }) => ({
      ...{ from: known.from, to: known.to, isHappy: known.isHappy },
      points: [startPoint, ...bendPoints, endPoint].map(({ x, y }) => ({ x: x + left, y: y + top })),
    }))
  })
  return { width: laid.width ?? 0, height: laid.height ?? 0, cards, arrows }
}

/** One arrow for each pair of states that follow each other; of a folded state for what is inside of it. */
function onwardOf(
  chart: Chart,
  states: ReadonlyMap<string, ChartState>,
  happy: readonly string[],
  folded: ReadonlySet<string>,
) {
  const order = [...states.keys()]
  // Of folded states inside of each other the outer one alone is on the chart.
  const shown = (id: string) => [...folded].find((one) => states.has(one) && id.startsWith(`${one}.`)) ?? id
  const arrows = new Map<string, { from: string; to: string; isHappy: boolean }>()
  for (const transition of chart.transitions)
    for (const target of transition.to ?? []) {
      const [from, to] = [shown(transition.from), shown(target)]
      const isOnward = order.indexOf(to) > order.indexOf(from) && from !== '' && !to.startsWith(`${from}.`)
      if (!isOnward || isFailure(transition)) continue
      const isHappy = kindOf(transition, happy) === 'happy' || (arrows.get(`${from} ${to}`)?.isHappy ?? false)
      arrows.set(`${from} ${to}`, { from, to, isHappy })
    }
  return [...arrows.values()]
}

function heightOf({ actors }: ChartState, lines: readonly Line[]): number {
  const rows = lines.map(({ cause, guard, target }) => {
    const words = rowsOf(`${cause}${guard && ` [${guard}]`}`)
    return words + (target === '' ? 0 : rowsOf(`→ ${target}`))
  })
  const runs = actors.map((actor) => rowsOf(`runs ${actor}`))
  return HEAD_HEIGHT + LINE_HEIGHT * [...rows, ...runs].reduce((sum, row) => sum + row, 0) + PADDING
}

const rowsOf = (text: string) => Math.max(1, Math.ceil(text.length / LINE_LETTERS))
