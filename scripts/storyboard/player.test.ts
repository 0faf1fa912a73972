import { describe, expect, test } from 'vitest'
import { setup } from 'xstate'
import { activeStates, chartOf, innermostOf } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { pathsOf } from './paths.ts'
import { type Hand, handOf, playerOf } from './player.ts'

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

const houseMachine = setup({
  guards: { isLocked: () => true, isLoud: () => true, isKnown: () => true },
  actions: { tell: (_, _kind: { kind: string } | string) => {}, ring: () => {} },
}).createMachine({
  id: 'house',
  initial: 'day',
  on: {
    knock: [{ guard: 'isLoud', actions: 'ring' }, { target: '.night' }],
    wave: { target: '.night' },
  },
  states: {
    day: {
      exit: { type: 'tell', params: 'dusk' },
      initial: 'lunch',
      on: { knock: { guard: 'isKnown', target: '.tea' }, wave: { target: 'night' } },
      states: {
        lunch: { on: { knock: { guard: 'isLoud', target: 'tea' }, wave: { target: 'tea' } } },
        tea: { entry: { type: 'tell', params: { kind: 'tea' } } },
      },
    },
    night: {
      type: 'parallel',
      on: { knock: { target: 'day' } },
      states: {
        attic: {
          initial: 'quiet',
          states: { quiet: { on: { knock: { guard: 'isLoud', target: 'awake' } } }, awake: {} },
        },
        cellar: {
          initial: 'quiet',
          states: {
            quiet: { on: { knock: { guard: 'isLocked', target: 'awake' } } },
            awake: { on: { knock: { actions: 'ring' } } },
          },
        },
      },
    },
  },
})

test.each([
  [
    'that of an outer state comes after that of inner ones, and not when these have it anyway',
    { day: 'lunch' },
    [
      'day.lunch knock isLoud=yes',
      'day.lunch wave',
      'day knock isLoud=no isKnown=yes',
      ' knock isLoud=no isKnown=no',
    ],
  ],
  [
    'beside a state of which both parts are on, each may take an event',
    { night: { attic: 'quiet', cellar: 'quiet' } },
    [
      'night.attic.quiet knock isLoud=yes',
      'night knock isLoud=no isLocked=no',
      ' wave',
      'night.cellar.quiet knock isLocked=yes',
    ],
  ],
  [
    'the state around two parts is not asked when one of them takes the event',
    { night: { attic: 'quiet', cellar: 'awake' } },
    ['night.attic.quiet knock isLoud=yes', ' wave', 'night.cellar.awake knock'],
  ],
])('of what can happen, %s', (_, value, moves) => {
  const player = playerOf(houseMachine, chartOf(houseMachine))
  const said = player.moves(player.at(value)).map(({ eventType, transition, answers }) => {
    const guards = [...answers].map(([guard, isYes]) => `${guard}=${isYes ? 'yes' : 'no'}`)
    return [transition.from, eventType, ...guards].join(' ')
  })
  expect(said).toEqual(moves)
})

test('an action is told with its parameters', () => {
  const player = playerOf(houseMachine, chartOf(houseMachine))
  const tea = player.send(player.at({ day: 'lunch' }), 'wave', none)
  expect(tea.done).toEqual(['tell {"kind":"tea"}'])
  expect(player.send(tea, 'wave', none).done).toEqual(['tell dusk'])
})

describe('by hand', () => {
  const player = playerOf(doorMachine, chartOf(doorMachine))
  const hand = handOf(player)
  const lastOf = ({ taken }: Hand) => taken.at(-1)?.step
  const press = (from: Hand, at: number) => {
    const step = lastOf(from) ?? player.at({})
    const move = player.moves(step)[at]
    if (!move) throw new Error(`Only ${player.moves(step).length} moves`)
    return hand.press(from, move, step)
  }

  test('a press says for the guards what it needs, and they go on saying it', () => {
    const locked = press(hand.start(new Set(['isLoud'])), 0)
    expect(locked.yes).toEqual(new Set(['isLoud', 'isLocked']))
    expect(press(locked, 1).yes).toEqual(new Set(['isLoud']))
  })

  test('a guard that is changed asks the last event once more, and it may lead elsewhere', () => {
    const opened = press(hand.start(none), 1)
    expect(lastOf(opened)?.value).toBe('open')
    const locked = hand.answer(opened, 'isLocked', true)
    expect(locked.taken).toHaveLength(2)
    expect(lastOf(locked)).toMatchObject({
      value: 'closed',
      done: ['ring'],
      asked: new Map([['isLocked', true]]),
    })
    expect(hand.answer(locked, 'isLocked', false)).toMatchObject({
      yes: none,
      taken: opened.taken.map(({ step }) => ({ step })),
    })
  })

  test('a step back has the guards say what they said then', () => {
    const opened = press(press(hand.start(none), 0), 1)
    expect(opened.yes).toEqual(none)
    const before = hand.back(opened)
    expect(before.yes).toEqual(new Set(['isLocked']))
    expect(lastOf(hand.answer(before, 'isLoud', true))?.asked).toEqual(new Map([['isLocked', true]]))
  })

  test('a guard that is changed at the start asks for the start once more', () => {
    const start = hand.start(none)
    expect(hand.answer(start, 'isLoud', true)).toMatchObject({
      yes: new Set(['isLoud']),
      taken: [{ step: { event: null, value: 'closed' } }],
    })
    const opening = handOf({ ...player, start: (yes) => player.at(yes.has('isLoud') ? 'closed' : 'open') })
    expect(lastOf(opening.answer(opening.start(none), 'isLoud', true))?.value).toBe('closed')
  })

  test('a state that the app is in stays, whatever the guards say', () => {
    const live = player.at('open')
    const [move] = player.moves(live)
    if (!move) throw new Error('One move')
    const closed = hand.press(hand.start(none), move, live)
    expect(closed.taken.map(({ step }) => step.value)).toEqual(['open', 'closed'])
    const before = hand.back(closed)
    expect(hand.answer(before, 'isLoud', true).taken.map(({ step }) => step.value)).toEqual(['open'])
  })

  test('steps that were recorded stay too, and go on from where they end', () => {
    const steps = [
      { event: null, value: 'closed' },
      { event: 'push', value: 'open', hasFailed: true },
    ] as const
    const followed = hand.follow(hand.start(none), steps)
    expect(followed.taken.map(({ step }) => step)).toMatchObject(steps)
    expect(hand.answer(followed, 'isLocked', true).taken).toEqual(followed.taken)
    expect(press(followed, 0).taken.map(({ step }) => step.value)).toEqual(['closed', 'open', 'closed'])
  })
})

describe.each(machines)('pressing what can happen to $id', (machine) => {
  const chart = chartOf(machine)
  const player = playerOf(machine, chart)
  const ticked = [none, ...Object.keys(machine.implementations.guards).map((guard) => new Set([guard]))]
  const found = pathsOf(machine.id, chart, player).map(({ steps }) => player.at(steps.at(-1)?.value ?? {}))

  test('takes exactly that transition, whatever else is ticked', () => {
    for (const step of found)
      for (const move of player.moves(step))
        for (const yes of ticked) {
          const { value, passed, done } = player.take(step, move, yes)
          const { from, to, guard, actions } = move.transition
          const first = passed[0] ?? activeStates(value)
          const name = `${from}: ${move.eventType} [${guard}] with ${[...yes]} in ${JSON.stringify(step.value)}`
          if (to) expect(first, name).toEqual(expect.arrayContaining([...to]))
          else expect(first, name).toEqual(activeStates(step.value))
          expect(done, name).toEqual(expect.arrayContaining([...actions]))
        }
  })

  test('is offered once for each, and the own transitions of the innermost state are all offered', () => {
    for (const step of found) {
      const offered = player.moves(step).map(({ transition }) => transition)
      expect(new Set(offered).size).toBe(offered.length)
      const here = innermostOf(activeStates(step.value))
      const own = chart.transitions.filter(
        ({ from, cause }) => here.includes(from) && cause.kind !== 'always',
      )
      expect(offered).toEqual(expect.arrayContaining(own))
    }
  })
})
