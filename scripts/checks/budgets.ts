// What a cheap phone has to fetch before it can do something, what a function weighs when it starts cold (and that it
// does start), what a first look takes on the disk, and what must not be in a production build; each with what we allow.
import { globSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { serve } from 'service-emulators/serve'
import { config as PAGE } from '../../netlify/functions/recipient-page.ts'
import { config } from '../../netlify/functions/sweep.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { CHANNEL } from '../../src/inspection/tell.ts'
import { appFolder, build, ensureBuilt } from '../build/build.ts'
import { buildFunctions } from '../build/functions.ts'
import { packForNetlify } from '../build/netlifyPackage.ts'
import { chunksOf, type Manifest } from '../build/prerender.ts'
import { isIdle } from '../setup/packages.mjs'
import { leftOutAtStart } from '../setup/startPackages.ts'

/**
 * In 1000 bytes, gzipped; `package` as the host is sent it, its own start-up code included; `packages` in 1024 × 1024
 * bytes on the disk, as `du -sm` says it.
 */
const LIMITS = {
  signedOut: 130,
  idle: 25,
  home: 180,
  signIn: 200,
  css: 20,
  page: 16,
  worker: 9,
  precache: 850,
  function: 870,
  package: 1540,
  packages: 450,
}

const ROOT = join(import.meta.dirname, '../..')

let isOver = false

ensureBuilt('sandbox')
const folder = appFolder('sandbox')
const manifest: Manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))

const signedOut = ['index.html', 'src/locales/fr.po']
tell('JavaScript before the signed-out screen can be used', scripts(signedOut), LIMITS.signedOut)
// A chunk that is shared with the home screen would bring all of the app to somebody who only looks.
const whenIdle = [
  'src/shell/UpdateOffer.tsx',
  'src/features/auth/Calculator.tsx',
  'src/features/auth/PhoneForm.tsx',
  'src/ui/google/GoogleSignIn.tsx',
]
tell(
  'JavaScript that the signed-out screen fetches when it is idle',
  scripts(whenIdle).filter((file) => !scripts(signedOut).includes(file)),
  LIMITS.idle,
)
// Who comes back is known to this device: the screen does not wait for the sign-in SDK, nor for the database.
const home = [...signedOut, 'src/locales/signedIn/fr.po', 'src/shell/Home.tsx']
tell('JavaScript before the home screen can be used', scripts(home), LIMITS.home)
tell(
  'JavaScript of who signs in, up to the home screen',
  scripts([...home, 'src/services/auth.ts']),
  LIMITS.signIn,
)
const [, inPage = ''] = /<style>(.*?)<\/style>/s.exec(readFileSync(join(folder, 'index.html'), 'utf8')) ?? []
tellSize('Styles before the home screen can be used', gzipped(inPage) + sizeOf(sheets(home)), LIMITS.css)
tell('The page with its painted screens', ['index.html'], LIMITS.page)
tell('The service worker', ['sw.js'], LIMITS.worker)
tell('All that the service worker keeps', precached(), LIMITS.precache)

checkVariables()
checkPackages()
await checkFunctions()
await checkProductionBuild()
process.exit(isOver ? 1 : 0)

/** The files of these chunks and of all that they import at once. */
function scripts(names: string[]): string[] {
  return [...new Set(names.flatMap((name) => chunksOf(manifest, name).map(({ file }) => file)))]
}

/** The style sheets of these chunks and of all that they import at once. */
function sheets(names: string[]): string[] {
  return [...new Set(names.flatMap((name) => chunksOf(manifest, name).flatMap(({ css }) => css ?? [])))]
}

/** The files that the worker names. */
function precached(): string[] {
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8')
  return [...worker.matchAll(/{url:"([^"]+)",revision:/g)].flatMap(([, file]) => file ?? [])
}

function tell(what: string, files: string[], limit: number) {
  tellSize(what, sizeOf(files), limit)
}

function sizeOf(files: string[]) {
  return files.reduce((sum, file) => sum + gzipped(readFileSync(join(folder, file))), 0)
}

function tellSize(what: string, bytes: number, limit: number) {
  const size = bytes / 1000
  isOver ||= size > limit
  console.log(`${size > limit ? 'OVER' : 'ok'}  ${what}: ${size.toFixed(1)} kB gzipped of ${limit} kB`)
}

function gzipped(text: string | Uint8Array) {
  return gzipSync(text, { level: 9 }).length
}

/** The build leaves out variables of the library that nothing reads; what is read without a fallback has to be declared. */
function checkVariables() {
  const files = (ending: string) =>
    globSync(join(folder, `assets/*.${ending}`)).map((file) => readFileSync(file, 'utf8'))
  const styles = files('css').join('')
  const declared = styles + files('js').join('')
  const read = [...styles.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = '']) => name)
  const missing = [...new Set(read)].filter((name) => !new RegExp(`${name}['"]?:`).test(declared))
  isOver ||= missing.length > 0
  console.log(
    missing.length > 0
      ? `OVER  Not declared: ${missing.join(' ')}`
      : 'ok  Every variable of the styles is declared',
  )
}

/** What `npm start` lays down on a bare machine, in whole blocks of 4 kB as file systems give them out. */
function checkPackages() {
  const packages = join(ROOT, 'node_modules')
  const leftOut = new Set(leftOutAtStart.map((path) => join(ROOT, path)))
  const sizeOf = (folder: string): number =>
    readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name)
      if (leftOut.has(path) || isIdle(relative(packages, path))) return sum
      return sum + (entry.isDirectory() ? sizeOf(path) : Math.ceil(lstatSync(path).size / 4096) * 4096)
    }, 4096)
  const size = Math.round(sizeOf(packages) / 2 ** 20)
  const isMore = size > LIMITS.packages
  isOver ||= isMore
  console.log(`${isMore ? 'OVER' : 'ok'}  Packages of npm start: ${size} MB of ${LIMITS.packages} MB`)
}

/** Each function in one file, as it is deployed: what it weighs, and that it can do its work against the sandbox. */
async function checkFunctions() {
  const functions = await buildFunctions()
  let origin = ''
  const sandbox = createSandbox({ origin: () => origin, functionsOrigin: () => null })
  const server = await serve(sandbox.app.fetch)
  origin = server.origin
  Object.assign(process.env, sandbox.functionSettings())
  for (const { name, file, sources } of functions) {
    const strangers = sources.filter((source) =>
      /^(sandbox|scripts|e2e|bench|netlify\/testing)\//.test(source),
    )
    isOver ||= strangers.length > 0
    const held =
      strangers.length > 0 ? strangers.join(', ') : `${sources.length} files, none of them the sandbox's`
    console.log(`${strangers.length > 0 ? 'OVER' : 'ok'}  Function ${name} holds ${held}`)
    tellSize(`Function ${name}`, gzipped(readFileSync(file)), LIMITS.function)
    const { default: handle } = await import(pathToFileURL(file).href)
    const headers = { 'content-type': 'application/json' }
    const request = new Request(origin, { method: 'POST', headers, body: '{"phone":"+33612345678"}' })
    const { status } = await handle(request, { ip: '203.0.113.7' })
    isOver ||= status >= 500
    console.log(`${status >= 500 ? 'OVER' : 'ok'}  Function ${name} answers ${status}`)
  }
  await server.close()
  const fileOf = (wanted: string) => functions.find(({ name }) => name === wanted)?.file ?? ''
  await checkPackage(fileOf('sweep'))
  const { paths } = await packForNetlify(fileOf('recipient-page'))
  const isThere = paths.join() === PAGE.path
  isOver ||= !isThere
  console.log(`${isThere ? 'ok' : 'OVER'}  Netlify serves the recipient's page at ${paths.join()}`)
}

/** What Netlify's own bundler makes of a function. Of one, because that takes it seconds, and all are made alike. */
async function checkPackage(file: string) {
  const { files, schedule, zippedBytes } = await packForNetlify(file)
  tellSize('The package of the sweep for Netlify', zippedBytes, LIMITS.package)
  const others = files.filter((name) => name !== basename(file) && !name.startsWith('___netlify-'))
  const isAsMeant = others.length === 0 && schedule === config.schedule
  isOver ||= !isAsMeant
  console.log(
    isAsMeant
      ? `ok  Netlify packs the one file, and runs it at ${schedule}`
      : `OVER  Netlify packs ${files.join(', ')}, and runs it at ${schedule}`,
  )
}

/** A build with made-up settings of production has nothing in it that points to an emulator or a sandbox. */
async function checkProductionBuild() {
  const out = mkdtempSync(join(tmpdir(), 'passerelle-production-'))
  const settings = {
    VITE_FIREBASE_PROJECT_ID: 'passerelle-budget',
    VITE_FIREBASE_API_KEY: 'budget-key',
    VITE_FIREBASE_AUTH_DOMAIN: 'passerelle-budget.example',
    VITE_FIREBASE_STORAGE_BUCKET: 'passerelle-budget.firebasestorage.app',
    VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_budget',
    VITE_SUPPORT_PHONE: '+33123456789',
    VITE_SUPPORT_EMAIL: 'support@passerelle-budget.example',
    VITE_SUPPORT_CHAT_URL: 'https://passerelle-budget.example/chat',
    VITE_OPERATOR_NAME: 'Budget Payments SA',
    VITE_OPERATOR_LICENCE: 'payment institution 00000',
    VITE_OPERATOR_SUPERVISOR: 'ACPR',
    VITE_OPERATOR_ADDRESS: '1 rue du Budget, 75000 Paris',
    VITE_COMPLAINTS_EMAIL: 'complaints@passerelle-budget.example',
  }
  try {
    Object.assign(process.env, settings)
    await build('production', out)
    const texts = globSync('**/*.{html,js}', { cwd: out }).map((file) =>
      readFileSync(join(out, file), 'utf8'),
    )
    if (!texts.some((text) => text.includes(settings.VITE_FIREBASE_PROJECT_ID)))
      throw new Error('The production build does not hold its settings')
    const found = [
      'EMULATOR_HOST',
      'STRIPE_API_BASE',
      'pk_test_sandbox',
      'demo-passerelle',
      '/sandbox',
      // Of development: the page of the statecharts and the inspector.
      CHANNEL,
      'mermaid',
      'stately.ai/inspect',
      '@statelyai',
    ].filter((word) => texts.some((text) => text.includes(word)))
    isOver ||= found.length > 0
    console.log(
      found.length > 0
        ? `OVER  The production build mentions ${found.join(', ')}`
        : 'ok  The production build mentions no emulator, no sandbox and no inspector',
    )
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
