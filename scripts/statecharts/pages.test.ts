import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { chartOf, withInner } from './chart.ts'
import { machines } from './machines.ts'
import { docstringOf, jsonOf, pagesOf } from './pages.ts'
import { sourcedMachines } from './sources.ts'

const FOLDER = 'docs/statecharts'

test('every machine is listed, and named like its file', async () => {
  const files = globSync('machines/*.ts', { exclude: ['machines/*.test.ts'] })
  const found = await Promise.all(
    files.map(async (file) =>
      Object.keys(await import(join(process.cwd(), file))).map((name) => [file, name]),
    ),
  )
  expect(
    found
      .flat()
      .filter(([, name]) => name?.endsWith('Machine'))
      .sort(),
  ).toEqual(machines.map(({ id }) => [`machines/${id}.ts`, `${id}Machine`]))
})

test('the pages are those that `npm run statecharts` writes', () => {
  const pages = pagesOf(sourcedMachines())
  expect(readdirSync(FOLDER).sort()).toEqual([...pages.keys()].sort())
  for (const [file, text] of pages) expect(readFileSync(join(FOLDER, file), 'utf8'), file).toBe(text)
})

test.each(machines)('the JSON of $id makes a machine with the same states and transitions', (machine) => {
  const { root, transitions } = chartOf(createMachine(JSON.parse(jsonOf(machine))))
  expect({ root, transitions }).toEqual({
    root: chartOf(machine).root,
    transitions: chartOf(machine).transitions,
  })
})

test.each(machines)(
  'each state of $id says in a sentence what it is for, and what a person can do',
  (machine) => {
    const [, ...states] = withInner(chartOf(machine).root)
    for (const { id, description } of states) expect(description, id).toMatch(/^[A-Z][^.]{20,150}\.$/)
    const said = states.map(({ description }) => description)
    expect(said).toEqual([...new Set(said)])
  },
)

test('the prose is the docstring at the head of the file', () => {
  expect(docstringOf('/**\n * One line\n * and another.\n */\nconst a = 1\n/** b */')).toBe(
    'One line and another.',
  )
  expect(docstringOf('const a = 1\n/** b */')).toBe(null)
  for (const { machine, sources } of sourcedMachines())
    expect(docstringOf(sources[0] ?? ''), machine.id).toMatch(/^[A-Z].*\.$/)
})
