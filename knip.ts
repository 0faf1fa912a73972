import type { KnipConfig } from 'knip'

// `knip` finds unused files, exports and dependencies. Entries are the files started by name: by npm's
// scripts, the host, a browser, or the build.
export default {
  workspaces: {
    '.': {
      entry: [
        'scripts/bench/run.ts',
        'build/bare-stack/main.tsx',
        'build/build.ts',
        'scripts/checks/{budgets,check,claims,engines,imports,messages,specification,test,transitions,wording}.ts',
        // Stryker loads the last two by name.
        'scripts/mutations/{money,mutants,mutantSample,mutants.vitest}.ts',
        // The build replaces modules of the app by the last two.
        'scenes/frame/{main.tsx,answerCall.ts,useActorRef.ts}',
        'scripts/operations/ops.ts',
        'scripts/pictures/screenshots.ts',
        'scripts/start/start.ts',
        'scripts/storyboard/{main.tsx,storyboard.ts}',
        'netlify/functions/*.ts',
        // The XState visualizer opens these files as they are, and its readers need their exports.
        'machines/*.ts',
        'src/prerender/render.tsx',
        'src/pwa/sw.ts',
      ],
      project: ['**/*.{ts,tsx,mjs,js}', 'src/**/*.css'],
    },
    emulators: {
      entry: ['stripe/browser/*.{js,css}', 'recaptcha/recaptcha.js'],
      project: ['**/*.{ts,js,css}'],
    },
  },
  // A type used in its own file only is often the type of something that other files use.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // A test runs it where it is installed.
  ignoreBinaries: ['hledger'],
  // Stryker loads it by name.
  ignoreDependencies: ['@stryker-mutator/vitest-runner'],
  compilers: {
    /** Finds the font, which only a style sheet imports. */
    css: (text: string) =>
      [...text.matchAll(/url\("(@[^"]+)"\)/g)].map(([, file]) => `import '${file}'`).join('\n'),
  },
} satisfies KnipConfig
