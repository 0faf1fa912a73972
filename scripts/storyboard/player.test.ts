import { expect, test } from 'vitest'
import { setup } from 'xstate'
import { chartOf, innermost, isPassedThrough } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { playerOf, type Step } from './player.ts'

const doorMachine = setup({
  guards: { isLocked: () => true, isLoud: () => true },
  actions: { ring: () => {}, creak: () => {} },
}).createMachine({
  id: 'door',
  initial: 'closed',
  states: {
    closed: { on: { push: [{ guard: 'isLocked', actions: 'ring' }, 'opening'] } },
    opening: { entry: 'creak', always: [{ guard: 'isLoud', target: 'closed' }, { target: 'open' }] },
    open: { after: { 90000: 'closed' } },
  },
})
const none = new Set<string>()

test('guards say what they are told, and what was asked, done and passed is told', () => {
  const player = playerOf(doorMachine, chartOf(doorMachine))
  const start = player.start(none)
  expect(start).toMatchObject({ event: null, value: 'closed' })
  const [locked, unlocked] = player.moves(start)
  if (!locked || !unlocked) throw new Error('Two moves')
  expect(player.take(start, locked, none)).toEqual({
    event: 'push',
    value: 'closed',
    passed: [],
    done: ['ring'],
    asked: new Map([['isLocked', true]]),
  })
  const opened = player.take(start, unlocked, none)
  expect(opened).toEqual({
    event: 'push',
    value: 'open',
    passed: [['opening']],
    done: ['creak'],
    asked: new Map([
      ['isLocked', false],
      ['isLoud', false],
    ]),
  })
  expect(player.take(start, unlocked, new Set(['isLoud'])).value).toBe('closed')
  const [later] = player.moves(opened)
  expect(later && player.take(opened, later, none).value).toBe('closed')
})

test.each(machines)('every state of $id that somebody may find it in can be played to', (machine) => {
  const chart = chartOf(machine)
  const guards = Object.keys(machine.implementations.guards)
  const player = playerOf(machine, chart)
  const found = new Map<string, Step>()
  const open = [none, ...guards.map((guard) => new Set([guard]))].map((yes) => player.start(yes))
  for (let step = open.pop(); step; step = open.pop()) {
    const key = JSON.stringify(step.value)
    if (found.has(key)) continue
    found.set(key, step)
    for (const move of player.moves(step))
      for (const yes of [none, ...guards.map((guard) => new Set([guard]))])
        open.push(player.take(step, move, yes))
  }
  const values = new Set([...found.keys()].map((key) => innermostOf(JSON.parse(key))))
  const states = innermost(chart.root).filter(
    (state) => state.kind === 'final' || !isPassedThrough(chart, state),
  )
  expect([...values].sort()).toEqual(states.map(({ id }) => id).sort())
})

const innermostOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value as object)
        .map(([name, inner]) => `${name}.${innermostOf(inner)}`)
        .join(' ')
