// `npm start` and `npm run dev`: the app, the functions and the hosted services' stand-ins in one process.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { appFolder, ensureBuilt } from '../scripts/build.ts'
import { functionsApp } from './functions.ts'
import { createSandbox } from './sandbox.ts'
import { siteApp } from './site.ts'

const { values: flags } = parseArgs({
  options: {
    dev: { type: 'boolean', default: false },
    /** With `--dev`: the app of this server opens Stately's inspector of its machines. */
    inspect: { type: 'boolean', default: false },
  },
})
if (flags.inspect) process.env.VITE_INSPECT = 'true'
const wantedPort = Number(process.env.PORT ?? 5173)
if (!Number.isInteger(wantedPort) || wantedPort < 0 || wantedPort > 65535)
  exit(`PORT must be a number from 0 to 65535; it is '${process.env.PORT}'.`)

let port = wantedPort
const origin = () => `http://localhost:${port}`
const sandbox = createSandbox({
  origin,
  authEmulator: process.env.FIREBASE_AUTH_EMULATOR_HOST || undefined,
  firestoreEmulator: process.env.FIRESTORE_EMULATOR_HOST || undefined,
  storageEmulator: process.env.FIREBASE_STORAGE_EMULATOR_HOST || undefined,
})
const snapshot = process.env.SANDBOX_SNAPSHOT

const api = new Hono()
api.use('/.netlify/functions/*', sandbox.faults.middleware)
api.route('/', functionsApp())
api.route('/', sandbox.app)
const isApi = (path: string) =>
  /^\/(\.netlify\/functions|sandbox|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com|firebaserules\.googleapis\.com|emulator|v1|v0|storage\/v1)(\/|$)/.test(
    path,
  )

const server = createServer()
const sendApi = getRequestListener(api.fetch)
const sendSite = flags.dev ? await developmentSite(server) : builtSite()
server.on('request', (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (isApi(pathname)) sendApi(request, response)
  else sendSite(request, response)
})
server.on('error', (error: NodeJS.ErrnoException) =>
  exit(
    error.code === 'EADDRINUSE'
      ? `Port ${wantedPort} is taken. Stop what uses it, or choose another: PORT=${wantedPort + 1} npm start`
      : error.message,
  ),
)
server.listen(wantedPort, async () => {
  port = (server.address() as AddressInfo).port
  Object.assign(process.env, sandbox.functionSettings())
  if (snapshot && existsSync(snapshot)) sandbox.load(JSON.parse(readFileSync(snapshot, 'utf8')))
  else await sandbox.invoices.issue()
  console.log(`Inbox, test cards and faults: ${origin()}/sandbox`)
  console.log(`Passerelle is ready on ${origin()}`)
})

const sweepEvery = setInterval(
  () => fetch(`${origin()}/.netlify/functions/sweep`, { method: 'POST' }).catch(() => undefined),
  15 * 60_000,
)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    clearInterval(sweepEvery)
    if (snapshot) writeFileSync(snapshot, JSON.stringify(sandbox.dump()))
    server.close()
    server.closeAllConnections()
    process.exit(0)
  })

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
    server: { middlewareMode: true, hmr: { server: httpServer } },
  })
  return vite.middlewares
}

function exit(text: string): never {
  console.error(text)
  process.exit(1)
}
