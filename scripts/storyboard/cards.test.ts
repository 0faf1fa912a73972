import ELK from 'elkjs/lib/elk.bundled.js'
import { describe, expect, test } from 'vitest'
import { fromPromise, setup } from 'xstate'
import { type Chart, type ChartState, chartOf, withInner } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { type Arrow, type Card, type Drawing, drawingOf, linesOf } from './cards.ts'
import { HAPPY_WAYS } from './happyWays.ts'

const elk = new ELK()

/** In pixels: what a window of 1280 shows beside the state's words, once it is made as small as can be read, and a hand more. */
const WIDEST = 1300
/** The heights of a name and of a line of words, in pixels. */
const NAME = 34
const LINE = 19
/** The layout counts in fractions of pixels. */
const NEAR = 0.5

const lampMachine = setup({
  types: { events: {} as { type: 'press' | 'pull' | 'count' | 'dust' } },
  actors: { warmUp: fromPromise(() => Promise.resolve(true)) },
  guards: { isDark: () => true },
  delays: { warmTimeout: 20_000, doze: 90_000 },
}).createMachine({
  id: 'lamp',
  initial: 'off',
  on: { dust: '.broken' },
  states: {
    off: {
      on: {
        count: {},
        dust: 'off',
        pull: 'broken',
        press: [{ guard: 'isDark', target: 'on' }, { target: 'worn' }],
      },
    },
    on: {
      initial: 'warming',
      on: { pull: 'off' },
      states: {
        warming: {
          invoke: { src: 'warmUp', onError: '#lamp.broken', onDone: 'warm' },
          after: { warmTimeout: '#lamp.broken' },
        },
        warm: {
          initial: 'steady',
          states: { steady: { on: { press: '#lamp.worn' } }, flickering: { on: { count: '#lamp.broken' } } },
          after: { doze: '#lamp.off' },
        },
      },
    },
    worn: {},
    broken: { type: 'final' },
  },
})
const lamp = chartOf(lampMachine)
const lampWay = ['off', 'on.warming', 'on.warm.steady', 'worn']

const charts = machines.map((machine) => chartOf(machine))
const wayOf = ({ name }: Chart) => HAPPY_WAYS[name] ?? []
const statesOf = ({ root }: Chart): ChartState[] => withInner(root).slice(1)
const isInside = (one: string, other: string) => one.startsWith(`${other}.`)
const pairs = <One>(all: readonly One[]) =>
  all.flatMap((one, at) => all.slice(at + 1).map((other) => [one, other] as const))

function overlap(one: Card, other: Card): boolean {
  const isApart =
    one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y ||
    other.y + other.height <= one.y
  return !isApart
}

const isWithin = (inner: Card, outer: Card) =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height

function isOnEdge(point: Arrow['points'][number] | undefined, card: Card | undefined): boolean {
  if (!point || !card) return false
  const right = point.x - card.x
  const down = point.y - card.y
  const isNear = (one: number, other: number) => Math.abs(one - other) <= NEAR
  const isBeside = (along: number, length: number) => along >= -NEAR && along <= length + NEAR
  return (
    ((isNear(right, 0) || isNear(right, card.width)) && isBeside(down, card.height)) ||
    ((isNear(down, 0) || isNear(down, card.height)) && isBeside(right, card.width))
  )
}

/** From and to which cards there are to be arrows, and whether they are on the happy way: of what leads onward alone. */
function wantedArrows(chart: Chart, folded: ReadonlySet<string> = new Set()): string[] {
  const order = statesOf(chart).map(({ id }) => id)
  // The outermost of what is folded comes first.
  const shown = (id: string) => order.find((one) => folded.has(one) && isInside(id, one)) ?? id
  const wanted = statesOf(chart).flatMap((state) =>
    linesOf(chart, state, wayOf(chart))
      .filter(({ kind }) => kind === 'happy' || kind === 'onward')
      .flatMap(({ kind, transition: { to } }) =>
        (to ?? []).map((target) => ({ kind, from: shown(state.id), to: shown(target) })),
      )
      .filter(({ from, to }) => order.indexOf(to) > order.indexOf(from) && !isInside(to, from)),
  )
  const anywhere = chart.transitions.filter(({ from }) => from === '').flatMap(({ to }) => to ?? [])
  for (const [at, from] of wayOf(chart).entries())
    for (const target of anywhere) {
      const next = wayOf(chart)[at + 1] ?? ''
      if (next !== target && !isInside(next, target)) continue
      const step = { kind: 'happy' as const, from: shown(from), to: shown(target) }
      if (order.indexOf(step.to) > order.indexOf(step.from) && !isInside(step.to, step.from))
        wanted.push(step)
    }
  const happy = new Set(wanted.filter(({ kind }) => kind === 'happy').map(({ from, to }) => `${from} ${to}`))
  const all = new Set(wanted.map(({ from, to }) => `${from} ${to}`))
  return [...all].map((arrow) => `${arrow}${happy.has(arrow) ? ' happy' : ''}`).sort()
}

const arrowsIn = ({ arrows }: Drawing) =>
  arrows.map(({ from, to, isHappy }) => `${from} ${to}${isHappy ? ' happy' : ''}`).sort()

describe('the lines of a card', () => {
  const linesIn = (id: string) => {
    const state = statesOf(lamp).find((one) => one.id === id)
    if (!state) throw new Error(`No state ${id}`)
    return linesOf(lamp, state, lampWay).map(({ cause, guard, kind, transition: { to } }) => [
      kind,
      cause,
      guard,
      to,
    ])
  }

  test('begin with the happy way, and end with what stays', () => {
    expect(linesIn('off')).toEqual([
      ['happy', 'press', 'isDark', ['on']],
      ['onward', 'pull', '', ['broken']],
      ['onward', 'press', 'else', ['worn']],
      ['stays', 'count', '', null],
      ['stays', 'dust', '', ['off']],
    ])
  })

  test('tell of failures, and of waits that were too long, after what leads onward', () => {
    expect(linesIn('on.warming')).toEqual([
      ['happy', 'warmUp done', '', ['on.warm']],
      ['failure', 'warmUp failed', '', ['broken']],
      ['failure', 'after warmTimeout (20 s)', '', ['broken']],
    ])
  })

  test('tell of a wait that is meant as of anything else', () => {
    expect(linesIn('on.warm')).toEqual([['onward', 'after doze (90 s)', '', ['off']]])
    expect(linesIn('on')).toEqual([['onward', 'pull', '', ['off']]])
    expect(linesIn('on.warm.steady')).toEqual([['happy', 'press', '', ['worn']]])
    expect(linesIn('worn')).toEqual([])
  })
})

test('a small chart: what leads onward has its arrow, from the happy way or beside it', async () => {
  const drawing = await drawingOf(elk, lamp, lampWay)
  expect(arrowsIn(drawing)).toEqual([
    'off broken',
    'off on happy',
    'off worn',
    'on.warm.flickering broken',
    'on.warm.steady worn happy',
    'on.warming on.warm happy',
  ])
})

describe('what is folded', () => {
  test.each([[['on']], [['on', 'on.warm']], [['on.warm', 'on']]])(
    'hides what is inside: %j',
    async (states) => {
      const drawing = await drawingOf(elk, lamp, lampWay, new Set(states))
      expect(drawing.cards.map(({ state: { id }, isFolded }) => [id, isFolded])).toEqual([
        ['off', false],
        ['on', true],
        ['worn', false],
        ['broken', false],
      ])
      expect(drawing.cards.find(({ isFolded }) => isFolded)).toMatchObject({ height: NAME, lines: [] })
      expect(arrowsIn(drawing)).toEqual([
        'off broken',
        'off on happy',
        'off worn',
        'on broken',
        'on worn happy',
      ])
    },
  )

  test('of an inner one alone leaves the outer one as it is', async () => {
    const drawing = await drawingOf(elk, lamp, lampWay, new Set(['on.warm']))
    expect(drawing.cards.map(({ state: { id } }) => id)).toEqual([
      ...['off', 'on', 'on.warming', 'on.warm', 'worn', 'broken'],
    ])
    expect(arrowsIn(drawing)).toEqual([
      'off broken',
      'off on happy',
      'off worn',
      'on.warm broken',
      'on.warm worn happy',
      'on.warming on.warm happy',
    ])
  })
})

describe.each(charts)('the drawing of $name', (chart) => {
  const drawn = drawingOf(elk, chart, wayOf(chart))

  test('has each state as a card, with each of its transitions in one line', async () => {
    const { cards } = await drawn
    expect(cards.map(({ state }) => state.id)).toEqual(statesOf(chart).map(({ id }) => id))
    for (const { state, lines, isFolded } of cards) {
      const own = chart.transitions.filter(({ from }) => from === state.id)
      expect(lines).toHaveLength(own.length)
      expect(new Set(lines.map(({ transition }) => transition))).toEqual(new Set(own))
      expect(isFolded).toBe(false)
    }
  })

  test('has inner cards within their outer ones, and no others upon each other', async () => {
    const { cards } = await drawn
    const wrong = pairs(cards).filter(([outer, inner]) =>
      isInside(inner.state.id, outer.state.id) ? !isWithin(inner, outer) : overlap(outer, inner),
    )
    expect(wrong.map((two) => two.map(({ state }) => state.id))).toEqual([])
  })

  test('has room in each card for its words, above the cards inside of it', async () => {
    const { cards } = await drawn
    const narrow = cards.filter(({ state, lines, y, height }) => {
      // Where a line leads stands below it.
      const rows = lines.flatMap(({ transition: { to } }) => (to === null ? ['cause'] : ['cause', 'target']))
      const inner = cards.filter((card) => isInside(card.state.id, state.id))
      const room = Math.min(height, ...inner.map((card) => card.y - y))
      return room < NAME + LINE * (rows.length + state.actors.length)
    })
    expect(narrow.map(({ state }) => state.id)).toEqual([])
  })

  test('has room for all of its cards, and is not too wide', async () => {
    const { width, height, cards } = await drawn
    expect(width).toBeLessThanOrEqual(WIDEST)
    const sheet = { x: 0, y: 0, width, height } as Card
    expect(cards.filter((card) => !isWithin(card, sheet)).map(({ state }) => state.id)).toEqual([])
  })

  test('has arrows for what leads onward alone, from card to card', async () => {
    const drawing = await drawn
    expect(arrowsIn(drawing)).toEqual(wantedArrows(chart))
    expect(astray(drawing)).toEqual([])
  })

  test('shows nothing of what is inside of what is folded', async () => {
    const outer = statesOf(chart).filter(({ children }) => children.length > 0)
    const folded = new Set(outer.map(({ id }) => id))
    const drawing = await drawingOf(elk, chart, wayOf(chart), folded)
    const { cards } = drawing
    expect(cards.map(({ state }) => state.id)).toEqual(chart.root.children.map(({ id }) => id))
    for (const card of cards.filter(({ state }) => folded.has(state.id)))
      expect(card).toMatchObject({ isFolded: true, height: NAME, lines: [] })
    expect(arrowsIn(drawing)).toEqual(wantedArrows(chart, folded))
    expect(astray(drawing)).toEqual([])
  })
})

/** Arrows that do not begin and end at the edges of their cards. */
function astray({ cards, arrows }: Drawing): string[] {
  const cardOf = (id: string) => cards.find(({ state }) => state.id === id)
  return arrows
    .filter(
      ({ from, to, points }) =>
        !isOnEdge(points[0], cardOf(from)) || !isOnEdge(points.at(-1), cardOf(to)) || points.length < 2,
    )
    .map(({ from, to }) => `${from} ${to}`)
}

describe('the happy ways', () => {
  test('are one for each machine', () => {
    expect(Object.keys(HAPPY_WAYS).sort()).toEqual(charts.map(({ name }) => name).sort())
  })

  test.each(charts)('that through $name goes by steps that it can take', (chart) => {
    const way = wayOf(chart)
    const known = new Set(statesOf(chart).map(({ id }) => id))
    expect(way.filter((id) => !known.has(id))).toEqual([])
    expect(way.length).toBeGreaterThan(1)
    const steps = way.slice(1).map((to, at) => [way[at] ?? '', to] as const)
    const impossible = steps.filter(
      ([from, to]) =>
        !chart.transitions.some(
          (one) =>
            [...around(from), ''].includes(one.from) &&
            one.to?.some((target) => entered(chart, target).includes(to)),
        ),
    )
    expect(impossible).toEqual([])
  })
})

/** The state itself and those around it, but for the machine. */
const around = (id: string): string[] =>
  id.split('.').map((_, at, names) => names.slice(0, names.length - at).join('.'))

/** The state itself, those around it, and those that it starts in: all that are on once it is entered. */
function entered(chart: Chart, id: string): string[] {
  const initial = statesOf(chart).find((one) => one.id === id)?.initial
  return [...around(id), ...(initial ? entered(chart, initial) : [])]
}
