// `npm run e2e:emulator`: the end-to-end tests of the ways in by e-mail and by phone, with the official Firebase Auth
// emulator in the place of the sandbox's Auth. npx fetches the emulator, which is large and no part of `npm test`.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SANDBOX_PROJECT } from '../sandbox/sandbox.ts'
import { build } from './build.ts'

const FOLDER = join(import.meta.dirname, '../.cache/auth-emulator')
const APP = join(FOLDER, 'app')
const LOG = join(FOLDER, 'emulator.log')

// A build changes the environment of the process it runs in; the others get it as it was.
const environment = { ...process.env }
const port = await freePort()
const host = `127.0.0.1:${port}`

mkdirSync(FOLDER, { recursive: true })
const auth = { host: '127.0.0.1', port }
writeFileSync(join(FOLDER, 'firebase.json'), JSON.stringify({ emulators: { auth, ui: { enabled: false } } }))
const emulator = startEmulator()
process.once('exit', stopEmulator)
let tests: ChildProcess | undefined
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)

console.log('Building the app for the emulator…')
process.env.VITE_FIREBASE_AUTH_EMULATOR_HOST = host
await build('sandbox', APP)
console.log(`Waiting for the emulator (the first time it is fetched: some minutes; log: ${LOG})…`)
await emulatorAnswers()

tests = spawn('node_modules/.bin/playwright', ['test', '--grep', '@auth', ...process.argv.slice(2)], {
  stdio: 'inherit',
  detached: true,
  env: { ...environment, SANDBOX_APP: APP, FIREBASE_AUTH_EMULATOR_HOST: host },
})
const [status] = await once(tests, 'exit')
process.exit(status ?? 1)

/** In a group of its own, because npx starts further processes that have to end with it. */
function startEmulator() {
  const log = openSync(LOG, 'w')
  const options = ['emulators:start', '--only', 'auth', '--project', SANDBOX_PROJECT]
  return spawn('npx', ['--yes', 'firebase-tools@15', ...options], {
    cwd: FOLDER,
    detached: true,
    stdio: ['ignore', log, log],
    // Auth needs none of its packages that would have to be compiled.
    env: { ...environment, npm_config_ignore_scripts: 'true' },
  })
}

function isRunning() {
  return emulator.exitCode === null && emulator.signalCode === null
}

function stopEmulator() {
  if (emulator.pid && isRunning()) process.kill(-emulator.pid)
}

/** Once, however often it is asked for: at a second signal Playwright would leave its servers behind. */
function interrupt() {
  if (interrupted) return
  interrupted = true
  if (tests) tests.kill('SIGINT')
  else process.exit(1)
}

async function emulatorAnswers() {
  while (isRunning()) {
    if (
      await fetch(`http://${host}/`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await pause(500)
  }
  console.error(`The emulator did not start; see ${LOG}.`)
  process.exit(1)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
