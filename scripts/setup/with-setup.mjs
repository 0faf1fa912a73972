// Sets up the machine, then runs a TypeScript file, if given:
// node scripts/setup/with-setup.mjs [--all | --browser | --engines] [file.ts [arguments]]
//
// Installs the packages of `npm start`; with --all every package, with --browser also a Chromium, with
// --engines WebKit and Firefox. Plain JavaScript, because the project's own Node is not installed yet.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installChromium } from './chromium.mjs'
import { installEngines } from './engines.mjs'
import { ensurePackages, OWN_NODE } from './packages.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
process.chdir(root)

const [major] = process.versions.node.split('.').map(Number)
if (major < 20) fail(`Passerelle needs Node 20 or later to start; this is ${process.version}.`)

const args = process.argv.slice(2)
const wanted = args[0]?.startsWith('--') ? args.shift() : null
const problem =
  ensurePackages(wanted !== null, console.log) ??
  (wanted === '--browser' ? await installChromium(console.log) : null) ??
  (wanted === '--engines' ? installEngines(console.log) : null)
if (problem) fail(problem)

if (args.length === 0) process.exit()

// The project's own Node (24, from the packages) runs TypeScript directly.
const node = existsSync(OWN_NODE) ? OWN_NODE : process.execPath
const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))

function fail(text) {
  console.error(text)
  process.exit(1)
}
