// Each row of docs/specification.md and docs/money.md names a test. This looks for it in the reports
// that the runs of the tests have left, here or under another root: node scripts/checks/checkSpecification.ts [--all] [root].
// With --all each row must have run, as in `npm test`; a run on several machines leaves several reports. Without it the rows are
// told that the last runs (`npm run unit -- FILE`, `npm run e2e -- FILE`, `npm test`) speak of, and what they did not run.
// With --named nothing needs to have run: the end-to-end tests are listed, which takes a second, and files are looked for.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isNarrowed, ranInPlaywright, ranInVitest } from '../reports/ran.ts'
import { claimsOf, isNamed, laterRuns, problemOf, type Run, standingOf } from './specification.ts'

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, named: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const REPORTS = join(positionals[0] ?? '.', '.cache/reports')

const claims = ['docs/specification.md', 'docs/money.md'].flatMap((page) =>
  claimsOf(readFileSync(page, 'utf8')),
)
const whole = globSync('**/{vitest,playwright}.json', { cwd: REPORTS })
  .filter((path) => !path.startsWith('last'))
  .flatMap((path) => runOf(join(REPORTS, path)).tests)

process.exit(values.named ? checkNames() : values.all ? checkAll() : checkLast())

function checkNames(): number {
  const listing = execFileSync('node_modules/.bin/playwright', ['test', '--list', '--reporter=json'])
  const listed = ranInPlaywright(JSON.parse(listing.toString()))
  const unknown = claims.filter((claim) =>
    claim.test.file.startsWith('e2e/') ? !isNamed(claim, listed) : !existsSync(claim.test.file),
  )
  for (const { text, test } of unknown) console.error(`${text}\n  ${test.file}: '${test.title}' is not there`)
  return unknown.length > 0 ? 1 : 0
}

function checkAll(): number {
  const unshown = claims.flatMap((claim) => {
    const problem = problemOf(claim, whole)
    return problem ? [`${claim.text}\n  ${claim.test.file}: '${claim.test.title}' ${problem}`] : []
  })
  for (const text of unshown) console.error(text)
  console.log(`${claims.length - unshown.length} of ${claims.length} rows were shown by their tests`)
  return unshown.length > 0 ? 1 : 0
}

function checkLast(): number {
  const paths = ['vitest', 'playwright'].map((name) => join(REPORTS, `last/${name}.json`)).filter(existsSync)
  if (paths.length === 0 && whole.length === 0) {
    console.error(
      'Nothing has run: `npm run unit -- FILE`, `npm run e2e -- FILE` and `npm test` leave what this reads.',
    )
    return 1
  }
  for (const path of paths) console.log(`By ${path}, of ${statSync(path).mtime.toLocaleString('en-GB')}`)

  const { tests, isNarrowed } = laterRuns(whole, paths.map(runOf))
  const told = Map.groupBy(claims, (claim) => standingOf(claim, tests, isNarrowed))
  const problems = (['did not pass', 'is not there'] as const).flatMap((standing) =>
    (told.get(standing) ?? []).map(
      ({ text, test }) => `${text}\n  ${test.file}: '${test.title}' ${standing}`,
    ),
  )
  for (const text of problems) console.error(text)

  const leftOut = told.get('was left out') ?? []
  for (const { test } of leftOut) console.log(`Left out: ${test.file}: '${test.title}'`)
  const elsewhere = new Set(told.get('did not run')?.map(({ test }) => test.file))
  if (elsewhere.size > 0) console.log(`Not run: ${[...elsewhere].join(', ')}`)
  console.log(`${told.get('shown')?.length ?? 0} of ${claims.length} rows were shown by their tests`)
  return problems.length > 0 ? 1 : 0
}

function runOf(path: string): Run {
  const report = JSON.parse(readFileSync(path, 'utf8'))
  return path.endsWith('playwright.json')
    ? { tests: ranInPlaywright(report), isNarrowed: isNarrowed(report) }
    : { tests: ranInVitest(report), isNarrowed: false }
}
