// What a cheap phone has to fetch before it can do something, against what we allow. Prints each figure.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { appFolder, ensureBuilt } from './build.ts'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

const BUDGETS = [
  {
    what: 'JavaScript before the signed-out screen can be used',
    entries: ['index.html', 'src/locales/fr.po'],
    limit: 160,
  },
]

ensureBuilt('sandbox')
const folder = appFolder('sandbox')
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))

let isOver = false
for (const { what, entries, limit } of BUDGETS) {
  const files = new Set(entries.flatMap((entry) => filesOf(entry)))
  const bytes = [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length,
    0,
  )
  const size = bytes / 1000
  isOver ||= size > limit
  console.log(
    `${size > limit ? 'OVER' : 'ok'}  ${what}: ${size.toFixed(1)} kB gzipped of ${limit} kB (${files.size} files)`,
  )
}
process.exit(isOver ? 1 : 0)

/** The chunk and all that it imports at once. */
function filesOf(name: string): string[] {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`The build has no ${name}`)
  return [chunk.file, ...(chunk.imports ?? []).flatMap(filesOf)]
}
