import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the storyboard script refuses a folder with other content', () => {
  const folder = mkdtempSync(join(tmpdir(), 'storyboard-'))
  const letter = join(folder, 'letter.txt')
  writeFileSync(letter, 'Dear Awa')
  const run = spawnSync(process.execPath, ['scripts/storyboard/storyboard.ts', '--page', '--into', folder])
  expect(run.status).toBe(1)
  expect(String(run.stderr)).toContain('contains other files than a storyboard')
  expect(readFileSync(letter, 'utf8')).toBe('Dear Awa')
  rmSync(folder, { recursive: true })
})
