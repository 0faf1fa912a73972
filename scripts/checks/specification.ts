// Each row of docs/specification.md and docs/money.md names a tag, and the tests that prove the row have the tag in their
// titles. Checks that both sides know each tag; with `--ran`, by the reports of `npm test`, that these tests ran and passed.
import { globSync, readFileSync } from 'node:fs'
import { readReport } from './reports.ts'
import { findProblems, findTags, parseRows, type TaggedTest } from './tags.ts'

const SOURCES = '{domain,e2e,emulators,firebase,machines,netlify,sandbox,src}/**/*.{test,spec}.{ts,tsx}'
/** Several of each when the parts of `npm test` ran on several machines. */
const REPORTS = '.cache/reports/**/{vitest,playwright}.json'

const rows = ['docs/specification.md', 'docs/money.md'].flatMap((page) =>
  parseRows(readFileSync(page, 'utf8')),
)
const tests: TaggedTest[] = process.argv.includes('--ran')
  ? globSync(REPORTS)
      .flatMap(readReport)
      .map(({ title, status }) => ({ title, tags: findTags(title), hasPassed: status === 'passed' }))
  : globSync(SOURCES, { exclude: ['**/node_modules/**'] }).map((file) => ({
      title: file,
      tags: findTags(readFileSync(file, 'utf8')),
      hasPassed: true,
    }))
const problems = findProblems(rows, tests)
for (const problem of problems) console.error(problem)
console.log(`${rows.length} rows, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
