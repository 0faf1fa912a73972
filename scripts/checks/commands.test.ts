import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runShellCommand } from './commands.ts'

/** Starts a program as Playwright starts a browser. */
const START_DETACHED = `
  const { pid } = require('node:child_process').spawn('sleep', ['60'], { detached: true })
  require('node:fs').writeFileSync(process.argv[1], String(pid))`

test('ends a command with the programs in groups of their own', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'passerelle-')), 'pid')
  const limit = new AbortController()
  const running = runShellCommand(`node -e "${START_DETACHED}" ${file}`, {}, limit.signal)
  await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8'), { timeout: 30_000 })
  limit.abort()
  expect(await running).toBe(false)
  const readState = () => spawnSync('ps', ['-o', 'stat=', '-p', readFileSync(file, 'utf8')]).stdout.toString()
  // A process that has ended may wait for its parent as a zombie.
  await expect.poll(readState).toMatch(/^(Z.*\s*)?$/)
}, 60_000)
