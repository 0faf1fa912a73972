import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ranInPlaywright, ranInVitest } from '../reports/ran.ts'

export interface Replacement {
  /** From the root of the project. */
  readonly file: string
  /** Stands there exactly once. */
  readonly from: string
  readonly to: string
}

/** Something that somebody could do wrong, and the tests that have to see it. Nothing of it is ever part of the product. */
export interface Mistake {
  readonly name: string
  readonly changes: readonly Replacement[]
  readonly seenBy: readonly NamedTest[]
}

interface NamedTest {
  readonly file: string
  /** Words of the full title, as in docs/specification.md. */
  readonly title: string
}

const ROOT = join(import.meta.dirname, '../..')

/**
 * The files that the mistake changes, with it in them.
 * @throws when one of its replacements does not fit its source exactly once
 */
export function filesWith({ name, changes }: Mistake, folder = ROOT): Map<string, string> {
  const files = new Map<string, string>()
  for (const { file, from, to } of changes) {
    const source = files.get(file) ?? readFileSync(join(folder, file), 'utf8')
    if (source.split(from).length !== 2) throw new Error(`'${name}' does not fit ${file} any more: ${from}`)
    files.set(
      file,
      source.replace(from, () => to),
    )
  }
  return files
}

/** A copy of the project as it is now, without its history: there a mistake can be in it. Answers its folder. */
export function scratchCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mistakes-'))
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const file of stdout.split('\0').filter((name) => name && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/**
 * Puts the mistake into the copy, runs the tests that have to see it, and takes it out again. Answers their titles, of those that
 * failed.
 * @throws when one of the tests did not run: a mistake that nothing can be built with is seen by anything
 */
export function deathsBy(mistake: Mistake, folder: string): string[] {
  const files = filesWith(mistake, folder)
  const originals = [...files.keys()].map((file) => [file, readFileSync(join(folder, file))] as const)
  for (const [file, source] of files) writeFileSync(join(folder, file), source)
  try {
    return mistake.seenBy.flatMap((seer) => failuresOf(seer, folder))
  } finally {
    for (const [file, source] of originals) writeFileSync(join(folder, file), source)
  }
}

/** @throws when a test fails with no mistake in the copy: it sees nothing then. */
export function checkSeers(mistakes: readonly Mistake[], folder: string) {
  const seers = new Map(
    mistakes.flatMap(({ seenBy }) => seenBy.map((seer) => [seer.file + seer.title, seer])),
  )
  for (const seer of seers.values()) {
    const [failed] = failuresOf(seer, folder)
    if (failed) throw new Error(`Without any mistake '${failed}' fails too`)
  }
}

/** @throws when no such test ran. */
function failuresOf({ file, title }: NamedTest, folder: string): string[] {
  const ran = run(folder, file, title).filter((test) => test.title.includes(title))
  if (ran.length === 0) throw new Error(`No test '${title}' of ${file} ran`)
  return ran.flatMap((test) => (test.hasPassed ? [] : [test.title]))
}

function run(folder: string, file: string, title: string) {
  const isEndToEnd = file.startsWith('e2e/')
  const report = join(folder, '.cache/report.json')
  const pattern = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const [program, ...args] = isEndToEnd
    ? ['playwright', 'test', file, '-g', pattern, '--reporter=json']
    : ['vitest', 'run', file, '-t', pattern, '--reporter=json', `--outputFile.json=${report}`]
  writeReport(report, '')
  spawnSync(`node_modules/.bin/${program}`, args, {
    cwd: folder,
    env: { MONEY_RUNS: '1500', ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  const written = readFileSync(report, 'utf8')
  if (!written) return []
  const ran = JSON.parse(written)
  return isEndToEnd ? ranInPlaywright(ran) : ranInVitest(ran)
}

function writeReport(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
