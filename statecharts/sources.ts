import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { machines } from './machines.ts'
import type { SourcedMachine } from './pages.ts'

const FOLDER = join(import.meta.dirname, '../machines')

export const readMachineSources = (): SourcedMachine[] =>
  machines.map((machine) => ({ machine, sources: readSources(`${machine.id}.ts`) }))

function readSources(file: string): string[] {
  const source = readFileSync(join(FOLDER, file), 'utf8')
  const beside = [...source.matchAll(/ from '\.\/(\w+\.ts)'/g)].flatMap(([, name]) => name ?? [])
  return [source, ...beside.flatMap(readSources)]
}
