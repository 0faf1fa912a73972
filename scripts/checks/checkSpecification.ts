// Each row of docs/specification.md and docs/money.md names a test, and so does each mistake of the app. This looks for it in what the last run of all tests has left,
// here or under another root: node scripts/checks/checkSpecification.ts [root]. A run on several machines leaves several reports.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SCREEN_MISTAKES } from '../mutations/screenMistakes.ts'
import { ranInPlaywright, ranInVitest } from '../reports/ran.ts'
import { claimsOf, problemOf } from './specification.ts'

const REPORTS = join(process.argv[2] ?? '.', '.cache/reports')

const claims = [
  ...['docs/specification.md', 'docs/money.md'].flatMap((page) => claimsOf(readFileSync(page, 'utf8'))),
  ...SCREEN_MISTAKES.flatMap(({ name, seenBy }) => seenBy.map((test) => ({ text: name, test }))),
]
const ran = [
  ...reports('vitest').flatMap((report) => ranInVitest(report)),
  ...reports('playwright').flatMap((report) => ranInPlaywright(report)),
]

const unshown = claims.flatMap((claim) => {
  const problem = problemOf(claim, ran)
  return problem ? [`${claim.text}\n  ${claim.test.file}: '${claim.test.title}' ${problem}`] : []
})
for (const text of unshown) console.error(text)

console.log(`${claims.length - unshown.length} of ${claims.length} rows were shown by their tests`)
process.exit(unshown.length > 0 ? 1 : 0)

function reports(runner: string) {
  return globSync(`**/${runner}.json`, { cwd: REPORTS }).map((path) =>
    JSON.parse(readFileSync(join(REPORTS, path), 'utf8')),
  )
}
