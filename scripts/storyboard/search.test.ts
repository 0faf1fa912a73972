import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { buildChart } from '../../statecharts/chart.ts'
import type { StoryboardData } from './data.ts'
import { search } from './search.ts'

const lamp = buildChart(
  createMachine({ id: 'lamp', initial: 'off', states: { off: { on: { 'switch.press': 'lit' } }, lit: {} } }),
)
const data: StoryboardData = {
  scenes: [{ name: 'lamp-lit', at: { session: 'signedIn', update: 'upToDate', lamp: 'lit' }, reached: {} }],
  unseen: {},
  texts: { 'lamp-lit': { fr: 'La lampe est allumée\u00a0!', en: 'The lamp is on' } },
}
const scene = { machine: 'lamp', state: 'lit', scene: 'lamp-lit' }

test.each([
  ['LIT', 'state', { machine: 'lamp', state: 'lit', scene: null }],
  ['switch', 'event', { machine: 'lamp', state: 'off', scene: null }],
  ['lamp-l', 'scene', scene],
  ['allumée !', 'text', { ...scene, language: 'fr' }],
  ['lamp is', 'text', { ...scene, language: 'en' }],
])('the search for ‘%s’ finds the matching %s', (wanted, kind, to) => {
  expect(search(wanted, [lamp], data)).toContainEqual(expect.objectContaining({ kind, to }))
})

test('the search finds nothing for a single letter', () => {
  expect(search('l', [lamp], data)).toEqual([])
})
