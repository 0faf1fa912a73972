// Checks that comments, test titles, names and Markdown avoid the wordings in oddWording.ts.
import { globSync, readFileSync } from 'node:fs'
import { findOddWording } from './oddWording.ts'

const FILES =
  '{*,.ci/*,{build,docs,domain,e2e,emulators,firebase,legal,machines,netlify,print,sandbox,scenes,schedules,scripts,src,statecharts}/**/*}.{ts,tsx,mjs,js,css,rules,md}'
const GENERATED = ['**/node_modules/**', 'docs/statecharts/**']

const files = globSync(FILES, { exclude: GENERATED }).sort()
const problems = files.flatMap((file) => findOddWording(file, readFileSync(file, 'utf8')))
for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
