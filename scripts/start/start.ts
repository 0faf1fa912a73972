// `npm start` and `npm run dev`: run the app, the functions and the emulators in one process.
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { EMULATOR_SETTINGS, ensureBuilt, getAppFolder } from '../../build/build.ts'
import { createFunctionsApp, FUNCTION_PATHS } from '../../sandbox/functions.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { createSandboxStore } from '../../sandbox/sandboxStore.ts'
import { createSite } from '../../sandbox/site.ts'
import { createStoryboardPlugin } from '../storyboard/plugin.ts'
import { getListenAddresses, isReachableFromNetwork, listenOnPort } from './listen.ts'

const { values: flags } = parseArgs({
  options: {
    dev: { type: 'boolean', default: false },
    /** Opens Stately's inspector; only with `--dev`. */
    inspect: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  },
})
if (flags.inspect) process.env.VITE_INSPECT = 'true'
const wantedPort = Number(process.env.PORT ?? 5173)
if (!Number.isInteger(wantedPort) || wantedPort < 0 || wantedPort > 65535)
  exit(`PORT must be a number from 0 to 65535; it is '${process.env.PORT}'.`)

// A new user sees what happens to a transfer. Tests set this themselves.
process.env.DELIVERY_PROVIDERS ??= 'mtn,byHand'

let port = wantedPort
const origin = () => `http://localhost:${port}`
const sandbox = createSandbox({
  origin,
  authEmulator: process.env.FIREBASE_AUTH_EMULATOR_HOST || undefined,
  firestoreEmulator: process.env.FIRESTORE_EMULATOR_HOST || undefined,
  storageEmulator: process.env.FIREBASE_STORAGE_EMULATOR_HOST || undefined,
  // Operators' commands read this setting from the sandbox.
  deliveryProviders: process.env.DELIVERY_PROVIDERS,
  cloudTasksLocation: process.env.CLOUD_TASKS_LOCATION || undefined,
  // The commands need the settings in the environment, so import them late.
  async operate(words, options) {
    const { runCommand } = await import('../operations/commands.ts')
    const { getPayoutContext: payoutContext } = await import('../../netlify/server/payouts/createContext.ts')
    return (await runCommand(payoutContext(), ['deliveries', ...words], options)).lines
  },
})
const dataFile = getDataFile()
const keeper = dataFile ? createSandboxStore(sandbox, dataFile, (text) => console.error(text)) : null

const api = new Hono()
api.use(async (_, next) => {
  await next()
  keeper?.noteChange()
})
for (const path of ['/.netlify/functions/*', ...Object.values(FUNCTION_PATHS)])
  api.use(path, sandbox.faults.middleware)
api.route('/', createFunctionsApp())
api.route('/', sandbox.app)
const isApi = (path: string) =>
  /^\/(\.netlify\/functions|sandbox|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com|firebaserules\.googleapis\.com|emulator|disbursement|push|oauth2|t|v2|v1|v0|storage\/v1)(\/|$)/.test(
    path,
  )

const server = createServer()
const { promise: isReady, resolve: begin } = Promise.withResolvers<void>()
const sendApi = getRequestListener(api.fetch)
const sendSite = flags.dev ? await createDevelopmentSite(server) : await createBuiltSite()
server.on('request', async (request, response) => {
  // Before stored data is restored, an open app would be signed out.
  await isReady
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (isApi(pathname)) sendApi(request, response)
  else sendSite(request, response)
})
const addresses = getListenAddresses(process.env.HOST)
port = await listenOnPort(server, addresses, wantedPort).catch((error: NodeJS.ErrnoException) =>
  exit(
    error.code === 'EADDRINUSE'
      ? `Port ${wantedPort} is in use. Stop the program that uses it, or choose another port: PORT=${wantedPort + 1} npm start`
      : error.message,
  ),
)
// The data file belongs to the process that has the port.
if (dataFile && flags.fresh) rmSync(dataFile, { force: true })
const hasRestoredData = keeper?.loadFile() ?? false
await sandbox.smtp.listen()
// The service account's key is part of the stored data.
Object.assign(process.env, sandbox.functionSettings())
if (!hasRestoredData) await sandbox.invoices.issue()
begin()
if (isReachableFromNetwork(addresses))
  console.log(`HOST=${process.env.HOST} opens the server to the network. Every machine that reaches it can read, change and delete all data
as its administrator: accounts, mails, messages, files and keys. Use test data only.`)
if (hasRestoredData)
  console.log(`Using the data in ${dataFile}. To start with empty data: npm start -- --fresh`)
console.log(`Inbox, test cards and faults: ${origin()}/sandbox`)
console.log(`Passerelle is ready on ${origin()}`)

const runDueWork = () =>
  fetch(`${origin()}/.netlify/functions/due-work`, { method: 'POST' }).catch(() => undefined)
// MTN's callback may be lost before the server listens, so run the job often.
setInterval(runDueWork, process.env.DELIVERY_PROVIDERS ? 30_000 : 15 * 60_000)
// Do the work that became due while the server was down.
if (hasRestoredData) runDueWork()

let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, async () => {
    // A terminal sends the signal to every process, and npm sends it again.
    if (isEnding) return
    isEnding = true
    server.close()
    server.closeAllConnections()
    await keeper?.close()
    process.exit(0)
  })

/** Parallel servers have a file for each port. An official emulator forgets its data, so it has none. */
function getDataFile(): string | null {
  if (EMULATOR_SETTINGS.some((name) => process.env[name])) return null
  const byPort = wantedPort === 0 ? null : `.cache/sandbox-${wantedPort}.json`
  return process.env.SANDBOX_SNAPSHOT ?? byPort
}

async function createBuiltSite() {
  // Tests replace the app by a new version.
  const folder = process.env.SANDBOX_APP
  if (!folder) ensureBuilt('sandbox')
  const emulators = () => [sandbox.hosts().auth, sandbox.hosts().firestore, sandbox.hosts().storage]
  const site = await createSite(folder ?? getAppFolder('sandbox'), () => port, emulators)
  return getRequestListener(site.fetch)
}

async function createDevelopmentSite(httpServer: Server) {
  const { createServer: createViteServer } = await import('vite')
  const vite = await createViteServer({
    mode: 'sandbox',
    plugins: [createStoryboardPlugin()],
    server: { middlewareMode: true, hmr: { server: httpServer } },
  })
  return vite.middlewares
}

function exit(text: string): never {
  console.error(text)
  process.exit(1)
}
