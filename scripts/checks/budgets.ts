// Checks the size of a phone's first downloads, of the functions and of the packages of `npm start`; that
// each function starts; and that a production build contains no emulator and no development tool.
import { globSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { serve } from 'service-emulators/serve'
import { bundleApp, ensureBuilt, getAppFolder } from '../../build/build.ts'
import { COMPILE_HINT } from '../../build/compileHints.ts'
import { buildFunctions } from '../../build/functions.ts'
import { packForNetlify } from '../../build/netlifyPackage.ts'
import { collectChunks, type ViteManifest } from '../../build/prerender.ts'
import { PACKAGES_OMITTED_AT_START } from '../../build/startPackages.ts'
import { config as dueWorkConfig } from '../../netlify/functions/due-work.ts'
import { config as pageConfig } from '../../netlify/functions/recipient-page.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { isIdle } from '../setup/packages.mjs'

const ROOT = join(import.meta.dirname, '../..')
const NOT_OF_FUNCTIONS = /^(sandbox|emulators|schedules|scripts|e2e|netlify\/testing)\//
const PRODUCTION = {
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
const FORBIDDEN_IN_PRODUCTION = [
  'EMULATOR_HOST',
  'STRIPE_API_BASE',
  'pk_test_sandbox',
  'demo-passerelle',
  '/sandbox',
  'listRunningMachines',
  'mermaid',
  'stately.ai/inspect',
  '@statelyai',
]

/** In 1,000 bytes. The server adds about 0.3 kB of its own headers. Raised from 13.4 for home's style sheets. */
const FIRST_RESPONSE = 13.5

const PAYOUT_MODULES = [
  'src/shell/homeParts.ts',
  'src/features/receipt/refreshDelivery.ts',
  'src/pwa/pushDevice.ts',
]

let isOver = false

ensureBuilt('sandbox')
checkApp(getAppFolder('sandbox'))
checkPackages()
await checkFunctions()
await checkProductionBuild()
process.exit(isOver ? 1 : 0)

function report(isGood: boolean, text: string) {
  isOver ||= !isGood
  console.log(`${isGood ? 'ok' : 'OVER'}  ${text}`)
}

/** `limit`: in 1,000 bytes. */
function reportSize(what: string, bytes: number, limit: number) {
  report(bytes <= limit * 1000, `${what}: ${(bytes / 1000).toFixed(1)} kB gzipped of ${limit} kB`)
}

function measureGzipped(content: string | Uint8Array) {
  return gzipSync(content, { level: 9 }).length
}

function checkApp(folder: string) {
  const read = (file: string) => readFileSync(join(folder, file))
  const measure = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + measureGzipped(read(file)), 0)
  const manifest: ViteManifest = JSON.parse(read('.vite/manifest.json').toString())
  const listChunks = (names: string[]) => names.flatMap((name) => collectChunks(manifest, name))
  const listScripts = (...names: string[]) => [...new Set(listChunks(names).map(({ file }) => file))]

  const signedOut = ['index.html', 'src/locales/fr.po']
  const idle = listScripts(
    'src/shell/UpdateOffer.tsx',
    'src/features/auth/PriceCalculator.tsx',
    'src/features/auth/PhoneForm.tsx',
    'src/ui/google/GoogleSignIn.tsx',
  )
  // For a returning user, the home screen waits neither for the sign-in SDK nor for the database.
  const home = [...signedOut, 'src/shell/Home.tsx']
  const early = listScripts(...home, 'src/services/auth.ts')
  const [, inlineStyles = ''] = /<style>(.*?)<\/style>/s.exec(read('index.html').toString()) ?? []
  const sheets = [...new Set(listChunks(home).flatMap(({ css }) => css ?? []))]
  const precached = read('sw.js')
    .toString()
    .matchAll(/{"revision":[^,]+,"url":"([^"]+)"}/g)

  reportSize('JavaScript up to the signed-out screen', measure(listScripts(...signedOut)), 131.5)
  reportSize(
    'JavaScript that it fetches when idle',
    measure(idle.filter((file) => !listScripts(...signedOut).includes(file))),
    25,
  )
  // Raised from 170 for valibot in a file of its own, and for compile hints; the goal is 130.
  reportSize('JavaScript up to the home screen', measure(listScripts(...home)), 173)
  // Raised from 200 for browsers without locks, channels or databases, unread rows, the identity limit,
  // valibot, and returns from the bank in another browser; the goal is 150.
  reportSize('JavaScript from a sign-in to the home screen', measure(early), 206.6)
  const [largest = ''] = listScripts(...home).toSorted((one, other) => read(other).length - read(one).length)
  report(read(largest).toString().startsWith(COMPILE_HINT), `The browser compiles ${largest} while it loads`)
  const payouts = PAYOUT_MODULES.filter((name) =>
    early.includes(collectChunks(manifest, name)[0]?.file ?? ''),
  )
  report(payouts.length === 0, `The home screen waits for ${payouts.join(', ') || 'no code of payouts'}`)
  reportSize('Styles up to the home screen', measureGzipped(inlineStyles) + measure(sheets), 21.5)
  const [rulesOfPage = ''] = read('_headers').toString().split('/index.html')
  const headers = rulesOfPage.match(/^ {2}.+$/gm)?.join('\n') ?? ''
  const firstResponse = (read('index.html.br').length + headers.length) / 1000
  // TCP sends 14.6 kB before it waits for the browser.
  report(
    firstResponse <= FIRST_RESPONSE,
    `The page with its prerendered screens in Brotli, and its headers: ${firstResponse.toFixed(2)} kB of ${FIRST_RESPONSE} kB`,
  )
  // Raised from 11.5 for valibot, which parses the messages of the push service.
  reportSize('The service worker', measure(['sw.js']), 12.5)
  // Raised from 830 for the page that checks receipts without a network, with its readers of codes.
  reportSize(
    'Everything that the service worker caches',
    measure([...precached].map(([, url = '']) => url)),
    860,
  )
}

/** Measures like `du -sm`. */
function checkPackages() {
  const packages = join(ROOT, 'node_modules')
  const leftOut = new Set(PACKAGES_OMITTED_AT_START.map((path) => join(ROOT, path)))
  const measure = (folder: string): number =>
    readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name)
      // Tools keep caches in folders that begin with a dot.
      if (entry.name.startsWith('.') || leftOut.has(path) || isIdle(relative(packages, path))) return sum
      return sum + (entry.isDirectory() ? measure(path) : Math.ceil(lstatSync(path).size / 4096) * 4096)
    }, 4096)
  const size = Math.round(measure(packages) / 2 ** 20)
  report(size <= 450, `Packages of npm start: ${size} MB of 450 MB`)
}

/** Only mailed receipts need the PDF library, its fonts and nodemailer, and no payment waits for them. */
async function checkFunctions() {
  const functions = await buildFunctions()
  let origin = ''
  const sandbox = createSandbox({ origin: () => origin, functionsOrigin: () => null })
  const server = await serve(sandbox.app.fetch)
  origin = server.origin
  Object.assign(process.env, sandbox.functionSettings())
  for (const { name, file, sources } of functions) {
    reportSize(`Function ${name}`, measureGzipped(readFileSync(file)), name === 'mail-receipt' ? 775 : 545)
    const strangers = sources.filter((source) => NOT_OF_FUNCTIONS.test(source))
    report(strangers.length === 0, `Function ${name} contains ${strangers.join(', ') || 'only its own code'}`)
    const { default: handle } = await import(pathToFileURL(file).href)
    const headers = { 'content-type': 'application/json' }
    const request = new Request(origin, { method: 'POST', headers, body: '{"phone":"+33612345678"}' })
    const { status } = await handle(request, { ip: '203.0.113.7' })
    report(status < 500, `Function ${name} responds ${status}`)
  }
  await server.close()
  // Two are enough: Netlify's bundler takes seconds for each function, and packs all of them alike.
  const pack = (wanted: string) => packForNetlify(functions.find(({ name }) => name === wanted)?.file ?? '')
  const dueWork = await pack('due-work')
  reportSize("Netlify's package of the due-work job", dueWork.zippedBytes, 1040)
  const others = dueWork.files.filter(
    (name) => basename(name) !== 'due-work.mjs' && !name.startsWith('___netlify-'),
  )
  report(others.length === 0, `Netlify packs ${others.join(', ') || 'only the one file'}`)
  report(dueWork.schedule === dueWorkConfig.schedule, `Netlify runs the due-work job at ${dueWork.schedule}`)
  const { paths } = await pack('recipient-page')
  report(paths.join() === pageConfig.path, `Netlify serves the recipient's page at ${paths.join()}`)
}

async function checkProductionBuild() {
  const out = mkdtempSync(join(tmpdir(), 'passerelle-production-'))
  try {
    Object.assign(process.env, PRODUCTION)
    await bundleApp('production', out)
    const texts = globSync('**/*.{html,js}', { cwd: out }).map((file) =>
      readFileSync(join(out, file), 'utf8'),
    )
    const contains = (word: string) => texts.some((text) => text.includes(word))
    report(contains(PRODUCTION.VITE_FIREBASE_PROJECT_ID), 'The production build contains its settings')
    const found = FORBIDDEN_IN_PRODUCTION.filter(contains)
    report(
      found.length === 0,
      `The production build mentions ${found.join(', ') || 'no emulator and no tool'}`,
    )
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
