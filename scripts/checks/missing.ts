import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import linguiConfig from '../../lingui.config.ts'

// Who adds a wallet, a page, a function or a collection is told by each of these what it still lacks, and in which file. What the
// compiler asks for is not told once more.

const ROOT = join(import.meta.dirname, '../..')

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const filesOf = (glob: string) => globSync(glob, { cwd: ROOT })
const isIn = (text: string, ...paths: string[]) => paths.some((path) => read(path).includes(text))

/** A sentence that names the file, unless what it says is there. */
const unless = (isThere: boolean, sentence: string) => (isThere ? [] : [sentence])

export function missingOfWallet({ id, name }: { id: string; name: string }): string[] {
  return [
    ...unless(
      isIn(`'${id}'`, 'domain/wallets.test.ts'),
      `domain/wallets.test.ts: no row says in which country ${id} is offered, and after which other.`,
    ),
    ...unless(isIn(name, 'docs/specification.md'), `docs/specification.md: no line names ${name}.`),
  ]
}

/** @param name of `PAGES` in src/shell/pageNames.ts; `screens` are the names of all screens of the end-to-end tests. */
export function missingOfPage(name: string, screens: readonly string[]): string[] {
  return [
    ...unless(
      isIn(`'${name}'`, ...filesOf('src/shell/*.tsx')),
      `src/shell/: neither TopBar.tsx and BottomBar.tsx nor ProfileMenu.tsx nor another page leads to '${name}'.`,
    ),
    ...unless(
      screens.some((screen) => screen === name || screen.startsWith(`${name}-`)),
      `e2e/screens/: no part has a screen '${name}' or '${name}-…', so no check and no photograph looks at it.`,
    ),
  ]
}

/** Pages whose words would be loaded with the home screen. */
export function missingOfCatalogs(pages: readonly string[] = pagesOfTheApp()): string[] {
  const include = linguiConfig.catalogs?.find(({ path }) => path.includes('/pages/'))?.include ?? []
  return pages.flatMap((page) =>
    unless(
      include.some((glob) => matchesGlob(page, glob)),
      `lingui.config.ts: \`pages\` does not have ${page}, so everybody would load its words with the home screen.`,
    ),
  )
}

function pagesOfTheApp(): string[] {
  const imports = read('src/shell/Pages.tsx').matchAll(/import\('\.\.\/(features\/\w+\/\w+Page\.tsx)'\)/g)
  return [...imports].map(([, path]) => `src/${path}`)
}

/** Parts of the product whose screens no check walks. */
export function missingOfParts(
  files: readonly string[] = filesOf('e2e/screens/*.ts'),
  parts = read('e2e/screens.ts'),
): string[] {
  return files.flatMap((file) => {
    const [, part] = /export const (\w+_SCREENS)\b/.exec(read(file)) ?? []
    return part
      ? unless(parts.includes(`  ${part},`), `e2e/screens.ts: \`PARTS\` lacks ${part} of ${file}.`)
      : []
  })
}

/** @param isPublic whether it asks for no token; then the app may be none of its callers. */
export function missingOfFunction(name: string, isPublic: boolean): string[] {
  const tests = filesOf('netlify/**/*.test.ts').filter((file) => file !== 'netlify/access.test.ts')
  const world = filesOf('netlify/testing/*.ts')
  return [
    ...unless(
      isPublic || isIn(`'${name}'`, 'domain/api.ts'),
      `domain/api.ts: \`Api\` does not say what '${name}' is asked and what it answers.`,
    ),
    ...unless(
      filesOf(`netlify/functions/${name}.ts`).length > 0,
      `netlify/functions/${name}.ts: it has no address.`,
    ),
    ...unless(
      new RegExp(`^\\| \`(GET |POST )?${name}\``, 'm').test(read('docs/architecture.md')),
      `docs/architecture.md: the table of functions has no row for ${name}.`,
    ),
    ...unless(
      isIn(`'${name}'`, ...tests, ...world),
      `netlify/: no test but access.test.ts calls '${name}', so nobody sees what it does.`,
    ),
    ...unless(
      isPublic || isIn(`'${name}'`, ...filesOf('src/{services,actors}/*.ts')),
      `src/services/: nothing calls '${name}', so no screen can.`,
    ),
    ...unless(
      isPublic || isIn(`'${name}': {`, 'netlify/access.test.ts'),
      `netlify/access.test.ts: \`QUESTIONS\` does not say how '${name}' is asked, nor how it refuses a stranger.`,
    ),
  ]
}

/** The collections that the rules or the functions name. */
export function collections(): string[] {
  const sources = filesOf('netlify/server/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const named = [
    ...read('firebase/firestore.rules').matchAll(/^ {4}match \/(\w+)\//gm),
    ...sources.flatMap((file) => [...read(file).matchAll(/\bdb\.(?:collection|doc)\(['`](\w+)/g)]),
  ]
  return [...new Set(named.map(([, name = '']) => name))].sort()
}

export function missingOfCollection(name: string, told = read('docs/architecture.md')): string[] {
  return [
    ...unless(
      new RegExp(`^  ${name}: (\\{|serverOnly)`, 'm').test(read('firebase/testing/firestore.ts')),
      `firebase/testing/firestore.ts: \`COLLECTIONS\` does not say who may do what with '${name}'.`,
    ),
    ...unless(
      new RegExp(`^\\| \`${name}\`( +\\| +[^ |][^|]+){3}\\|$`, 'm').test(told),
      `docs/architecture.md: the table of collections has no row for '${name}': what it holds, who writes it, and what becomes of it when its owner deletes the account.`,
    ),
    ...unless(
      !new RegExp(`^\\| \`${name}\`.*\\| Goes`, 'm').test(told) ||
        isIn(`'${name}'`, 'netlify/accountEnd.test.ts'),
      `netlify/accountEnd.test.ts: '${name}' goes with the account, by docs/architecture.md, and no test looks whether it does.`,
    ),
  ]
}
