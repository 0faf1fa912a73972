// Checks that each row of docs/specification.md and docs/money.md names a tag, that tests have this tag in
// their titles, and that rows and tests have the same tags; with `--ran`, also that these tests passed,
// according to the reports of `npm test`.
import { globSync, readFileSync } from 'node:fs'
import { REPORT_FILES, readReport } from './reports.ts'
import { findTagProblems, findTags, parseSpecificationRows, type TaggedTest } from './tags.ts'

const SOURCES =
  '{domain,e2e,emulators,firebase,machines,netlify,print,sandbox,schedules,src}/**/*.{test,spec}.{ts,tsx}'
/** Reports of all parts of `npm test`, which may have run on several machines. */
const REPORTS = `.cache/reports/**/${REPORT_FILES}`

const rows = ['docs/specification.md', 'docs/money.md'].flatMap((page) =>
  parseSpecificationRows(readFileSync(page, 'utf8')),
)
const tests: TaggedTest[] = process.argv.includes('--ran')
  ? globSync(REPORTS)
      .flatMap((path) => readReport(path).tests)
      .map(({ title, status }) => ({ title, tags: findTags(title), hasPassed: status === 'passed' }))
  : globSync(SOURCES, { exclude: ['**/node_modules/**'] }).map((file) => ({
      title: file,
      tags: findTags(readFileSync(file, 'utf8')),
      hasPassed: true,
    }))
const problems = findTagProblems(rows, tests)
for (const problem of problems) console.error(problem)
console.log(`${rows.length} rows, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
