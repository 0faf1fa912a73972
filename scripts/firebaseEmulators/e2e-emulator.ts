// `npm run e2e:emulator`: the end-to-end tests of the ways in by e-mail and by phone, with the official Firebase Auth
// emulator in the place of the sandbox's Auth. npx fetches the emulator, which is large and no part of `npm test`.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { build } from '../build/build.ts'
import { startSuite } from './emulatorSuite.ts'

const FOLDER = join(import.meta.dirname, '../../.cache/auth-emulator')
const APP = join(FOLDER, 'app')
const LOG = join(FOLDER, 'emulator.log')

// A build changes the environment of the process it runs in; the others get it as it was.
const environment = { ...process.env }
const port = await freePort()
const host = `127.0.0.1:${port}`

mkdirSync(FOLDER, { recursive: true })
const auth = { host: '127.0.0.1', port }
writeFileSync(join(FOLDER, 'firebase.json'), JSON.stringify({ emulators: { auth, ui: { enabled: false } } }))
const suite = startSuite({ folder: FOLDER, hosts: { auth: host }, log: LOG })
let tests: ChildProcess | undefined
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)

console.log('Building the app for the emulator…')
process.env.VITE_FIREBASE_AUTH_EMULATOR_HOST = host
await build('sandbox', APP)
console.log(`Waiting for the emulator (the first time it is fetched: some minutes; log: ${LOG})…`)
await suite.ready().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})

tests = spawn('node_modules/.bin/playwright', ['test', '--grep', '@auth', ...process.argv.slice(2)], {
  stdio: 'inherit',
  detached: true,
  env: { ...environment, SANDBOX_APP: APP, FIREBASE_AUTH_EMULATOR_HOST: host },
})
const [status] = await once(tests, 'exit')
process.exit(status ?? 1)

/** Once, however often it is asked for: at a second signal Playwright would leave its servers behind. */
function interrupt() {
  if (interrupted) return
  interrupted = true
  if (tests) tests.kill('SIGINT')
  else process.exit(1)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
