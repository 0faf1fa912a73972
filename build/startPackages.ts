import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

const { packages }: Lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))

/** From the project root. */
export const PACKAGES_OMITTED_AT_START = Object.keys(packages).filter((path) => packages[path]?.dev)

/** @throws if `npm start` omits the package of the file, which is given by path or URL. */
export function assertInstalledAtStart(file: string, neededBy = 'npm start') {
  const [, path = ''] = /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? []
  if (packages[path]?.dev)
    throw new Error(
      `${neededBy} needs ${path}, which \`npm start\` does not install: move it to 'dependencies'`,
    )
}
