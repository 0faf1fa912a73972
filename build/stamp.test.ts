import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { computeBuildStamp } from './stamp.ts'

let root: string
const put = (path: string, text = path) => writeFileSync(join(root, path), text)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stamp-'))
  for (const folder of ['src', 'src/locales', 'build', 'netlify']) mkdirSync(join(root, folder))
  for (const file of ['index.html', 'google-sign-in.html', '.env.sandbox', 'src/main.tsx']) put(file)
})

afterEach(() => rmSync(root, { recursive: true }))

const SETTINGS = { VITE_SUPPORT_PHONE: '+33123456789', VITE_OPERATOR_NAME: 'Passerelle', PORT: '5173' }

describe('rebuilding the app', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['is changed', { ...SETTINGS, VITE_SUPPORT_PHONE: '+33123456780' }],
    ['is empty', { ...SETTINGS, VITE_SUPPORT_PHONE: '' }],
    ['is added', { ...SETTINGS, VITE_HOLDER_NAMES: 'on' }],
    ['is removed', { VITE_OPERATOR_NAME: 'Passerelle', PORT: '5173' }],
    ['is added under an unknown name', { ...SETTINGS, VITE_ANOTHER: '1' }],
  ])('the app is rebuilt if a setting of the environment %s', (_, env) => {
    expect(computeBuildStamp(root, env)).not.toBe(computeBuildStamp(root, SETTINGS))
  })

  test.each([
    '.env',
    '.env.local',
    '.env.sandbox',
    '.env.sandbox.local',
    'index.html',
    'google-sign-in.html',
    'vite.config.ts',
    'package-lock.json',
    'tsconfig.json',
    'src/main.tsx',
    'src/locales/en.po',
    'build/prerender.ts',
  ])('the app is rebuilt if %s is added or changed', (file) => {
    const before = computeBuildStamp(root, SETTINGS)
    put(file, 'VITE_SUPPORT_PHONE=+33123456780')
    const added = computeBuildStamp(root, SETTINGS)
    put(file, 'VITE_SUPPORT_PHONE=+33123456781')
    expect(new Set([before, added, computeBuildStamp(root, SETTINGS)]).size).toBe(3)
  })
})

describe('skipping a rebuild', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['if its settings are in another order', Object.fromEntries(Object.entries(SETTINGS).reverse())],
    ['if a setting of the server is changed', { ...SETTINGS, PORT: '8080' }],
  ])('the app is not rebuilt %s', (_, env) => {
    expect(computeBuildStamp(root, env)).toBe(computeBuildStamp(root, SETTINGS))
  })

  test('a changed test or function does not rebuild the app', () => {
    const before = computeBuildStamp(root, SETTINGS)
    put('src/main.test.tsx')
    put('netlify/functions.ts')
    expect(computeBuildStamp(root, SETTINGS)).toBe(before)
  })
})
