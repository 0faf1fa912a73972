import { describe, expect, test } from 'vitest'
import { setup } from 'xstate'
import { buildChart, getInnermostStates, listActiveStates } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { findShortestPaths } from './paths.ts'
import { createManualPlay, createPlayer, type ManualPlay } from './player.ts'

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

test('the player sets guard results, and reports what was evaluated', () => {
  const player = createPlayer(doorMachine, buildChart(doorMachine))
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
    'of inner states first, and of an outer state only if the inner ones can refuse the event',
    { day: 'lunch' },
    [
      'day.lunch knock isLoud=yes',
      'day.lunch wave',
      'day knock isLoud=no isKnown=yes',
      ' knock isLoud=no isKnown=no',
    ],
  ],
  [
    'of each parallel region, and of their parent if both regions refuse the event',
    { night: { attic: 'quiet', cellar: 'quiet' } },
    [
      'night.attic.quiet knock isLoud=yes',
      'night knock isLoud=no isLocked=no',
      ' wave',
      'night.cellar.quiet knock isLocked=yes',
    ],
  ],
  [
    'of parallel regions, but not of their parent if a region always handles the event',
    { night: { attic: 'quiet', cellar: 'awake' } },
    ['night.attic.quiet knock isLoud=yes', ' wave', 'night.cellar.awake knock'],
  ],
])('the player offers the moves %s', (_, value, moves) => {
  const player = createPlayer(houseMachine, buildChart(houseMachine))
  const said = player.moves(player.at(value)).map(({ eventType, transition, answers }) => {
    const guards = [...answers].map(([guard, isYes]) => `${guard}=${isYes ? 'yes' : 'no'}`)
    return [transition.from, eventType, ...guards].join(' ')
  })
  expect(said).toEqual(moves)
})

test('the player passes parameters to actions', () => {
  const player = createPlayer(houseMachine, buildChart(houseMachine))
  const tea = player.send(player.at({ day: 'lunch' }), 'wave', none)
  expect(tea.done).toEqual(['tell {"kind":"tea"}'])
  expect(player.send(tea, 'wave', none).done).toEqual(['tell dusk'])
})

describe('createManualPlay', () => {
  const player = createPlayer(doorMachine, buildChart(doorMachine))
  const hand = createManualPlay(player)
  const getLastStep = ({ taken }: ManualPlay) => taken.at(-1)?.step
  const press = (from: ManualPlay, at: number) => {
    const step = getLastStep(from) ?? player.at({})
    const move = player.moves(step)[at]
    if (!move) throw new Error(`Only ${player.moves(step).length} moves`)
    return hand.press(from, move, step)
  }

  test('taking a move keeps the guard results that it needed', () => {
    const locked = press(hand.start(new Set(['isLoud'])), 0)
    expect(locked.yes).toEqual(new Set(['isLoud', 'isLocked']))
    expect(press(locked, 1).yes).toEqual(new Set(['isLoud']))
  })

  test('changing a guard result repeats the last event', () => {
    const opened = press(hand.start(none), 1)
    expect(getLastStep(opened)?.value).toBe('open')
    const locked = hand.answer(opened, 'isLocked', true)
    expect(locked.taken).toHaveLength(2)
    expect(getLastStep(locked)).toMatchObject({
      value: 'closed',
      done: ['ring'],
      asked: new Map([['isLocked', true]]),
    })
    expect(hand.answer(locked, 'isLocked', false)).toMatchObject({
      yes: none,
      taken: opened.taken.map(({ step }) => ({ step })),
    })
  })

  test('going back restores the guard results of the previous step', () => {
    const opened = press(press(hand.start(none), 0), 1)
    expect(opened.yes).toEqual(none)
    const before = hand.back(opened)
    expect(before.yes).toEqual(new Set(['isLocked']))
    expect(getLastStep(hand.answer(before, 'isLoud', true))?.asked).toEqual(new Map([['isLocked', true]]))
  })

  test('changing a guard result before the first move repeats the start', () => {
    const start = hand.start(none)
    expect(hand.answer(start, 'isLoud', true)).toMatchObject({
      yes: new Set(['isLoud']),
      taken: [{ step: { event: null, value: 'closed' } }],
    })
    const opening = createManualPlay({
      ...player,
      start: (yes) => player.at(yes.has('isLoud') ? 'closed' : 'open'),
    })
    expect(getLastStep(opening.answer(opening.start(none), 'isLoud', true))?.value).toBe('closed')
  })

  test('changing a guard result leaves the app’s state unchanged', () => {
    const live = player.at('open')
    const [move] = player.moves(live)
    if (!move) throw new Error('One move')
    const closed = hand.press(hand.start(none), move, live)
    expect(closed.taken.map(({ step }) => step.value)).toEqual(['open', 'closed'])
    const before = hand.back(closed)
    expect(hand.answer(before, 'isLoud', true).taken.map(({ step }) => step.value)).toEqual(['open'])
  })

  test('replaying keeps recorded steps, and a move continues from the last', () => {
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

describe.each(machines)('the moves of $id', (machine) => {
  const chart = buildChart(machine)
  const player = createPlayer(machine, chart)
  const ticked = [none, ...Object.keys(machine.implementations.guards).map((guard) => new Set([guard]))]
  const found = findShortestPaths(machine.id, chart, player).map(({ steps }) =>
    player.at(steps.at(-1)?.value ?? {}),
  )

  test('taking a move takes exactly its transition, whatever other guards return', () => {
    for (const step of found)
      for (const move of player.moves(step))
        for (const yes of ticked) {
          const { value, passed, done } = player.take(step, move, yes)
          const { from, to, guard, actions } = move.transition
          const first = passed[0] ?? listActiveStates(value)
          const name = `${from}: ${move.eventType} [${guard}] with ${[...yes]} in ${JSON.stringify(step.value)}`
          if (to) expect(first, name).toEqual(expect.arrayContaining([...to]))
          else expect(first, name).toEqual(listActiveStates(step.value))
          expect(done, name).toEqual(expect.arrayContaining([...actions]))
        }
  })

  test('the player offers each transition once, and all innermost ones', () => {
    for (const step of found) {
      const offered = player.moves(step).map(({ transition }) => transition)
      expect(new Set(offered).size).toBe(offered.length)
      const here = getInnermostStates(listActiveStates(step.value))
      const own = chart.transitions.filter(
        ({ from, cause }) => here.includes(from) && cause.kind !== 'always',
      )
      expect(offered).toEqual(expect.arrayContaining(own))
    }
  })
})
