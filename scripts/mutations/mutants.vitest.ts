import { defineConfig } from 'vitest/config'

/** `scripts/mutations/mutants.ts` names the tests. */
export default defineConfig({
  test: {
    // Importing the SDKs again for each test file would take most of a mutant's time.
    isolate: false,
    unstubEnvs: true,
    unstubGlobals: true,
    include: (process.env.MUTANT_TESTS ?? '').split(' '),
    testTimeout: 120_000,
  },
})
