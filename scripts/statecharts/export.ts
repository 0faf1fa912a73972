// `npm run statecharts`: draws every machine anew in docs/statecharts/.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pagesOf } from './pages.ts'
import { sourcedMachines } from './sources.ts'

const FOLDER = join(import.meta.dirname, '../../docs/statecharts')

const pages = pagesOf(sourcedMachines())
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER)
for (const [file, text] of pages) writeFileSync(join(FOLDER, file), text)
console.log(`${pages.size} files in docs/statecharts/`)
