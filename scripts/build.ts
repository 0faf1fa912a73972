// Builds the app: `npm run build` for a deployment, and for `npm start` when its sources have changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { loadEnv } from 'vite'

import { checkSettings } from '../src/services/checkSettings.ts'

export type BuildMode = 'production' | 'sandbox'

const FOLDERS: Record<BuildMode, string> = { production: 'dist', sandbox: '.cache/app' }
const INPUTS = ['index.html', '.env*', '*.config.ts', 'package-lock.json', '{src,machines,public}/**/*']

export const appFolder = (mode: BuildMode) => join(import.meta.dirname, '..', FOLDERS[mode])

/** Builds unless the last build was made from the very same files. */
export function ensureBuilt(mode: BuildMode) {
  const stamp = join(appFolder(mode), '.built-from')
  const inputs = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return
  console.log('Building the app…')
  build(mode)
  writeFileSync(stamp, inputs)
}

/** Bundles the app and lays a Brotli and a gzip copy beside each text file. */
export function build(mode: BuildMode) {
  const vite = spawnSync(
    'node_modules/.bin/vite',
    ['build', '--mode', mode, '--outDir', appFolder(mode), '--emptyOutDir', '--logLevel', 'warn'],
    { stdio: 'inherit', cwd: join(import.meta.dirname, '..') },
  )
  if (vite.status !== 0) {
    console.error('The app could not be built.')
    process.exit(1)
  }
  for (const path of globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: appFolder(mode) })) {
    const file = join(appFolder(mode), path)
    const text = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    writeFileSync(`${file}.br`, brotliCompressSync(text, { params }))
    writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
  }
}

function fingerprint() {
  const hash = createHash('sha256')
  const root = join(import.meta.dirname, '..')
  for (const path of INPUTS.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()) {
    if (/\.test\.tsx?$/.test(path)) continue
    const file = join(root, path)
    try {
      hash.update(path).update(readFileSync(file))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error
    }
  }
  return hash.digest('hex')
}

if (import.meta.main) {
  const problems = checkSettings(loadEnv('production', process.cwd(), 'VITE_'))
  for (const { setting, kind } of problems)
    console.error(`${setting} is ${kind}; see 'Settings' in README.md.`)
  if (problems.length > 0) process.exit(1)
  build('production')
}
