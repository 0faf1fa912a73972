// Makes the machine ready, then runs a TypeScript file of the project:
//   node scripts/with-setup.mjs [--browser] [node options] file.ts [arguments]
// Plain JavaScript on purpose: before the packages are installed there is only the machine's own Node.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installChromium } from './chromium.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const [major] = process.versions.node.split('.').map(Number)
if (major < 20) fail(`Passerelle needs Node 20 or later to start; this is ${process.version}.`)

const stamp = 'node_modules/.installed-for'
const wanted = createHash('sha256')
  .update(readFileSync('package.json'))
  .update(readFileSync('package-lock.json'))
  .digest('hex')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  say('Installing the packages (about a minute the first time)…')
  // Not `npm ci`: it refuses a lock file made where a registry lacks the binaries of some other platform.
  const npm = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) fail('The packages could not be installed. Is there a network?')
  writeFileSync(stamp, wanted)
}

const args = process.argv.slice(2)
if (args[0] === '--browser') {
  args.shift()
  const problem = await installChromium(say)
  if (problem) fail(problem)
}

// The project's own Node (24, from the packages) runs TypeScript as it stands.
const node = existsSync('node_modules/.bin/node') ? 'node_modules/.bin/node' : process.execPath
const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))

function say(text) {
  console.log(text)
}

function fail(text) {
  console.error(text)
  process.exit(1)
}
