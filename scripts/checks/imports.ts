// Checks that every import follows the layers of layers.ts, that no import leads back to its file, and that
// only payouts name their providers.
import { globSync, readFileSync } from 'node:fs'
import { findImportProblems } from './layers.ts'

const FILES =
  '{*,{build,domain,e2e,emulators,firebase,machines,netlify,print,sandbox,scenes,schedules,scripts,src,statecharts}/**/*}.{ts,tsx,mjs}'

const sources = globSync(FILES, { exclude: ['**/node_modules/**'] }).sort()
const problems = findImportProblems(sources.map((file) => ({ file, text: readFileSync(file, 'utf8') })))
for (const problem of problems) console.error(problem)
console.log(`${sources.length} files, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
