// Builds the app: `npm run build` for a deployment, with its functions, and for `npm start` when its sources have changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { loadEnv, type Plugin, build as viteBuild } from 'vite'

import { checkSettings, emulatorSettings } from '../../src/services/checkSettings.ts'
import { checkInstalledAtStart } from '../setup/startPackages.ts'
import { buildFunctions } from './functions.ts'
import { prerender } from './prerender.ts'

const ROOT = join(import.meta.dirname, '../..')

/** `told`: as `sandbox`, and the app tells the page which states its machines are in (`src/inspection/`). */
export type BuildMode = 'production' | 'sandbox' | 'told'

const FOLDERS: Record<BuildMode, string> = { production: 'dist', sandbox: '.cache/app', told: '.cache/told' }
const INPUTS = [
  'index.html',
  '.env*',
  '*.config.ts',
  'package-lock.json',
  '{domain,legal,machines,public,src}/**/*',
  'scripts/build/*.ts',
]

/** Settings of the functions that name an official emulator. The app has the same settings with `VITE_` before them. */
export const EMULATOR_SETTINGS = [
  'FIREBASE_AUTH_EMULATOR_HOST',
  'FIRESTORE_EMULATOR_HOST',
  'FIREBASE_STORAGE_EMULATOR_HOST',
] as const

export const appFolder = (mode: BuildMode) => join(ROOT, FOLDERS[mode])

/** Builds for the emulators of the environment, unless the last build was made from the very same files for the same ones. */
export function ensureBuilt(mode: BuildMode) {
  const stamp = join(appFolder(mode), '.built-from')
  const emulators = Object.fromEntries(
    EMULATOR_SETTINGS.flatMap((name) => (process.env[name] ? [[`VITE_${name}`, process.env[name]]] : [])),
  )
  const inputs = `${fingerprint()} ${JSON.stringify(emulators)}`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return
  console.log('Building the app…')
  // In a process of its own: a build changes the environment of the one it runs in.
  const onlyStart = ['--import', new URL('../setup/onlyStart.ts', import.meta.url).href]
  const args = ['--disable-warning=ExperimentalWarning', ...onlyStart, import.meta.filename, '--mode', mode]
  const env = { ...process.env, ...emulators }
  if (spawnSync(process.execPath, args, { stdio: 'inherit', cwd: ROOT, env }).status !== 0) {
    console.error('The app could not be built.')
    process.exit(1)
  }
  writeFileSync(stamp, inputs)
}

const settingsOf = (mode: BuildMode) => (mode === 'told' ? 'sandbox' : mode)

/**
 * Bundles the app, paints its first screens, writes the service worker that keeps them, and lays a Brotli and a gzip
 * copy beside each text file.
 */
export async function build(mode: BuildMode, folder = appFolder(mode)) {
  await viteBuild({
    root: ROOT,
    mode: settingsOf(mode),
    logLevel: 'warn',
    define: { 'import.meta.env.TOLD': mode === 'told' },
    build: { outDir: folder, emptyOutDir: true, reportCompressedSize: false },
    plugins: [prerendering(mode, folder), ofStart],
  })
  await compress(folder)
}

/** Before the service worker is written, which knows each file by its content. */
const prerendering = (mode: BuildMode, folder: string): Plugin => ({
  name: 'passerelle:prerender',
  closeBundle: { order: 'pre', sequential: true, handler: () => prerender(settingsOf(mode), folder) },
})

/** `npm start` builds too: with the packages that it installs. */
const ofStart: Plugin = {
  name: 'passerelle:of-start',
  moduleParsed: ({ id }) => checkInstalledAtStart(id, 'The app'),
  buildEnd(error) {
    // What others make of a bundle that is not there would hide it.
    if (error) console.error(error.message)
  },
}

/** Lays a Brotli and a gzip copy beside each text file, as a static host does. */
export async function compress(folder: string) {
  const paths = globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: folder })
  // By all cores at once: it is a third of what a build computes.
  await Promise.all(
    paths.map(async (path) => {
      const file = join(folder, path)
      const text = readFileSync(file)
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
      writeFileSync(`${file}.br`, await brotli(text, { params }))
      writeFileSync(`${file}.gz`, await gzipped(text, { level: 9 }))
    }),
  )
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

function fingerprint() {
  const hash = createHash('sha256')
  for (const path of INPUTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort()) {
    if (/\.test\.tsx?$/.test(path)) continue
    const file = join(ROOT, path)
    try {
      hash.update(path).update(readFileSync(file))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error
    }
  }
  return hash.digest('hex')
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { mode: { type: 'string', default: 'production' } } })
  const mode = Object.keys(FOLDERS).find((one): one is BuildMode => one === values.mode) ?? 'production'
  const settings = loadEnv(settingsOf(mode), ROOT, 'VITE_')
  const complaints = checkSettings(settings).map(({ setting, kind }) => `${setting} is ${kind}`)
  if (mode === 'production')
    complaints.push(...emulatorSettings(settings).map((name) => `${name} leads to an emulator or a sandbox`))
  for (const complaint of complaints) console.error(`${complaint}; see 'Settings' in docs/deploying.md.`)
  if (complaints.length > 0) process.exit(1)
  await build(mode)
  if (mode === 'production') await buildFunctions()
}
