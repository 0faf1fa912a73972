import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PARTS, SCREENS } from '../../e2e/screens.ts'
import { UNSEEN } from '../../e2e/unseen.ts'
import { chartOf, innermost, isPassedThrough } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'

/** Specs that look at every screen, or at none: no part of the product names them. */
const OF_NO_PART = ['accessibility', 'forced-colours', 'security', 'statecharts', 'storyboard']

const SPECS = globSync('*.spec.ts', { cwd: join(import.meta.dirname, '../../e2e') })
  .map((file) => file.replace(/\.spec\.ts$/, ''))
  .sort()

test('the screens of each part name the specs that test it, and each spec is named', () => {
  const named = new Set([...PARTS.flatMap(({ testedBy }) => testedBy), ...OF_NO_PART])
  expect([...named].sort()).toEqual(SPECS)
  for (const { testedBy, screens } of PARTS) expect(testedBy, screens[0]?.name).not.toEqual([])
})

test('no two screens have one name', () => {
  const names = SCREENS.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})

/** By its machine's id and its own: those in which somebody may find the machine. */
const states = machines.flatMap((machine) => {
  const chart = chartOf(machine)
  return innermost(chart.root)
    .filter((state) => !isPassedThrough(chart, state))
    .map(({ id }) => `${machine.id} ${id}`)
})
const shown = new Set(
  SCREENS.flatMap(({ at }) =>
    Object.entries(at).flatMap(([machine, state]) => (state === null ? [] : [`${machine} ${state}`])),
  ),
)

test('a screen names states that there are', () => {
  expect([...shown].filter((state) => !states.includes(state))).toEqual([])
})

test('each state that people see has a screen, and of each other it is said why nobody sees it', () => {
  const unseen = Object.entries(UNSEEN).flatMap(([machine, reasons]) =>
    Object.keys(reasons).map((state) => `${machine} ${state}`),
  )
  expect([...shown, ...unseen].sort()).toEqual([...states].sort())
})

test('what tells of a state that has no screen of its own is a screen', () => {
  const names = SCREENS.map(({ name }) => name)
  const toldBy = Object.values(UNSEEN).flatMap((reasons) =>
    Object.values(reasons).flatMap((reason) => reason.toldBy),
  )
  expect(toldBy.length).toBeGreaterThan(0)
  expect(toldBy.filter((name) => !names.includes(name))).toEqual([])
})
