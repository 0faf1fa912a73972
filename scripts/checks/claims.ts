// `node scripts/checks/claims.ts [folder]`: prints what the last run has claimed, a line for each test and,
// for a screen, for each check with its language, width, scheme and font size. Compare two runs with `diff`.
import { globSync } from 'node:fs'
import { relative } from 'node:path'
import { listClaims, REPORT_FILES, readReport } from './reports.ts'

const [folder = '.cache/reports'] = process.argv.slice(2)
const tests = globSync(`${folder}/**/${REPORT_FILES}`).flatMap((path) => readReport(path).tests)
const lines = tests.flatMap((test) => listClaims({ ...test, file: relative(process.cwd(), test.file) }))
console.log([...new Set(lines)].sort().join('\n'))
