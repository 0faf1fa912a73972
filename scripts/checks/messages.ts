// Checks that both catalogs have every message of the sources, translated, and no obsolete one.
// Also lists the end-to-end tests, because loading them throws for a text that is in no catalog.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOGS, parseTranslations } from '../../build/catalogs.ts'

const folder = 'src/locales'
// Extracts into a copy: a check must not change the catalogs.
const copy = mkdtempSync(join(tmpdir(), 'catalogs-'))
cpSync(folder, copy, { recursive: true })
const before = CATALOGS.map((locale) => read(folder, locale))
const extraction = spawnSync('node_modules/.bin/lingui', ['extract', '--clean'], {
  encoding: 'utf8',
  env: { ...process.env, CATALOGS: copy },
})
const after = CATALOGS.map((locale) => read(copy, locale))
rmSync(copy, { recursive: true })

const problems: string[] = []
if (extraction.status !== 0) problems.push(extraction.stderr || extraction.stdout)
CATALOGS.forEach((locale, index) => {
  const fresh = parseTranslations(after[index] ?? '')
  const stored = parseTranslations(before[index] ?? '')
  for (const id of fresh.keys()) if (!stored.has(id)) problems.push(`${locale}: not in the catalog: ${id}`)
  for (const id of stored.keys())
    if (!fresh.has(id)) problems.push(`${locale}: no longer in the sources: ${id}`)
  for (const [id, text] of stored) if (!text) problems.push(`${locale}: not translated: ${id}`)
  // Extracting in the middle of a merge would make conflict markers a part of the text.
  for (const [id, text] of stored)
    if (/<{7}|={7}|>{7}/.test(text)) problems.push(`${locale}: merge conflict markers in the text: ${id}`)
})

const list = spawnSync('node_modules/.bin/playwright', ['test', '--list'], { encoding: 'utf8' })
if (list.status !== 0) problems.push(list.stdout + list.stderr)

if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('Run `npm run generate` to update the catalogs.')
  process.exit(1)
}
console.log(
  CATALOGS.map((name, index) => `${name}: ${parseTranslations(before[index] ?? '').size} messages`).join(
    ', ',
  ),
)

function read(from: string, locale: string) {
  return readFileSync(join(from, `${locale}.po`), 'utf8')
}
