// `npm run build`, for a deployment, with its functions; `npm start` when sources have changed.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { loadEnv, type Plugin, build as viteBuild } from 'vite'

import { APP_EMULATORS, listEmulatorSettings, listSettingProblems } from '../domain/settings/appSettings.ts'
import { buildFunctions, FUNCTIONS_FOLDER } from './functions.ts'
import { prerender } from './prerender.ts'
import { findSecrets } from './secrets.ts'
import { buildIfChanged, computeBuildStamp } from './stamp.ts'
import { assertInstalledAtStart } from './startPackages.ts'

const ROOT = join(import.meta.dirname, '..')

/** `inspected`: the app also lists the states of its machines, for the end-to-end tests. */
export type BuildMode = 'production' | 'sandbox' | 'inspected'

const FOLDERS: Record<BuildMode, string> = {
  production: 'dist',
  sandbox: '.cache/app',
  inspected: '.cache/inspected',
}

/** These name official emulators. The app has the same settings with the prefix `VITE_`. */
export const EMULATOR_SETTINGS = Object.keys(APP_EMULATORS)
  .filter((name) => name.endsWith('_EMULATOR_HOST'))
  .map((name) => name.replace('VITE_', ''))

export const getAppFolder = (mode: BuildMode) => join(ROOT, FOLDERS[mode])

/** Does nothing if the last build had the same files and settings. */
export function ensureBuilt(mode: BuildMode) {
  const emulators = Object.fromEntries(
    EMULATOR_SETTINGS.flatMap((name) => (process.env[name] ? [[`VITE_${name}`, process.env[name]]] : [])),
  )
  const env = { ...process.env, ...emulators }
  buildIfChanged(getAppFolder(mode), computeBuildStamp(ROOT, env), () => {
    console.log('Building the app…')
    // A build changes the environment variables.
    const limitPackages = ['--import', new URL('./limitToStartPackages.ts', import.meta.url).href]
    const args = [
      '--disable-warning=ExperimentalWarning',
      ...limitPackages,
      import.meta.filename,
      '--mode',
      mode,
    ]
    if (spawnSync(process.execPath, args, { stdio: 'inherit', cwd: ROOT, env }).status !== 0) {
      console.error('The app could not be built.')
      process.exit(1)
    }
  })
}

const getViteMode = (mode: BuildMode) => (mode === 'inspected' ? 'sandbox' : mode)

export async function bundleApp(mode: BuildMode, folder = getAppFolder(mode)) {
  await viteBuild({
    root: ROOT,
    mode: getViteMode(mode),
    logLevel: 'warn',
    define: {
      'import.meta.env.INSPECTED': mode === 'inspected',
      // StrictMode's checks are in this React only.
      ...(mode === 'inspected' && { 'process.env.NODE_ENV': '"development"' }),
    },
    build: { outDir: folder, emptyOutDir: true, reportCompressedSize: false },
    plugins: [createPrerenderPlugin(mode, folder), startPackagesPlugin],
  })
  await compressTextFiles(folder)
}

/** The service worker's manifest has the hash of each prerendered file. */
const createPrerenderPlugin = (mode: BuildMode, folder: string): Plugin => ({
  name: 'passerelle:prerender',
  closeBundle: { order: 'pre', sequential: true, handler: () => prerender(getViteMode(mode), folder) },
})

/** Fails if the build needs a package that `npm start` does not install. */
const startPackagesPlugin: Plugin = {
  name: 'passerelle:of-start',
  moduleParsed: ({ id }) => assertInstalledAtStart(id, 'The app'),
  buildEnd(error) {
    // Errors of later plugins can hide this one.
    if (error) console.error(error.message)
  },
}

export async function compressTextFiles(folder: string) {
  const paths = globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: folder })
  // Compression takes a third of the build's CPU time.
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

if (import.meta.main) {
  const { values } = parseArgs({ options: { mode: { type: 'string', default: 'production' } } })
  const mode = Object.keys(FOLDERS).find((one): one is BuildMode => one === values.mode) ?? 'production'
  const settings = loadEnv(getViteMode(mode), ROOT, 'VITE_')
  const complaints = [...listSettingProblems(settings)]
  if (mode === 'production')
    complaints.push(
      ...listEmulatorSettings(settings).map((name) => `${name} points to an emulator or a sandbox`),
    )
  for (const complaint of complaints) console.error(`${complaint}; see 'Settings' in docs/deploying.md.`)
  if (complaints.length > 0) process.exit(1)
  await bundleApp(mode)
  if (mode === 'production') {
    await buildFunctions()
    const found = findSecrets([getAppFolder(mode), FUNCTIONS_FOLDER], process.env)
    for (const secret of found) console.error(`The build contains ${secret}. Don't deploy it.`)
    if (found.length > 0) process.exit(1)
  }
}
