import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The headless shell is faster.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

/** @returns {Promise<string | null>} the path of a Chromium that starts */
export async function findChromium() {
  const fromPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((dir) => NAMES.map((name) => join(dir, name)))
  const { chromium } = await import('@playwright/test')
  const candidates = [process.env.CHROMIUM_PATH, chromium.executablePath(), ...fromPath]
  return candidates.find((path) => path && existsSync(path) && starts(path)) ?? null
}

/** @returns the path. @throws if no Chromium starts */
export async function requireChromium() {
  const path = await findChromium()
  if (!path) throw new Error('No Chromium found. `npm test` installs one.')
  return path
}

/** @param {readonly string[]} args */
export async function launchChromium(args = []) {
  const { chromium } = await import('@playwright/test')
  return chromium.launch({ executablePath: await requireChromium(), args: ['--no-sandbox', ...args] })
}

/**
 * @param {(text: string) => void} say
 * @returns {Promise<string | null>} the problem, or null
 */
export async function installChromium(say) {
  if (await findChromium()) return null
  say('Installing Chromium for the end-to-end tests (once)…')
  const isRoot = process.getuid?.() === 0
  const fromDebian = () =>
    isRoot &&
    run('apt-get', ['update', '-qq']) &&
    ['chromium-headless-shell', 'chromium'].some((name) => run('apt-get', ['install', '-y', '-qq', name]))
  const fromPlaywright = () =>
    run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
  const ways = isDebian() ? [fromDebian, fromPlaywright] : [fromPlaywright, fromDebian]
  for (const way of ways) if (way() && (await findChromium())) return null
  return 'Chromium could not be installed. Install it, and set CHROMIUM_PATH to its path.'
}

export function isDebian() {
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

function starts(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0
}

/** @returns {boolean} whether the command succeeded */
export function run(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
}
