import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AnyStateMachine, createActor, createMachine, fromPromise, SimulatedClock } from 'xstate'
import { DAY } from '../domain/common/duration.ts'
import { buildChart, flattenStates, listActiveStates } from './chart.ts'
import { exportMachineJson, getDelayLength } from './json.ts'
import { machines } from './machines.ts'
import { parseDocstring, renderPages } from './pages.ts'
import { readMachineSources } from './sources.ts'

const FOLDER = 'docs/statecharts'

test('the list has every machine, named like its file', async () => {
  const files = globSync('machines/*.ts', { exclude: ['machines/*.test.ts'] })
  const found = await Promise.all(
    files.map(async (file) =>
      Object.keys(await import(join(process.cwd(), file))).map((name) => [file, name]),
    ),
  )
  expect(
    found
      .flat()
      .filter(([, name]) => name && /^(?!create)\w+Machine$/.test(name))
      .sort(),
  ).toEqual(machines.map(({ id }) => [`machines/${id}.ts`, `${id}Machine`]))
})

test('the statechart pages are up to date with `npm run generate`', () => {
  const pages = renderPages(readMachineSources())
  expect(readdirSync(FOLDER).sort()).toEqual([...pages.keys()].sort())
  for (const [file, text] of pages) expect(readFileSync(join(FOLDER, file), 'utf8'), file).toBe(text)
})

test.each(machines)('the JSON of $id creates a machine with the same transitions', (machine) => {
  const { root, transitions } = buildChart(read(machine))
  const { context } = read(machine).config
  const inMs = buildChart(machine).transitions.map((transition) =>
    transition.cause.kind === 'delay'
      ? {
          ...transition,
          cause: { kind: 'delay', name: String(getDelayLength(machine, transition.cause.name, context)) },
        }
      : transition,
  )
  expect(root).toEqual(buildChart(machine).root)
  expect(transitions).toHaveLength(inMs.length)
  expect(transitions).toEqual(expect.arrayContaining(inMs))
})

test.each(machines)('the JSON of $id waits in its first state without looping', (machine) => {
  const clock = new SimulatedClock()
  const actor = createActor(provideFakes(read(machine)), { clock })
  let steps = 0
  actor.subscribe(() => (steps += 1))
  actor.start()
  const { value } = actor.getSnapshot()
  const first = listActiveStates(value)
  const delays = buildChart(read(machine)).transitions.flatMap(({ from, cause }) =>
    cause.kind === 'delay' && first.includes(from) ? Number(cause.name) : [],
  )
  expect(delays).not.toContain(Number.NaN)
  clock.increment(Math.min(...delays, DAY) - 1)
  expect(actor.getSnapshot().value).toEqual(value)
  clock.increment(DAY)
  expect(steps).toBeLessThan(100)
})

const read = (machine: AnyStateMachine): AnyStateMachine =>
  createMachine(JSON.parse(exportMachineJson(machine)))

/** Guards return false, actions do nothing, and actors never resolve. */
function provideFakes(machine: AnyStateMachine): AnyStateMachine {
  const { root, transitions } = buildChart(machine)
  const by = <T>(names: readonly string[], part: T) => Object.fromEntries(names.map((name) => [name, part]))
  const states = flattenStates(root)
  const actions = [...transitions, ...states.map(({ entry, exit }) => ({ actions: [...entry, ...exit] }))]
  return machine.provide({
    guards: by(
      transitions.flatMap(({ guard }) => guard ?? []),
      () => false,
    ),
    actions: by(
      actions.flatMap((one) => one.actions).map((text) => text.split(' ')[0] ?? ''),
      () => {},
    ),
    actors: by(
      states.flatMap(({ actors }) => actors),
      fromPromise(() => new Promise(() => {})),
    ),
  })
}

test.each(machines)('each state of $id has a unique description of one sentence', (machine) => {
  const [, ...states] = flattenStates(buildChart(machine).root)
  for (const { id, description } of states) expect(description, id).toMatch(/^[A-Z][^.]{20,150}\.$/)
  const said = states.map(({ description }) => description)
  expect(said).toEqual([...new Set(said)])
})

test('parses the docstring at the top of a machine’s file', () => {
  expect(parseDocstring('/**\n * One line\n * and another.\n */\nconst a = 1\n/** b */')).toBe(
    'One line and another.',
  )
  expect(parseDocstring('const a = 1\n/** b */')).toBe(null)
  for (const { machine, sources } of readMachineSources())
    expect(parseDocstring(sources[0] ?? ''), machine.id).toMatch(/^[A-Z].*\.$/)
})
