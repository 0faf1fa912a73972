import { spawnSync } from 'node:child_process'
import { isDebian, run } from './chromium.mjs'

/** Debian packages by the program that the tests start. */
const PACKAGES = { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb', 'firefox-esr': 'firefox-esr' }

/**
 * @param {(text: string) => void} say
 * @returns {string | null} the problem, or null
 */
export function installEngines(say) {
  if (listMissingEngines().length === 0) return null
  say('Installing WebKit and Firefox for the tests of the engines (once)…')
  const names = listMissingEngines().map((program) => PACKAGES[program])
  if (isDebian() && process.getuid?.() === 0 && run('apt-get', ['update', '-qq']))
    run('apt-get', ['install', '-y', '-qq', ...names])
  const missing = listMissingEngines()
  if (missing.length === 0) return null
  return `These programs are missing: ${missing.join(', ')}. On Debian, as root: apt-get install ${names.join(' ')}.`
}

/**
 * Lists the programs that are missing.
 * @returns {string[]}
 */
export const listMissingEngines = () => Object.keys(PACKAGES).filter((program) => !isThere(program))

const isThere = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
