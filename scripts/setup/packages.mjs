// Installs the packages of package-lock.json: all of them, or as few as `npm start` needs, which are its `dependencies`.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'

/** The project's own Node, from the packages. */
export const OWN_NODE = 'node_modules/.bin/node'
/** What the packages were installed from, and whether all of them were. */
const STAMP = 'node_modules/.installed-for'
/** Where the packages of a first look are while all of them are being installed. */
const THIN = '.cache/node_modules-of-start'

/**
 * Installs what is missing or out of date. Where all packages are, all of them stay, whatever is asked for.
 * @param {boolean} wantsAll
 * @param {(text: string) => void} say
 * @returns {string | null} what went wrong, or null
 */
export function ensurePackages(wantsAll, say) {
  const source = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  const stamp = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : ''
  if (stamp === `${source} all` || (!wantsAll && stamp === `${source} start`)) return null
  const takesAll = wantsAll || hasMore()
  say(
    takesAll
      ? 'Installing all packages (some minutes the first time)…'
      : 'Installing what `npm start` needs (about a minute the first time)…',
  )
  // npm believes that a package is whole when it is there.
  const isThin = takesAll && stamp.endsWith(' start')
  if (isThin) {
    rmSync(THIN, { recursive: true, force: true })
    mkdirSync(THIN, { recursive: true })
    for (const name of othersThanNode()) renameSync(join('node_modules', name), join(THIN, name))
  }
  if (!install(takesAll)) {
    if (isThin) {
      for (const name of othersThanNode()) rmSync(join('node_modules', name), { recursive: true })
      for (const name of readdirSync(THIN)) renameSync(join(THIN, name), join('node_modules', name))
    }
    return 'The packages could not be installed. Is there a network?'
  }
  writeFileSync(STAMP, `${source} ${takesAll ? 'all' : 'start'}`)
  if (isThin) rmSync(THIN, { recursive: true })
  if (!takesAll) makeThin()
  return null
}

/** This process may run by the project's own Node: npm's commands find that one first. It has nothing that is thin. */
const othersThanNode = () => readdirSync('node_modules').filter((name) => name !== 'node' && name !== '.bin')

/** Whether it went well. */
function install(takesAll) {
  // Not `npm ci`: it refuses a lock file made where a registry lacks the binaries of some other platform.
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = (node) => {
    const script = process.env.npm_execpath ?? ''
    const [program, ...args] = /npm-cli\.[cm]?js$/.test(script)
      ? [node, script, ...options]
      : ['npm', ...options]
    const { status } = spawnSync(program, [...args, takesAll ? '--include=dev' : '--omit=dev'], {
      stdio: 'inherit',
      // Where npm is found by its name, it runs by the first Node of the path.
      env: { ...process.env, PATH: `${resolve(dirname(node))}${delimiter}${process.env.PATH}` },
      shell: program === 'npm' && process.platform === 'win32',
    })
    return status === 0
  }
  if (!npm(process.execPath)) return false
  // An older Node leaves out the binaries that are made for newer ones, without a word: the project's own brings them.
  const isNewer =
    existsSync(OWN_NODE) && majorOf(spawnSync(OWN_NODE, ['--version']).stdout) > majorOf(process.version)
  return !isNewer || npm(OWN_NODE)
}

const majorOf = (version) => Number(/\d+/.exec(version))

/** Whether packages are installed that `npm start` can do without: somebody wanted them, and will want them again. */
function hasMore() {
  const installed = 'node_modules/.package-lock.json'
  if (!existsSync(installed)) return false
  return Object.values(JSON.parse(readFileSync(installed, 'utf8')).packages).some(({ dev }) => dev)
}

/**
 * Whether no program reads a file of the packages, by its path in node_modules: types and maps of sources, pages for people,
 * and what Node’s own package has beside the program.
 * @param {string} path
 */
export const isIdle = (path) =>
  /\.(d\.[cm]?ts|(css|[cm]?[jt]s)\.map|md)$/.test(path) || /^node[/\\]node_modules[/\\]/.test(path)

function makeThin() {
  for (const entry of readdirSync('node_modules', { withFileTypes: true })) {
    // A link leads to a workspace: those files are the project's own.
    if (!entry.isDirectory()) continue
    for (const path of readdirSync(join('node_modules', entry.name), { recursive: true }))
      if (isIdle(join(entry.name, path)))
        rmSync(join('node_modules', entry.name, path), { recursive: true, force: true })
  }
}
