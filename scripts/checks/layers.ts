export interface SourceFile {
  /** Path from the project root. */
  readonly file: string
  readonly text: string
}

/**
 * A file may import from its own folder, from lower layers of its area (listed above it here), and from the
 * areas in `USES`. Folders of the same layer don't import each other; `*` is any folder.
 */
const AREAS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  rules: [
    ['domain/common'],
    ['domain/money'],
    ['domain/journal', 'domain/numbers'],
    ['domain/people'],
    ['domain/account', 'domain/invoices'],
    ['domain/prices'],
    ['domain/transfers'],
    ['domain/records', 'domain/payouts', 'domain/errors'],
    ['domain/api', 'domain/settings'],
    ['machines', 'print'],
  ],
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
    ['netlify/server/accounts'],
    ['netlify/server/payments'],
    ['netlify/server/plans'],
    ['netlify/server/events'],
    ['netlify/server/endpoints'],
    // Lower layers know payouts only by the interface in platform/payouts.ts.
    ['netlify/server/payouts'],
    ['netlify/functions'],
  ],
  sandbox: [['sandbox']],
  // Root and folders import each other, but no product code.
  emulators: [['emulators']],
  tools: [
    ['build', 'statecharts'],
    ['scripts/setup'],
    ['scripts/operations'],
    ['scenes'],
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

/** The first rule that matches a file applies. */
const PACKAGES: readonly { readonly in: RegExp; readonly only?: RegExp; readonly never?: RegExp }[] = [
  { in: /^domain\//, only: /^(valibot|@noble\/ed25519)$/ },
  { in: /^machines\//, only: /^xstate$/ },
  { in: /^print\//, only: /^(jspdf|uqr)$/ },
  { in: /^src\/services\//, never: /^(react|@mantine|@?xstate)(\/|$)/ },
  { in: /^src\/(cache|browser)\//, never: /^(react|@mantine|@?xstate|firebase|@stripe)(\/|$)/ },
  { in: /^src\//, never: /^(firebase|@stripe)(\/|$)/ },
]

/** Only `usedBy` and tools import this folder: without payouts, none of its code runs. */
const PAYOUTS = {
  in: /^domain\/payouts\//,
  usedBy: /^(domain|netlify\/server)\/payouts\/|^machines\/delivery\.ts$/,
}

/** Browser helpers know no rule of the product. */
const BROWSER = { in: /^src\/browser\//, knows: /^domain\/(common|errors)\// }

/** The pattern ignores the names of settings (`MTN_API_KEY`) and of wallets (`mtn_money`). */
const PROVIDER = {
  name: /(?<!_)mtn(?!_)/i,
  in: /^(domain|machines|netlify|print|src)\//,
  knownBy:
    /^((domain|netlify\/server)\/payouts\/|domain\/numbers\/wallets\.ts$|src\/services\/promisedMinutes\.ts$)/,
}

/** Test code may import anything, and only tests and tools may import it. */
const TEST_CODE = /\.(test|samples)\.tsx?$|\/testing\/|^(firebase|schedules)\//

const PLACES = Object.entries(AREAS)
  .flatMap(([area, layers]) =>
    layers.flatMap((folders, layer) => folders.map((folder) => ({ area, layer, folder }))),
  )
  .map((place) => ({
    ...place,
    files: new RegExp(place.folder === '.' ? '^(?=[^/]+$)' : `^${place.folder.replace('*', '[^/]+')}/`),
  }))
  .sort((one, other) => other.folder.length - one.folder.length)

function findPlace(file: string) {
  const place = PLACES.find(({ files }) => files.test(file))
  return place && { ...place, folder: place.files.exec(file)?.[0] }
}

export function findImportProblems(sources: readonly SourceFile[]): string[] {
  const imports = new Map(sources.map(({ file, text }) => [file, parseImports(file, text)]))
  return [
    ...[...imports].flatMap(([file, names]) => checkFile(file, names)),
    ...findCircles(imports),
    ...sources.flatMap(findProviderNames),
  ]
}

function findProviderNames({ file, text }: SourceFile): string[] {
  if (!PROVIDER.in.test(file) || PROVIDER.knownBy.test(file) || TEST_CODE.test(file)) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      PROVIDER.name.test(line) ? `${file}:${index + 1} may not name a payout provider` : [],
    )
}

/** Returns file paths from the project root, and packages with the prefix `npm:`. */
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
  if (emulators.length > 0 && !file.startsWith('emulators/'))
    return emulators.map((name) => `${file} may not import ${name} by its path`)
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
    if (PAYOUTS.in.test(name) && from.area !== 'tools' && !PAYOUTS.usedBy.test(file)) return false
    if (BROWSER.in.test(file) && to.area === 'rules') return BROWSER.knows.test(name)
    if (to.area !== from.area) return USES[from.area]?.includes(to.area) ?? false
    return to.folder === from.folder || to.layer < from.layer
  }
  return imports.filter((name) => !isAllowed(name)).map((name) => `${file} may not import ${name}`)
}

function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): string[] => {
    const start = path.indexOf(file)
    if (start >= 0) return [`import cycle: ${[...path.slice(start), file].join(' → ')}`]
    if (done.has(file)) return []
    const circles = (imports.get(file) ?? []).flatMap((name) => walk(name, [...path, file]))
    done.add(file)
    return circles
  }
  return [...imports.keys()].flatMap((file) => walk(file, []))
}
