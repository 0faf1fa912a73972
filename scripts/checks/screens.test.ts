import { expect, test } from 'vitest'
import { STATES_WITHOUT_SCREEN } from '../../e2e/statesWithoutScreen.ts'
import { SCENES } from '../../scenes/scenes.ts'
import { buildChart, isTransient, listInnermostStates } from '../../statecharts/chart.ts'
import { machines } from '../../statecharts/machines.ts'

test('scenes have unique names', () => {
  const names = SCENES.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})

const states = machines.flatMap((machine) => {
  const chart = buildChart(machine)
  return listInnermostStates(chart.root)
    .filter((state) => !isTransient(chart, state))
    .map(({ id }) => `${machine.id} ${id}`)
})
const shown = new Set(
  SCENES.flatMap(({ at }) =>
    Object.entries(at).flatMap(([machine, state]) => (state === null ? [] : [`${machine} ${state}`])),
  ),
)

test('scenes name only states in which a machine can stay', () => {
  expect([...shown].filter((state) => !states.includes(state))).toEqual([])
})

test('each resting state has a scene, or a reason for none', () => {
  const unseen = Object.entries(STATES_WITHOUT_SCREEN).flatMap(([machine, reasons]) =>
    Object.keys(reasons).map((state) => `${machine} ${state}`),
  )
  expect([...shown, ...unseen].sort()).toEqual([...states].sort())
})

test('scenes that show another state’s screen exist', () => {
  const names = SCENES.map(({ name }) => name)
  const toldBy = Object.values(STATES_WITHOUT_SCREEN).flatMap((reasons) =>
    Object.values(reasons).flatMap(([, ...coveredBy]) => coveredBy),
  )
  expect(toldBy.length).toBeGreaterThan(0)
  expect(toldBy.filter((name) => !names.includes(name))).toEqual([])
})
