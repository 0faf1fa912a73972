import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

const { packages }: Lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))

/** Where packages lie that `npm start` does without, from the root of the project. */
export const leftOutAtStart = Object.keys(packages).filter((path) => packages[path]?.dev)

/** @throws when a file that `npm start` needs, by its path or URL, is of a package that it does not install */
export function checkInstalledAtStart(file: string, neededBy = 'npm start') {
  const [, path = ''] = /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? []
  if (packages[path]?.dev)
    throw new Error(
      `${neededBy} needs ${path}, which \`npm start\` does not install: it belongs into 'dependencies'`,
    )
}
