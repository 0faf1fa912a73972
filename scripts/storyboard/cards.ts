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

const LAYOUT = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.aspectRatio': '0.7',
  'elk.layered.layering.strategy': 'LONGEST_PATH',
  // The narrowest charts of those that there are.
  'elk.layered.nodePlacement.strategy': 'LINEAR_SEGMENTS',
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
  const shown = shownOf(chart, happy, folded)
  const children = chart.root.children.map((state) => nodeOf(state, shown))
  const onward = onwardOf(chart, shown, happy, folded)
  const edges = [
    ...[...onward].map(([id, { from, to }]) => ({ id, sources: [from], targets: [to] })),
    ...belowEachOther(aloneOf(children, [...onward.values()])),
  ]
  const laid = await elk.layout<ElkNode>({ id: '', children, edges, layoutOptions: LAYOUT })
  const starts = new Set(
    [chart.root, ...[...shown.values()].map(({ state }) => state)].map(({ initial }) => initial),
  )
  const cards = placesOf(laid).map(({ id, ...place }): Card => {
    const card = shown.get(id)
    if (!card) throw new Error(`No state ${id}`)
    return { ...card, ...place, isStart: starts.has(id) }
  })
  return { width: laid.width ?? 0, height: laid.height ?? 0, cards, arrows: arrowsOf(laid, cards, onward) }
}

/** What stands on a card, wherever it will be. */
type CardFace = Pick<Card, 'state' | 'lines' | 'isFolded'>

/** The states on the chart by their ids, in its order. */
function shownOf(
  chart: Chart,
  happy: readonly string[],
  folded: ReadonlySet<string>,
): ReadonlyMap<string, CardFace> {
  const withInner = (state: ChartState): CardFace[] => {
    if (folded.has(state.id)) return [{ state, lines: [], isFolded: true }]
    const own = { state, lines: linesOf(chart, state, happy), isFolded: false }
    return [own, ...state.children.flatMap(withInner)]
  }
  return new Map(chart.root.children.flatMap(withInner).map((one) => [one.state.id, one]))
}

/** A state as the layout takes it: so wide and high, with those inside of it. */
function nodeOf({ id, children }: ChartState, shown: ReadonlyMap<string, CardFace>): ElkNode {
  const card = shown.get(id)
  if (!card || card.isFolded) return { id, width: CARD_WIDTH, height: HEAD_HEIGHT }
  const height = heightOf(card)
  if (children.length === 0) return { id, width: CARD_WIDTH, height }
  return {
    id,
    children: children.map((inner) => nodeOf(inner, shown)),
    layoutOptions: {
      'elk.padding': `[top=${height + PADDING},left=${PADDING},bottom=${PADDING},right=${PADDING}]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${CARD_WIDTH},${height})`,
    },
  }
}

const outermost = (id: string) => id.split('.')[0]

/** The outermost states that no arrow joins with another one. */
function aloneOf(nodes: readonly ElkNode[], onward: readonly Onward[]): string[] {
  const joined = new Set(
    onward
      .map(({ from, to }) => [outermost(from), outermost(to)])
      .filter(([from, to]) => from !== to)
      .flat(),
  )
  return nodes.map(({ id }) => id).filter((id) => !joined.has(id))
}

/** Arrows that are not drawn: without them all these would stand side by side. */
const belowEachOther = (ids: readonly string[]) =>
  ids.slice(1).map((id, at) => ({ id: `below ${at}`, sources: [ids[at] ?? ''], targets: [id] }))

/** Where the layout has put each state on the whole chart; it counts from the state around it. */
function placesOf(
  { children = [] }: ElkNode,
  left = 0,
  top = 0,
): (Pick<Card, 'x' | 'y' | 'width' | 'height'> & {
  readonly id: string
})[] {
  return children.flatMap((node) => {
    const { id, x = 0, y = 0, width = 0, height = 0 } = node
    const place = { id, x: left + x, y: top + y, width, height }
    return [place, ...placesOf(node, place.x, place.y)]
  })
}

/** The corners of the arrows on the whole chart; the layout counts them from the state that it names. */
function arrowsOf(laid: ElkNode, cards: readonly Card[], onward: ReadonlyMap<string, Onward>): Arrow[] {
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

type Onward = Omit<Arrow, 'points'>

/** One arrow for each pair of states that follow each other, by a name of its own; of a folded state for what is inside of it. */
function onwardOf(
  chart: Chart,
  shown: ReadonlyMap<string, CardFace>,
  happy: readonly string[],
  folded: ReadonlySet<string>,
): ReadonlyMap<string, Onward> {
  const order = [...shown.keys()]
  const shownFor = (id: string) => [...folded].find((one) => shown.has(one) && id.startsWith(`${one}.`)) ?? id
  const arrows = new Map<string, Onward>()
  for (const transition of chart.transitions)
    for (const target of transition.to ?? []) {
      const [from, to] = [shownFor(transition.from), shownFor(target)]
      const isOnward = order.indexOf(to) > order.indexOf(from) && from !== '' && !to.startsWith(`${from}.`)
      if (!isOnward || isFailure(transition)) continue
      const name = `${from} ${to}`
      const isHappy = kindOf(transition, happy) === 'happy' || (arrows.get(name)?.isHappy ?? false)
      arrows.set(name, { from, to, isHappy })
    }
  // What any state may do on the way that most people go has a step to go from there.
  for (const [at, state] of happy.entries())
    for (const target of fromAnywhere(chart, happy[at + 1])) {
      const [from, to] = [shownFor(state), shownFor(target)]
      const isOnward = order.indexOf(to) > order.indexOf(from) && !to.startsWith(`${from}.`)
      if (isOnward) arrows.set(`${from} ${to}`, { from, to, isHappy: true })
    }
  return arrows
}

/** Where the machine itself leads when it enters this state. */
const fromAnywhere = (chart: Chart, state: string | undefined): string[] =>
  chart.transitions
    .filter(({ from }) => from === '')
    .flatMap(({ to }) => to ?? [])
    .filter((target) => state === target || state?.startsWith(`${target}.`))

function heightOf({ state, lines }: CardFace): number {
  const rows = lines.map(({ cause, guard, target }) => {
    const words = rowsOf(`${cause}${guard && ` [${guard}]`}`)
    return words + (target === '' ? 0 : rowsOf(`→ ${target}`))
  })
  const runs = state.actors.map((actor) => rowsOf(`runs ${actor}`))
  return HEAD_HEIGHT + LINE_HEIGHT * [...rows, ...runs].reduce((sum, row) => sum + row, 0) + PADDING
}

const rowsOf = (text: string) => Math.max(1, Math.ceil(text.length / LINE_LETTERS))
