import type { ELK, ElkNode } from 'elkjs'
import type { Chart, ChartState, ChartTransition } from '../../statecharts/chart.ts'
import { flattenStates } from '../../statecharts/chart.ts'
import { formatCause } from '../../statecharts/mermaid.ts'

/** Transitions are lines on the card, so that arrows need no labels. */
export interface StateCardLayout {
  readonly state: ChartState
  readonly lines: readonly TransitionLine[]
  /** Upper left corner, in pixels. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly isStart: boolean
}

export interface TransitionLine {
  readonly transition: ChartTransition
  readonly cause: string
  readonly guard: string
  /** Without the parent's name if that is shared; empty for internal transitions. */
  readonly target: string
  readonly kind: TransitionLineKind
}

/** `failure`: an actor failed or timed out. `stays`: no change of state. */
export type TransitionLineKind = 'happy' | 'onward' | 'failure' | 'stays'

export interface Arrow {
  readonly from: string
  readonly to: string
  readonly isHappy: boolean
  /** In pixels. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

export interface ChartLayout {
  readonly width: number
  readonly height: number
  /** Outer cards first. */
  readonly cards: readonly StateCardLayout[]
  readonly arrows: readonly Arrow[]
}

/** Upper bound of a line's average character width, in pixels at a font size of 13. */
const CHARACTER = 7.9
const CARD_WIDTH = 280
const LINE_HEIGHT = 19
const HEAD_HEIGHT = 34
const LINE_LETTERS = Math.floor((CARD_WIDTH - 24) / CHARACTER)
const PADDING = 12

const LAYOUT = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.aspectRatio': '0.7',
  'elk.layered.layering.strategy': 'LONGEST_PATH',
  // Keeps the widest charts narrowest.
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.spacing.nodeNode': '28',
  'elk.spacing.componentComponent': '28',
  'elk.layered.spacing.nodeNodeBetweenLayers': '36',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
}

const isFailure = ({ cause }: ChartTransition) =>
  cause.kind === 'failed' || (cause.kind === 'delay' && /timeout|limit|stall/i.test(cause.name))

/** Puts the happy path first and internal transitions last. `happy`: its state IDs, in order. */
export function buildTransitionLines(
  chart: Chart,
  state: Pick<ChartState, 'id'>,
  happy: readonly string[],
): TransitionLine[] {
  const order: readonly TransitionLineKind[] = ['happy', 'onward', 'failure', 'stays']
  return chart.transitions
    .filter(({ from }) => from === state.id)
    .map((transition): TransitionLine => {
      const kind = classifyTransition(transition, happy)
      const guard = transition.guard ?? (transition.isElse ? 'else' : '')
      const target = (transition.to ?? []).map((to) => shortenStateId(to, state.id)).join(', ')
      return { transition, cause: formatCause(transition.cause, chart.delays), guard, target, kind }
    })
    .sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

const getParentId = (id: string) => id.split('.').slice(0, -1).join('.')

const shortenStateId = (id: string, from: string) =>
  getParentId(id) === getParentId(from) ? id.split('.').slice(-1).join() : id

function classifyTransition(transition: ChartTransition, happy: readonly string[]): TransitionLineKind {
  const { from, to } = transition
  if (to === null || to.includes(from)) return 'stays'
  if (isFailure(transition)) return 'failure'
  return to.some((target) => isNext(happy, from, target)) ? 'happy' : 'onward'
}

/** Substates count too. */
function isNext(happy: readonly string[], from: string, to: string): boolean {
  const isInside = (state: string, outer: string) =>
    outer === '' || state === outer || state.startsWith(`${outer}.`)
  return happy.some((state, at) => isInside(state, from) && isInside(happy[at + 1] ?? '', to))
}

/** Transitions that lead back and failures get no arrows. */
export async function layOutChart(
  elk: Pick<ELK, 'layout'>,
  chart: Chart,
  happy: readonly string[],
): Promise<ChartLayout> {
  const [, ...states] = flattenStates(chart.root)
  const faces = new Map(
    states.map((state) => [state.id, { state, lines: buildTransitionLines(chart, state, happy) }]),
  )
  const children = chart.root.children.map((state) => toElkNode(state, faces))
  const onward = collectForwardArrows(chart, [...faces.keys()], happy)
  const edges = [
    ...[...onward].map(([id, { from, to }]) => ({ id, sources: [from], targets: [to] })),
    ...createStackingEdges(listUnconnectedStates(children, [...onward.values()])),
  ]
  const laid = await elk.layout<ElkNode>({ id: '', children, edges, layoutOptions: LAYOUT })
  const starts = new Set([chart.root, ...states].map(({ initial }) => initial))
  const cards = computePositions(laid).map(({ id, ...place }): StateCardLayout => {
    const face = faces.get(id)
    if (!face) throw new Error(`No state ${id}`)
    return { ...face, ...place, isStart: starts.has(id) }
  })
  return {
    width: laid.width ?? 0,
    height: laid.height ?? 0,
    cards,
    arrows: computeArrows(laid, cards, onward),
  }
}

type CardFace = Pick<StateCardLayout, 'state' | 'lines'>

function toElkNode({ id, children }: ChartState, faces: ReadonlyMap<string, CardFace>): ElkNode {
  const face = faces.get(id)
  const height = face ? computeCardHeight(face) : 0
  if (children.length === 0) return { id, width: CARD_WIDTH, height }
  return {
    id,
    children: children.map((inner) => toElkNode(inner, faces)),
    layoutOptions: {
      'elk.padding': `[top=${height + PADDING},left=${PADDING},bottom=${PADDING},right=${PADDING}]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${CARD_WIDTH},${height})`,
    },
  }
}

const outermost = (id: string) => id.split('.')[0]

function listUnconnectedStates(nodes: readonly ElkNode[], onward: readonly ForwardArrow[]): string[] {
  const joined = new Set(
    onward
      .map(({ from, to }) => [outermost(from), outermost(to)])
      .filter(([from, to]) => from !== to)
      .flat(),
  )
  return nodes.map(({ id }) => id).filter((id) => !joined.has(id))
}

// The layout would put the states side by side.
const createStackingEdges = (ids: readonly string[]) =>
  ids.slice(1).map((id, at) => ({ id: `below ${at}`, sources: [ids[at] ?? ''], targets: [id] }))

// The layout's coordinates are relative to the parent.
function computePositions(
  { children = [] }: ElkNode,
  left = 0,
  top = 0,
): (Pick<StateCardLayout, 'x' | 'y' | 'width' | 'height'> & {
  readonly id: string
})[] {
  return children.flatMap((node) => {
    const { id, x = 0, y = 0, width = 0, height = 0 } = node
    const place = { id, x: left + x, y: top + y, width, height }
    return [place, ...computePositions(node, place.x, place.y)]
  })
}

// The layout's coordinates are relative to a container.
function computeArrows(
  laid: ElkNode,
  cards: readonly StateCardLayout[],
  onward: ReadonlyMap<string, ForwardArrow>,
): Arrow[] {
  const origins = new Map(cards.map(({ state, x, y }) => [state.id, { x, y }]))
  const origin = { x: 0, y: 0 }
  return (laid.edges ?? []).flatMap((edge) => {
    const arrow = onward.get(edge.id)
    if (!arrow) return []
    const { x: left, y: top } = origins.get((edge as { container?: string }).container ?? '') ?? origin
    return (edge.sections ?? []).map(({ startPoint, bendPoints = [], endPoint }) => ({
      ...arrow,
      points: [startPoint, ...bendPoints, endPoint].map(({ x, y }) => ({ x: x + left, y: y + top })),
    }))
  })
}

type ForwardArrow = Omit<Arrow, 'points'>

/** `order`: the IDs of all states. */
function collectForwardArrows(
  chart: Chart,
  order: readonly string[],
  happy: readonly string[],
): ReadonlyMap<string, ForwardArrow> {
  const arrows = new Map<string, ForwardArrow>()
  const isOnward = (from: string, to: string) =>
    order.indexOf(to) > order.indexOf(from) && !to.startsWith(`${from}.`)
  for (const transition of chart.transitions) {
    const { from } = transition
    if (from === '' || isFailure(transition)) continue
    for (const to of transition.to ?? []) {
      if (!isOnward(from, to)) continue
      const name = `${from} ${to}`
      const isHappy =
        classifyTransition(transition, happy) === 'happy' || (arrows.get(name)?.isHappy ?? false)
      arrows.set(name, { from, to, isHappy })
    }
  }
  // Transitions of the whole machine get an arrow where the happy path takes them.
  for (const [at, from] of happy.entries())
    for (const to of listMachineTargets(chart, happy[at + 1]))
      if (isOnward(from, to)) arrows.set(`${from} ${to}`, { from, to, isHappy: true })
  return arrows
}

const listMachineTargets = (chart: Chart, state: string | undefined): string[] =>
  chart.transitions
    .filter(({ from }) => from === '')
    .flatMap(({ to }) => to ?? [])
    .filter((target) => state === target || state?.startsWith(`${target}.`))

function computeCardHeight({ state, lines }: CardFace): number {
  const rows = lines.map(({ cause, guard, target }) => {
    const words = countRows(`${cause}${guard && ` [${guard}]`}`)
    return words + (target === '' ? 0 : countRows(`→ ${target}`))
  })
  const runs = state.actors.map((actor) => countRows(`runs ${actor}`))
  return HEAD_HEIGHT + LINE_HEIGHT * [...rows, ...runs].reduce((sum, row) => sum + row, 0) + PADDING
}

const countRows = (text: string) => Math.max(1, Math.ceil(text.length / LINE_LETTERS))
