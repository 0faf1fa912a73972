// `npm start` and `npm run dev`: the app, the functions and the hosted services' emulators in one process.
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { functionsApp, PATHS } from '../../sandbox/functions.ts'
import { createKeeper } from '../../sandbox/keeper.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { siteApp } from '../../sandbox/site.ts'
import { appFolder, EMULATOR_SETTINGS, ensureBuilt } from '../build/build.ts'
import { storyboard } from '../storyboard/plugin.ts'
import { addressesFor, isOpen, listenAt } from './listen.ts'

const { values: flags } = parseArgs({
  options: {
    dev: { type: 'boolean', default: false },
    /** With `--dev`: the app of this server opens Stately's inspector of its machines. */
    inspect: { type: 'boolean', default: false },
    /** Nothing of what an earlier start held. */
    fresh: { type: 'boolean', default: false },
  },
})
if (flags.inspect) process.env.VITE_INSPECT = 'true'
const wantedPort = Number(process.env.PORT ?? 5173)
if (!Number.isInteger(wantedPort) || wantedPort < 0 || wantedPort > 65535)
  exit(`PORT must be a number from 0 to 65535; it is '${process.env.PORT}'.`)

// Whoever tries the product sees what becomes of a transfer. Tests say themselves whether somebody pays out.
process.env.DELIVERY_PROVIDERS ??= 'mtn,byHand'

let port = wantedPort
const origin = () => `http://localhost:${port}`
const sandbox = createSandbox({
  origin,
  authEmulator: process.env.FIREBASE_AUTH_EMULATOR_HOST || undefined,
  firestoreEmulator: process.env.FIRESTORE_EMULATOR_HOST || undefined,
  storageEmulator: process.env.FIREBASE_STORAGE_EMULATOR_HOST || undefined,
  // An operator's commands, which are other processes, are told of it too.
  deliveryProviders: process.env.DELIVERY_PROVIDERS,
  // Like the functions: once their settings are in the environment.
  async operate(words, options) {
    const { runCommand } = await import('../operations/commands.ts')
    const { payoutContext } = await import('../../netlify/server/payouts/createContext.ts')
    return (await runCommand(payoutContext(), ['deliveries', ...words], options)).lines
  },
})
const keptIn = keptFile()
const keeper = keptIn ? createKeeper(sandbox, keptIn, (text) => console.error(text)) : null

const api = new Hono()
api.use(async (_, next) => {
  await next()
  keeper?.changed()
})
for (const path of ['/.netlify/functions/*', ...Object.values(PATHS)])
  api.use(path, sandbox.faults.middleware)
api.route('/', functionsApp())
api.route('/', sandbox.app)
const isApi = (path: string) =>
  /^\/(\.netlify\/functions|sandbox|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com|firebaserules\.googleapis\.com|emulator|disbursement|push|t|v1|v0|storage\/v1)(\/|$)/.test(
    path,
  )

const server = createServer()
const { promise: isReady, resolve: begin } = Promise.withResolvers<void>()
const sendApi = getRequestListener(api.fetch)
const sendSite = flags.dev ? await developmentSite(server) : builtSite()
server.on('request', async (request, response) => {
  // An app that is open somewhere asks as soon as the port is there: before what was kept is taken up, it would be signed out.
  await isReady
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (isApi(pathname)) sendApi(request, response)
  else sendSite(request, response)
})
const addresses = addressesFor(process.env.HOST)
port = await listenAt(server, addresses, wantedPort).catch((error: NodeJS.ErrnoException) =>
  exit(
    error.code === 'EADDRINUSE'
      ? `Port ${wantedPort} is taken. Stop what uses it, or choose another: PORT=${wantedPort + 1} npm start`
      : error.message,
  ),
)
// Not before the port is this one's own: a file belongs to whoever has its port.
if (keptIn && flags.fresh) rmSync(keptIn, { force: true })
const goesOn = keeper?.takeUp() ?? false
// One of them is kept.
Object.assign(process.env, sandbox.functionSettings())
if (!goesOn) await sandbox.invoices.issue()
begin()
if (isOpen(addresses))
  console.log(`HOST=${process.env.HOST} opens it to the network. Whoever reaches this machine can read, change and delete all that it holds:
every account, mail, message, file and key, as its administrator. Put nothing into it that is real.`)
if (goesOn) console.log(`It goes on from ${keptIn}; to begin anew: npm start -- --fresh`)
console.log(`Inbox, test cards and faults: ${origin()}/sandbox`)
console.log(`Passerelle is ready on ${origin()}`)

const sweep = () => fetch(`${origin()}/.netlify/functions/sweep`, { method: 'POST' }).catch(() => undefined)
// At MTN money arrives within seconds, and its callback may come before we listen: nobody who tries that waits for long.
setInterval(sweep, process.env.DELIVERY_PROVIDERS ? 60_000 : 15 * 60_000)
// What came due while nothing ran.
if (goesOn) sweep()

let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, async () => {
    // A terminal sends it to every process, and npm once more.
    if (isEnding) return
    isEnding = true
    server.close()
    server.closeAllConnections()
    await keeper?.close()
    process.exit(0)
  })

/**
 * Where what the sandbox holds is kept: in a file for each port, so that of two that run side by side each has its own; none
 * for a port that is chosen by chance. Beside an official emulator, which forgets its part, nothing is kept.
 */
function keptFile(): string | null {
  if (EMULATOR_SETTINGS.some((name) => process.env[name])) return null
  const byPort = wantedPort === 0 ? null : `.cache/sandbox-${wantedPort}.json`
  return process.env.SANDBOX_SNAPSHOT ?? byPort
}

function builtSite() {
  // Another build than that of these sources, for tests that replace one by the next.
  const folder = process.env.SANDBOX_APP
  if (!folder) ensureBuilt('sandbox')
  const emulators = () => [sandbox.hosts().auth, sandbox.hosts().firestore, sandbox.hosts().storage]
  return getRequestListener(siteApp(folder ?? appFolder('sandbox'), () => port, emulators).fetch)
}

async function developmentSite(httpServer: Server) {
  const { createServer: createViteServer } = await import('vite')
  const vite = await createViteServer({
    mode: 'sandbox',
    plugins: [storyboard()],
    server: { middlewareMode: true, hmr: { server: httpServer } },
  })
  return vite.middlewares
}

function exit(text: string): never {
  console.error(text)
  process.exit(1)
}
