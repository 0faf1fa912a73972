import ELK from 'elkjs/lib/elk.bundled.js'
import { describe, expect, test } from 'vitest'
import { fromPromise, setup } from 'xstate'
import { buildChart, type Chart, type ChartState, flattenStates } from '../../statecharts/chart.ts'
import { machines } from '../../statecharts/machines.ts'
import {
  type Arrow,
  buildTransitionLines,
  type ChartLayout,
  layOutChart,
  type StateCardLayout,
} from './cards.ts'
import { HAPPY_PATHS } from './happyPaths.ts'

const elk = new ELK()

/**
 * In pixels: what a window of 1280 leaves beside the state's description at the smallest readable zoom, with
 * a small tolerance.
 */
const WIDEST = 1300
const NAME = 34
const LINE = 19
/** The layout uses fractions of pixels. */
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
const lamp = buildChart(lampMachine)
const lampWay = ['off', 'on.warming', 'on.warm.steady', 'worn']

const charts = machines.map((machine) => buildChart(machine))
const getHappyPath = ({ name }: Chart) => HAPPY_PATHS[name] ?? []
const listStates = ({ root }: Chart): ChartState[] => flattenStates(root).slice(1)
const isInside = (one: string, other: string) => one.startsWith(`${other}.`)
const pairs = <One>(all: readonly One[]) =>
  all.flatMap((one, at) => all.slice(at + 1).map((other) => [one, other] as const))

function overlap(one: StateCardLayout, other: StateCardLayout): boolean {
  const isApart =
    one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y ||
    other.y + other.height <= one.y
  return !isApart
}

const isWithin = (inner: StateCardLayout, outer: StateCardLayout) =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height

function isOnEdge(point: Arrow['points'][number] | undefined, card: StateCardLayout | undefined): boolean {
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

/** Only forward transitions have arrows. */
function listExpectedArrows(chart: Chart): string[] {
  const order = listStates(chart).map(({ id }) => id)
  const wanted = listStates(chart).flatMap((state) =>
    buildTransitionLines(chart, state, getHappyPath(chart))
      .filter(({ kind }) => kind === 'happy' || kind === 'onward')
      .flatMap(({ kind, transition: { to } }) =>
        (to ?? []).map((target) => ({ kind, from: state.id, to: target })),
      )
      .filter(({ from, to }) => order.indexOf(to) > order.indexOf(from) && !isInside(to, from)),
  )
  const anywhere = chart.transitions.filter(({ from }) => from === '').flatMap(({ to }) => to ?? [])
  for (const [at, from] of getHappyPath(chart).entries())
    for (const target of anywhere) {
      const next = getHappyPath(chart)[at + 1] ?? ''
      if (next !== target && !isInside(next, target)) continue
      if (order.indexOf(target) > order.indexOf(from) && !isInside(target, from))
        wanted.push({ kind: 'happy', from, to: target })
    }
  const happy = new Set(wanted.filter(({ kind }) => kind === 'happy').map(({ from, to }) => `${from} ${to}`))
  const all = new Set(wanted.map(({ from, to }) => `${from} ${to}`))
  return [...all].map((arrow) => `${arrow}${happy.has(arrow) ? ' happy' : ''}`).sort()
}

const listArrows = ({ arrows }: ChartLayout) =>
  arrows.map(({ from, to, isHappy }) => `${from} ${to}${isHappy ? ' happy' : ''}`).sort()

describe('the lines of a card', () => {
  const listLines = (id: string) => {
    const state = listStates(lamp).find((one) => one.id === id)
    if (!state) throw new Error(`No state ${id}`)
    return buildTransitionLines(lamp, state, lampWay).map(({ cause, guard, kind, transition: { to } }) => [
      kind,
      cause,
      guard,
      to,
    ])
  }

  test('a card’s lines begin with the happy path, internal transitions last', () => {
    expect(listLines('off')).toEqual([
      ['happy', 'press', 'isDark', ['on']],
      ['onward', 'pull', '', ['broken']],
      ['onward', 'press', 'else', ['worn']],
      ['stays', 'count', '', null],
      ['stays', 'dust', '', ['off']],
    ])
  })

  test('the lines of a card list failures and timeouts after forward transitions', () => {
    expect(listLines('on.warming')).toEqual([
      ['happy', 'warmUp done', '', ['on.warm']],
      ['failure', 'warmUp failed', '', ['broken']],
      ['failure', 'after warmTimeout (20 s)', '', ['broken']],
    ])
  })

  test('a card’s lines list a delay like any other event', () => {
    expect(listLines('on.warm')).toEqual([['onward', 'after doze (90 s)', '', ['off']]])
    expect(listLines('on')).toEqual([['onward', 'pull', '', ['off']]])
    expect(listLines('on.warm.steady')).toEqual([['happy', 'press', '', ['worn']]])
    expect(listLines('worn')).toEqual([])
  })
})

test('draws each forward transition, and marks those on the happy path', async () => {
  const drawing = await layOutChart(elk, lamp, lampWay)
  expect(listArrows(drawing)).toEqual([
    'off broken',
    'off on happy',
    'off worn',
    'on.warm.flickering broken',
    'on.warm.steady worn happy',
    'on.warming on.warm happy',
  ])
})

describe.each(charts)('the drawing of $name', (chart) => {
  const drawn = layOutChart(elk, chart, getHappyPath(chart))

  test('each drawing has a card per state, a line per transition', async () => {
    const { cards } = await drawn
    expect(cards.map(({ state }) => state.id)).toEqual(listStates(chart).map(({ id }) => id))
    for (const { state, lines } of cards) {
      const own = chart.transitions.filter(({ from }) => from === state.id)
      expect(lines).toHaveLength(own.length)
      expect(new Set(lines.map(({ transition }) => transition))).toEqual(new Set(own))
    }
  })

  test('each drawing nests inner cards in outer ones, without other overlaps', async () => {
    const { cards } = await drawn
    const wrong = pairs(cards).filter(([outer, inner]) =>
      isInside(inner.state.id, outer.state.id) ? !isWithin(inner, outer) : overlap(outer, inner),
    )
    expect(wrong.map((two) => two.map(({ state }) => state.id))).toEqual([])
  })

  test('each card has room for its text above inner cards', async () => {
    const { cards } = await drawn
    const narrow = cards.filter(({ state, lines, y, height }) => {
      // A line's target is in a row of its own.
      const rows = lines.flatMap(({ transition: { to } }) => (to === null ? ['cause'] : ['cause', 'target']))
      const inner = cards.filter((card) => isInside(card.state.id, state.id))
      const room = Math.min(height, ...inner.map((card) => card.y - y))
      return room < NAME + LINE * (rows.length + state.actors.length)
    })
    expect(narrow.map(({ state }) => state.id)).toEqual([])
  })

  test('each drawing contains all its cards, and is not too wide', async () => {
    const { width, height, cards } = await drawn
    expect(width).toBeLessThanOrEqual(WIDEST)
    const sheet = { x: 0, y: 0, width, height } as StateCardLayout
    expect(cards.filter((card) => !isWithin(card, sheet)).map(({ state }) => state.id)).toEqual([])
  })

  test('each drawing has arrows for forward transitions only, from card to card', async () => {
    const drawing = await drawn
    expect(listArrows(drawing)).toEqual(listExpectedArrows(chart))
    expect(findStrayArrows(drawing)).toEqual([])
  })
})

function findStrayArrows({ cards, arrows }: ChartLayout): string[] {
  const findCard = (id: string) => cards.find(({ state }) => state.id === id)
  return arrows
    .filter(
      ({ from, to, points }) =>
        !isOnEdge(points[0], findCard(from)) || !isOnEdge(points.at(-1), findCard(to)) || points.length < 2,
    )
    .map(({ from, to }) => `${from} ${to}`)
}

describe('the happy paths', () => {
  test('each machine has a happy path', () => {
    expect(Object.keys(HAPPY_PATHS).sort()).toEqual(charts.map(({ name }) => name).sort())
  })

  test.each(charts)('the happy path of $name takes only transitions of the machine', (chart) => {
    const way = getHappyPath(chart)
    const known = new Set(listStates(chart).map(({ id }) => id))
    expect(way.filter((id) => !known.has(id))).toEqual([])
    expect(way.length).toBeGreaterThan(1)
    const steps = way.slice(1).map((to, at) => [way[at] ?? '', to] as const)
    const impossible = steps.filter(
      ([from, to]) =>
        !chart.transitions.some(
          (one) =>
            [...around(from), ''].includes(one.from) &&
            one.to?.some((target) => listEnteredStates(chart, target).includes(to)),
        ),
    )
    expect(impossible).toEqual([])
  })
})

const around = (id: string): string[] =>
  id.split('.').map((_, at, names) => names.slice(0, names.length - at).join('.'))

/** Includes the ancestors and the initial substates. */
function listEnteredStates(chart: Chart, id: string): string[] {
  const initial = listStates(chart).find((one) => one.id === id)?.initial
  return [...around(id), ...(initial ? listEnteredStates(chart, initial) : [])]
}
