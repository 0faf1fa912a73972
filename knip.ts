import type { KnipConfig } from 'knip'

// `knip` finds files, exports and dependencies that nobody uses. The entries are what somebody starts by its name:
// npm's scripts, the host, a browser, or the build.
export default {
  workspaces: {
    '.': {
      entry: [
        'scripts/bench/run.ts',
        'scripts/bench/bare-stack/main.tsx',
        'scripts/build/build.ts',
        'scripts/checks/{budgets,check,imports,messages,specification,test,transitions}.ts',
        // Stryker loads the last two by their names.
        'scripts/mutations/{money,mutants,mutantSample,mutants.vitest}.ts',
        'scripts/operations/ops.ts',
        'scripts/pictures/{receipt-fonts,screenshots}.ts',
        'scripts/statecharts/export.ts',
        'scripts/scale/simulate.ts',
        'scripts/start/start.ts',
        'scripts/storyboard/{main.tsx,storyboard.ts}',
        'netlify/functions/*.ts',
        // Opened as they are in the XState visualiser: what they name belongs to what is read there.
        'machines/*.ts',
        'src/prerender/render.tsx',
        'src/pwa/pushWorker.ts',
      ],
      project: ['**/*.{ts,tsx,mjs,js}', 'src/**/*.css'],
    },
    emulators: {
      entry: ['stripe/browser/*.{js,css}', 'recaptcha/recaptcha.js'],
      project: ['**/*.{ts,js,css}'],
    },
  },
  // A type that only its own file names is the type of something that others use.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Stryker loads it by its name.
  ignoreDependencies: ['@stryker-mutator/vitest-runner'],
  compilers: {
    /** The font is named in a style sheet and nowhere else. */
    css: (text: string) =>
      [...text.matchAll(/url\("(@[^"]+)"\)/g)].map(([, file]) => `import '${file}'`).join('\n'),
  },
} satisfies KnipConfig
