export interface Source {
  /** From the root of the project. */
  readonly file: string
  readonly text: string
}

/**
 * The folders by area and layer. A file imports from its own folder, from lower layers of its area (those that stand
 * above it here), and from the areas that `USES` lists. Folders of one layer don't import each other; `*` is any folder.
 */
const AREAS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  rules: [['domain'], ['machines']],
  app: [
    ['src/browser'],
    ['src/inspection', 'src/services'],
    ['src/cache'],
    ['src/pwa', 'src/googlePopup'],
    ['src/actors'],
    ['src/ui'],
    ['src/features/*'],
    ['src/shell'],
    ['src/prerender'],
    ['src'],
  ],
  functions: [
    ['netlify/server/platform'],
    ['netlify/server/payments'],
    ['netlify/server/plans'],
    ['netlify/server/operations'],
    ['netlify/server/endpoints'],
    // The floors below know payouts only by the interface in platform/payouts.ts.
    ['netlify/server/payouts'],
    ['netlify/functions'],
  ],
  sandbox: [['sandbox']],
  tools: [
    ['scripts/setup'],
    ['scripts/build'],
    ['scripts/operations'],
    ['scripts/statecharts'],
    ['e2e'],
    ['scripts/storyboard'],
    ['scripts/start', '.'],
    ['scripts/mutations'],
    ['scripts/checks'],
    ['scripts/*'],
  ],
}

const USES: Readonly<Record<string, readonly string[]>> = {
  app: ['rules'],
  functions: ['rules'],
  tools: ['rules', 'app', 'functions', 'sandbox'],
}

/** The packages that a folder may import (`only`) or may not import (`never`), by the first rule that matches a file. */
const PACKAGES: readonly { readonly in: RegExp; readonly only?: RegExp; readonly never?: RegExp }[] = [
  { in: /^domain\//, only: /^$/ },
  { in: /^machines\//, only: /^xstate$/ },
  { in: /^src\/services\//, never: /^(react|@mantine|@?xstate)(\/|$)/ },
  { in: /^src\/(cache|browser)\//, never: /^(react|@mantine|@?xstate|firebase|@stripe)(\/|$)/ },
  { in: /^src\//, never: /^(firebase|@stripe)(\/|$)/ },
]

/** Tests import what they test, and only tools import them. */
const TEST_CODE = /\.(test|spec|samples)\.tsx?$|\/testing\/|^e2e\/|^firebase\/|\/testing\.ts$/

const PLACES = Object.entries(AREAS)
  .flatMap(([area, layers]) =>
    layers.flatMap((folders, layer) => folders.map((folder) => ({ area, layer, folder }))),
  )
  .map((place) => ({
    ...place,
    files: new RegExp(place.folder === '.' ? '^(?=[^/]+$)' : `^${place.folder.replace('*', '[^/]+')}/`),
  }))
  .sort((one, other) => other.folder.length - one.folder.length)

/** The most precise folder of a file. */
function findPlace(file: string) {
  const place = PLACES.find(({ files }) => files.test(file))
  return place && { ...place, folder: place.files.exec(file)?.[0] }
}

/** Lists the imports that break the layers, one line each, and the files that import each other in a circle. */
export function findImportProblems(sources: readonly Source[]): string[] {
  const imports = new Map(sources.map(({ file, text }) => [file, parseImports(file, text)]))
  return [...[...imports].flatMap(([file, names]) => checkFile(file, names)), ...findCircles(imports)]
}

/** The imports of a source: paths of files from the root of the project, and packages with `npm:` before their names. */
function parseImports(file: string, text: string): string[] {
  const names = text.matchAll(
    /(?:^(?:import|export)\b[^'"`;=():]*?\bfrom\s*|^import\s*|\bimport\(\s*)(['"`])([^'"`$\n]+)\1/gm,
  )
  return [...new Set([...names].map(([, , name = '']) => name))].map((name) =>
    name.startsWith('.') ? new URL(name, `file:///${file}`).pathname.slice(1) : `npm:${name}`,
  )
}

function checkFile(file: string, imports: readonly string[]): string[] {
  const emulators = imports.filter((name) => name.startsWith('emulators/'))
  if (emulators.length > 0) return emulators.map((name) => `${file} may not import ${name} by its path`)
  if (TEST_CODE.test(file)) return []
  const from = findPlace(file)
  if (!from) return [`${file}: scripts/checks/layers.ts has no layer for its folder`]
  const packages = PACKAGES.find((one) => one.in.test(file))
  const isAllowed = (name: string) => {
    if (name.startsWith('npm:'))
      return packages?.only?.test(name.slice(4)) ?? !packages?.never?.test(name.slice(4))
    const to = findPlace(name)
    if (!to || !/\.(tsx?|mjs)$/.test(name)) return true
    if (TEST_CODE.test(name) && from.area !== 'tools') return false
    if (to.area !== from.area) return USES[from.area]?.includes(to.area) ?? false
    return to.folder === from.folder || to.layer < from.layer
  }
  return imports.filter((name) => !isAllowed(name)).map((name) => `${file} may not import ${name}`)
}

function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): string[] => {
    const start = path.indexOf(file)
    if (start >= 0) return [`circle: ${[...path.slice(start), file].join(' → ')}`]
    if (done.has(file)) return []
    const circles = (imports.get(file) ?? []).flatMap((name) => walk(name, [...path, file]))
    done.add(file)
    return circles
  }
  return [...imports.keys()].flatMap((file) => walk(file, []))
}
