import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { machines } from './machines.ts'
import type { Sourced } from './pages.ts'

const FOLDER = join(import.meta.dirname, '../../machines')

/** Every machine with its file, and with what that file imports from beside it. */
export const sourcedMachines = (): Sourced[] =>
  machines.map((machine) => ({ machine, sources: sourcesOf(`${machine.id}.ts`) }))

function sourcesOf(file: string): string[] {
  const source = readFileSync(join(FOLDER, file), 'utf8')
  const beside = [...source.matchAll(/ from '\.\/(\w+\.ts)'/g)].flatMap(([, name]) => name ?? [])
  return [source, ...beside.flatMap(sourcesOf)]
}
