// Each row of docs/specification.md and docs/money.md names a tag, and the tests that prove the row have the tag in their
// titles. Checks that both sides know each tag; with `--ran`, by the reports of `npm test`, that these tests ran and passed.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ranInPlaywright, ranInVitest } from '../reports/ran.ts'
import { findProblems, findTags, parseRows, type TaggedTest } from './tags.ts'

const REPORTS = '.cache/reports'

const rows = ['docs/specification.md', 'docs/money.md'].flatMap((page) =>
  parseRows(readFileSync(page, 'utf8')),
)
const problems = findProblems(rows, process.argv.includes('--ran') ? readReports() : readSources())
for (const problem of problems) console.error(problem)
console.log(`${rows.length} rows, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)

/** Several reports when the parts of `npm test` ran on several machines. */
function readReports(): TaggedTest[] {
  const reports = globSync('**/{vitest,playwright}.json', { cwd: REPORTS })
  const tests = reports.flatMap((path) => {
    const report = JSON.parse(readFileSync(join(REPORTS, path), 'utf8'))
    return path.endsWith('playwright.json') ? ranInPlaywright(report) : ranInVitest(report)
  })
  return tests.map(({ title, hasPassed }) => ({ title, tags: findTags(title), hasPassed }))
}

function readSources(): TaggedTest[] {
  const files = globSync(
    '{domain,e2e,emulators,firebase,machines,netlify,sandbox,src}/**/*.{test,spec}.{ts,tsx}',
  )
  return files.map((file) => ({ title: file, tags: findTags(readFileSync(file, 'utf8')), hasPassed: true }))
}
