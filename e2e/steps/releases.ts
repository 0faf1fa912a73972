import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAppFolder } from '../../build/build.ts'

/** The releases have no common file in `assets`, as if every source file had changed. */
export interface Releases {
  readonly folder: string
  /** Replaces the whole release atomically, as a host does. */
  publish(release: 'first' | 'second'): Promise<void>
  remove(): Promise<void>
}

export const SECOND_RELEASE_SUFFIX = '-second'

export async function createTwoReleases(): Promise<Releases> {
  const root = await mkdtemp(join(tmpdir(), 'passerelle-releases-'))
  const [first, second, next, folder] = ['first', 'second', 'next', 'published'].map((name) =>
    join(root, name),
  ) as [string, string, string, string]
  const isPacked = (file: string) => /\.(br|gz)$/.test(file)
  for (const release of [first, second])
    await cp(getAppFolder('sandbox'), release, { recursive: true, filter: (file) => !isPacked(file) })
  await renameAssets(second)
  await allowBoth(first, second)
  const publish = async (release: string) => {
    await symlink(join(root, release), next)
    await rename(next, folder)
  }
  await publish('first')
  return { folder, publish, remove: () => rm(root, { recursive: true }) }
}

async function renameAssets(folder: string) {
  const assets = await readdir(join(folder, 'assets'))
  const renamed = (name: string) => name.replace(/(\.\w+)$/, `${SECOND_RELEASE_SUFFIX}$1`)
  const longestFirst = assets.toSorted((one, other) => other.length - one.length)
  const anyName = new RegExp(longestFirst.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g')
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(html|js|css)$/.test(file))
  for (const file of [...files, '_headers']) {
    const path = join(folder, file)
    const text = (await readFile(path, 'utf8')).replace(anyName, renamed)
    await writeFile(
      path,
      text.replace(/"revision":"\w+"(,"url":"[\w-]+\.html")/g, `"revision":"${SECOND_RELEASE_SUFFIX}"$1`),
    )
  }
  for (const name of assets) await rename(join(folder, 'assets', name), join(folder, 'assets', renamed(name)))
}

/** The server reads `_headers` once, so both releases get the rules of both. */
async function allowBoth(first: string, second: string) {
  const page = await readFile(join(second, 'index.html'), 'utf8')
  const hashes = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  const [rules, ofSecond] = await Promise.all(
    [first, second].map((folder) => readFile(join(folder, '_headers'), 'utf8')),
  )
  const both = `${rules?.replace("script-src 'self'", `script-src 'self' ${hashes.join(' ')}`)}${ofSecond?.slice(ofSecond.indexOf('\n/assets/'))}`
  for (const folder of [first, second]) await writeFile(join(folder, '_headers'), both)
}
