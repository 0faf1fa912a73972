// Installs all packages of package-lock.json, or only the `dependencies`, for `npm start`.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'

export const OWN_NODE = 'node_modules/.bin/node'
/** The lock file of the last installation, and whether it was complete. */
const STAMP = 'node_modules/.installed-for'
/** Holds the packages of `npm start` while all packages are being installed. */
const THIN = '.cache/node_modules-of-start'

/**
 * A complete installation stays complete, whatever is requested.
 * @param {boolean} wantsAll
 * @param {(text: string) => void} say
 * @returns {string | null} the problem, or null
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
  // npm treats a package as complete even if files were removed from it, so move these packages away first.
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
    return 'The packages could not be installed. Check the network, then repeat the command.'
  }
  writeFileSync(STAMP, `${source} ${takesAll ? 'all' : 'start'}`)
  if (isThin) rmSync(THIN, { recursive: true })
  if (!takesAll) makeThin()
  return null
}

/** The project's own Node may run this process: npm's commands find it first. */
const othersThanNode = () => readdirSync('node_modules').filter((name) => name !== 'node' && name !== '.bin')

function install(takesAll) {
  // `npm ci` would reject a lock file made where a registry lacks the binaries of another platform.
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = (node) => {
    const script = process.env.npm_execpath ?? ''
    const [program, ...args] = /npm-cli\.[cm]?js$/.test(script)
      ? [node, script, ...options]
      : ['npm', ...options]
    const { status } = spawnSync(program, [...args, takesAll ? '--include=dev' : '--omit=dev'], {
      stdio: 'inherit',
      // npm, if started by name, uses the first Node in the path.
      env: { ...process.env, PATH: `${resolve(dirname(node))}${delimiter}${process.env.PATH}` },
      shell: program === 'npm' && process.platform === 'win32',
    })
    return status === 0
  }
  if (!npm(process.execPath)) return false
  // An older Node silently skips binaries for newer ones; the project's own Node installs them.
  const isNewer =
    existsSync(OWN_NODE) && getMajor(spawnSync(OWN_NODE, ['--version']).stdout) > getMajor(process.version)
  return !isNewer || npm(OWN_NODE)
}

const getMajor = (version) => Number(/\d+/.exec(version))

/** A developer has needed these. */
function hasMore() {
  const installed = 'node_modules/.package-lock.json'
  if (!existsSync(installed)) return false
  return Object.values(JSON.parse(readFileSync(installed, 'utf8')).packages).some(({ dev }) => dev)
}

/** No program reads these files below node_modules. @param {string} path */
export const isIdle = (path) =>
  /\.(d\.[cm]?ts|(css|[cm]?[jt]s)\.map|md)$/.test(path) || /^node[/\\]node_modules[/\\]/.test(path)

function makeThin() {
  for (const entry of readdirSync('node_modules', { withFileTypes: true })) {
    // A symbolic link leads to a workspace, whose files belong to the project.
    if (!entry.isDirectory()) continue
    for (const path of readdirSync(join('node_modules', entry.name), { recursive: true }))
      if (isIdle(join(entry.name, path)))
        rmSync(join('node_modules', entry.name, path), { recursive: true, force: true })
  }
}
