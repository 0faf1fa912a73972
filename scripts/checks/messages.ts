// Both catalogs hold every message of the sources, no message that is gone, and a translation for each.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOGS, entries } from './catalogs.ts'

const folder = 'src/locales'
// Extracted into a copy: a check leaves the catalogs as they are.
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
  const fresh = entries(after[index] ?? '')
  const stored = entries(before[index] ?? '')
  for (const id of fresh.keys()) if (!stored.has(id)) problems.push(`${locale}: not in the catalog: ${id}`)
  for (const id of stored.keys())
    if (!fresh.has(id)) problems.push(`${locale}: no longer in the sources: ${id}`)
  for (const [id, text] of stored) if (!text) problems.push(`${locale}: not translated: ${id}`)
  // Whoever extracts in the middle of a merge has them taken for a part of the text.
  for (const [id, text] of stored)
    if (/<{7}|={7}|>{7}/.test(text)) problems.push(`${locale}: marks of a merge in the text: ${id}`)
})

if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('`npm run messages` brings the catalogs up to date.')
  process.exit(1)
}
console.log(
  CATALOGS.map((name, index) => `${name}: ${entries(before[index] ?? '').size} messages`).join(', '),
)

function read(from: string, locale: string) {
  return readFileSync(join(from, `${locale}.po`), 'utf8')
}
