// `npm run emulators`: the product with official Firebase emulators in the place of our own, with the
// rules and indexes of firebase.json; `-- --only auth` takes some of them. Stripe stays the sandbox's.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import firebase from '../../firebase.json' with { type: 'json' }
import { build } from '../build/build.ts'
import { type Emulator, startSuite } from './emulatorSuite.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, '.cache/emulators')
const OLDEST_JAVA = 21

/** The name of the functions' setting for each; the app's has VITE_ before it. */
const SETTINGS: Record<Emulator, string> = {
  auth: 'FIREBASE_AUTH_EMULATOR_HOST',
  firestore: 'FIRESTORE_EMULATOR_HOST',
  storage: 'FIREBASE_STORAGE_EMULATOR_HOST',
}

const { values } = parseArgs({ options: { only: { type: 'string', default: Object.keys(SETTINGS).join() } } })
const chosen = values.only.split(',').map((name) => {
  if (name in SETTINGS) return name as Emulator
  throw new Error(`There is no emulator '${name}': choose among ${Object.keys(SETTINGS).join(', ')}.`)
})
if (chosen.some((name) => name !== 'auth')) requireJava()

const hosts = Object.fromEntries(chosen.map((name) => [name, `127.0.0.1:${firebase.emulators[name].port}`]))
const settings = Object.fromEntries(chosen.map((name) => [SETTINGS[name], hosts[name]]))
const log = join(FOLDER, 'emulators.log')
const suite = startSuite({ folder: ROOT, hosts, log })
let product: ChildProcess | undefined
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    interrupted = true
    product?.kill(signal)
    if (!product) process.exit(130)
  })

// A build changes the environment of the process it runs in; the product gets it as it was.
const environment = { ...process.env, ...settings, SANDBOX_APP: join(FOLDER, 'app') }
for (const [name, host] of Object.entries(settings)) process.env[`VITE_${name}`] = host
console.log('Building the app for the emulators…')
await build('sandbox', environment.SANDBOX_APP)
console.log(`Waiting for ${chosen.join(', ')} (the first time they are fetched: some minutes; log: ${log})…`)
await suite.ready().catch((error: Error) => {
  if (!interrupted) console.error(error.message)
  process.exit(1)
})
for (const [name, host] of Object.entries(settings)) console.log(`${name}=${host}`)

product = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/start/start.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  detached: true,
  env: environment,
})
const [status] = await once(product, 'exit')
process.exit(status ?? 1)

/** The emulators of Firestore and Storage are Java programs; that of Auth is not. */
function requireJava() {
  const { stderr, error } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  const found = error ? null : Number(/version "(\d+)/.exec(stderr)?.[1])
  if (found !== null && found >= OLDEST_JAVA) return
  console.error(`The emulators of Firestore and Storage need Java ${OLDEST_JAVA} or later; ${found ? `here is Java ${found}` : 'here is none'}.
Without it there are:
  npm start                          everything, with the sandbox of this repository
  npm run emulators -- --only auth   the official emulator of the sign-in service, the sandbox for the rest`)
  process.exit(1)
}
