import { globSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A file and what it imports: files by their path from the root of the project, packages by their name. */
export interface Importer {
  readonly file: string
  readonly files: readonly string[]
  readonly packages: readonly string[]
}

const SOURCES = '{*,{domain,e2e,firebase,machines,netlify,sandbox,scripts,src}/**/*}.{ts,tsx,mjs}'

/** Every source of the project with its imports, those of types too. */
export function readImports(root: string): Importer[] {
  return globSync(SOURCES, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((file) => importsOf(file, readFileSync(posix.join(root, file), 'utf8')))
}

/** What one source imports. An import whose name is only known when it runs is left out. */
export function importsOf(file: string, text: string): Importer {
  const { module, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const names = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, name] = /^['"`]([^$]*)['"`]$/.exec(text.slice(start, end)) ?? []
      return name ?? []
    }),
  ]
  const isFile = (name: string) => name.startsWith('.')
  return {
    file,
    files: [...new Set(names.filter(isFile).map((name) => posix.join(dirname(file), name)))],
    packages: [...new Set(names.filter((name) => !isFile(name)))],
  }
}
