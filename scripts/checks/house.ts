/**
 * How the house is built: which folder stands on which. A file imports from its own folder and from lower floors; folders of one
 * floor don't know each other. `*` stands for each folder of that place: a new feature is guarded without being named.
 */
export const TOWERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ground: [['domain'], ['machines']],
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
    ['netlify/server/deliveries'],
    ['netlify/server/platform'],
    ['netlify/server/payments'],
    ['netlify/server/plans'],
    ['netlify/server/operations'],
    ['netlify/server/endpoints'],
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
    ['scripts/reports'],
    ['scripts/mutations'],
    ['scripts/checks'],
    ['scripts/*'],
  ],
}

/** The towers that a tower may build on, besides its own. */
export const BESIDE: Readonly<Record<string, readonly string[]>> = {
  ground: [],
  app: ['ground'],
  functions: ['ground'],
  sandbox: [],
  tools: ['ground', 'app', 'functions', 'sandbox'],
}

/** What may be imported of packages, where that is limited. By folder, the first that fits: the names, as they begin. */
export const PACKAGES: readonly {
  readonly in: readonly string[]
  readonly only?: readonly string[]
  readonly never?: readonly string[]
  readonly because: string
}[] = [
  { in: ['domain'], only: [], because: 'The rules need nothing but the language.' },
  { in: ['machines'], only: ['xstate'], because: 'A machine needs nothing but xstate and the domain.' },
  {
    in: ['src/services'],
    never: ['react', '@mantine', 'xstate', '@xstate'],
    because: 'Services know no screen and no machine.',
  },
  {
    in: ['src/cache', 'src/browser'],
    never: ['react', '@mantine', 'xstate', '@xstate', 'firebase', '@stripe'],
    because: 'What the device keeps knows no screen, no machine and no service.',
  },
  { in: ['src'], never: ['firebase', '@stripe'], because: 'Only services import the SDKs.' },
]
