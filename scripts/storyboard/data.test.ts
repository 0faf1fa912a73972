import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { SCREENS } from '../../e2e/screens.ts'
import { UNSEEN } from '../../e2e/unseen.ts'
import { chartOf, withInner } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { pictureName, type StandingScreen, seenIn, VIEWS, type View, WINDOWS } from './data.ts'

const lampMachine = createMachine({
  id: 'lamp',
  initial: 'off',
  states: {
    off: { on: { press: 'on', fall: 'broken' } },
    on: { initial: 'warm', states: { warm: { on: { wear: '#lamp.worn' } } } },
    worn: { always: 'off' },
    broken: { type: 'final' },
    old: { initial: 'cold', states: { cold: {}, wet: {}, dim: {} } },
  },
})
const lamp = chartOf(lampMachine)
const door = { ...lamp, name: 'door' }

const screens: readonly StandingScreen[] = [
  { name: 'lamp-off', at: { lamp: 'off', door: 'on' } },
  { name: 'lamp-on', at: { lamp: 'on.warm', door: null } },
  { name: 'lamp-dusty', at: { lamp: 'off', door: null } },
  { name: 'letter', at: { lamp: null, door: null } },
]
const unseen = {
  lamp: {
    off: { why: 'At night a letter tells it, and the lamp.', toldBy: ['letter', 'lamp-off'] },
    'old.cold': { why: 'Nobody looks.', toldBy: [] },
    'old.wet': { why: 'Nobody looks.', toldBy: [] },
    'old.dim': { why: 'It is dark.', toldBy: [] },
    'on.warm': { why: 'At night.', toldBy: [] },
  },
}

test.each([
  ['on.warm', lamp, ['lamp-on'], 'At night.'],
  ['on', lamp, ['lamp-on'], null],
  ['on', door, ['lamp-off'], null],
  ['off', door, [], null],
  ['of', lamp, [], null],
  ['worn', lamp, [], 'It is left at once, so nobody sees it.'],
  ['broken', lamp, [], 'It is the end: what comes next stands there already.'],
  ['old.wet', lamp, [], 'Nobody looks.'],
  ['old', lamp, [], 'Nobody looks. It is dark.'],
  ['off', lamp, ['lamp-off', 'lamp-dusty', 'letter'], unseen.lamp.off.why],
])('in %s of $name there are these screens, each once: %j', (state, chart, names, reason) => {
  expect(seenIn({ screens, unseen }, chart, state)).toEqual({ screens: names, reason })
})

test.each(machines)('each card of $id shows what people see, or says why nobody does', (machine) => {
  const chart = chartOf(machine)
  const [, ...states] = withInner(chart.root)
  const empty = states.filter(({ id }) => {
    const seen = seenIn({ screens: SCREENS, unseen: UNSEEN }, chart, id)
    return seen.screens.length === 0 && seen.reason === null
  })
  expect(empty.map(({ id }) => id)).toEqual([])
})

const viewOf: fc.Arbitrary<View> = fc.record({
  window: fc.constantFrom('phone', 'desk'),
  language: fc.constantFrom('fr', 'en'),
  scheme: fc.constantFrom('light', 'dark'),
})
/** Of the words of the views too: they must not be taken for a part of them. */
const screenName = fc
  .array(fc.constantFrom('receipt', 'late', 'phone', 'desk', 'fr', 'en', 'light', 'dark'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((words) => words.join('-'))

test('no two views have the same picture', () => {
  expect(new Set(VIEWS.map(({ window }) => window))).toEqual(new Set(Object.keys(WINDOWS)))
  expect(new Set(VIEWS.map((view) => pictureName('receipt', view))).size).toBe(8)
  fc.assert(
    fc.property(screenName, viewOf, screenName, viewOf, (one, view, other, otherView) => {
      const isSame = one === other && JSON.stringify(view) === JSON.stringify(otherView)
      expect(pictureName(one, view) === pictureName(other, otherView)).toBe(isSame)
    }),
  )
})

test('a picture is a file that the page can ask for', () => {
  expect(pictureName('receipt-late', { window: 'phone', language: 'fr', scheme: 'dark' })).toBe(
    'receipt-late-phone-fr-dark.jpg',
  )
})
