// `npm run mutants -- domain`: mutates a folder, and lists the mutants that survive its tests. Results are
// stored in .cache/mutants/ until a source or a test changes; `--fresh` ignores them. `--share 0.3` overrides
// the sampled share.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Stryker from '@stryker-mutator/core'

interface Folder {
  readonly name: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** The same mutants each time. */
  readonly share: number
  /** Each mutant of code that runs while a file is loaded would run all tests. */
  readonly isLoadingLeftOut: boolean
}

interface Report {
  readonly files: Readonly<Record<string, { mutants: readonly { readonly status: string }[] }>>
}

const FOLDERS: readonly Folder[] = [
  {
    name: 'domain',
    sources: ['domain/*/*.ts', '!domain/*/*.{test,samples}.ts'],
    tests: ['domain/*/*.test.ts'],
    share: 1,
    isLoadingLeftOut: true,
  },
  {
    name: 'machines',
    sources: ['machines/*.ts', '!machines/*.test.ts'],
    // The walks through all paths take most of a minute for each mutant.
    tests: ['machines/!(*.paths).test.ts'],
    share: 1,
    // A machine's definition runs at loading; `npm run check -- transitions` checks its transitions.
    isLoadingLeftOut: true,
  },
  {
    name: 'netlify/server',
    sources: ['netlify/server/*/*.ts', '!netlify/server/*/*.test.ts'],
    // Mutants that only the excluded tests would kill are reported as survivors: the first three take long, the
    // others need a process of their own.
    tests: [
      'netlify/server/**/!(invoiceRaces|money|planYear|accounts|checkPhoneUser|identityDocuments).test.ts',
    ],
    share: 0.03,
    isLoadingLeftOut: true,
  },
]

const RESULTS = '.cache/mutants'

const { values, positionals } = parseArgs({
  options: { fresh: { type: 'boolean', default: false }, share: { type: 'string' } },
  allowPositionals: true,
})
const unknown = positionals.find((name) => !FOLDERS.some((folder) => folder.name === name))
if (unknown) throw new Error(`'${unknown}' is not one of ${FOLDERS.map(({ name }) => name).join(', ')}`)

mkdirSync(RESULTS, { recursive: true })
for (const folder of FOLDERS) {
  if (positionals.length > 0 && !positionals.includes(folder.name)) continue
  console.log(`\n── ${folder.name}`)
  const file = join(RESULTS, folder.name.replace('/', '-'))
  const stamp = `${file}.of`
  const share = Number(values.share ?? folder.share)
  const print = `${fingerprint()} ${share}`
  const isKnown = !values.fresh && existsSync(stamp) && readFileSync(stamp, 'utf8') === print
  if (isKnown) {
    console.log(`Nothing has changed. The survivors are in ${file}.html; --fresh runs the tests again.`)
    continue
  }
  if (values.fresh) rmSync(`${file}.known.json`, { force: true })
  removeSkippedMutants(`${file}.known.json`)
  await run(folder, share, file)
  writeFileSync(stamp, print)
}

/** Covers everything that the tests can reach. */
function fingerprint(): string {
  const files = globSync([
    'package-lock.json',
    '{domain,emulators,firebase,machines,netlify,sandbox}/**/*.{ts,rules,json}',
    'scripts/mutations/mutant*',
  ])
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

/** Another share may include these mutants. */
function removeSkippedMutants(file: string) {
  if (!existsSync(file)) return
  const report: Report = JSON.parse(readFileSync(file, 'utf8'))
  for (const known of Object.values(report.files))
    known.mutants = known.mutants.filter(({ status }) => status !== 'CompileError')
  writeFileSync(file, JSON.stringify(report))
}

async function run({ sources, tests, isLoadingLeftOut }: Folder, share: number, file: string) {
  process.env.MUTANT_TESTS = tests.join(' ')
  process.env.MUTANT_SHARE = String(share)
  await new Stryker({
    mutate: [...sources],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'mutantSample.ts')],
    // One process for each worker: a test sets the time zone, which a thread can't do.
    vitest: { configFile: 'scripts/mutations/mutants.vitest.ts', pool: 'forks' },
    checkers: share < 1 ? ['sample'] : [],
    coverageAnalysis: 'perTest',
    ignoreStatic: isLoadingLeftOut,
    incremental: true,
    incrementalFile: `${file}.known.json`,
    // With sampling, half of the workers only select mutants, and are idle once they have.
    concurrency: share < 1 ? 4 : 2,
    // Long enough that a slow test on a busy machine does not count as an endless loop.
    timeoutMS: 30_000,
    dryRunTimeoutMinutes: 30,
    // Stryker rewrites this file with an API that TypeScript 7 no longer has; Vitest does not read it.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    tempDirName: '.cache/stryker',
    ignorePatterns: ['.cache', 'dist', 'screenshots', 'test-results', 'docs/pictures', 'public'],
    reporters: ['progress-append-only', 'clear-text', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    htmlReporter: { fileName: `${file}.html` },
    warnings: false,
    allowConsoleColors: false,
  }).runMutationTest()
}
