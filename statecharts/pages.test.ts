import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import DOMPurify from 'dompurify'
import mermaid from 'mermaid'
import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { chartOf } from './chart.ts'
import { machines } from './machines.ts'
import { mermaidOf } from './mermaid.ts'
import { docstringOf, jsonOf, pagesOf } from './pages.ts'
import { sourcedMachines } from './sources.ts'

const FOLDER = 'docs/statecharts'

// Mermaid cleans its texts with this before it reads them, which takes a browser. There is nothing to clean here.
Object.assign(DOMPurify, { addHook: () => {}, sanitize: (text: string) => text })

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

test.each(machines)('Mermaid reads the diagram of $id', async (machine) => {
  expect(await mermaid.parse(mermaidOf(chartOf(machine)))).toMatchObject({ diagramType: 'stateDiagram' })
})

test('Mermaid refuses what is no diagram', async () => {
  await expect(mermaid.parse('stateDiagram-v2\n  a --> ')).rejects.toThrow('Parse error')
})

test.each(machines)('the JSON of $id makes a machine with the same states and transitions', (machine) => {
  const { root, transitions } = chartOf(createMachine(JSON.parse(jsonOf(machine))))
  expect({ root, transitions }).toEqual({
    root: chartOf(machine).root,
    transitions: chartOf(machine).transitions,
  })
})

test('the prose is the docstring at the head of the file', () => {
  expect(docstringOf('/**\n * One line\n * and another.\n */\nconst a = 1\n/** b */')).toBe(
    'One line and another.',
  )
  expect(docstringOf('const a = 1\n/** b */')).toBe(null)
  for (const { machine, sources } of sourcedMachines())
    expect(docstringOf(sources[0] ?? ''), machine.id).toMatch(/^[A-Z].*\.$/)
})
