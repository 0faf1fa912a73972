// `npm run generate`: draws every machine in docs/statecharts/.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderPages } from './pages.ts'
import { readMachineSources } from './sources.ts'

const FOLDER = join(import.meta.dirname, '../docs/statecharts')

const pages = renderPages(readMachineSources())
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER)
for (const [file, text] of pages) writeFileSync(join(FOLDER, file), text)
console.log(`${pages.size} files in docs/statecharts/`)
