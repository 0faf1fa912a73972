import { defineConfig } from 'vitest/config'

/** `scripts/mutations/mutants.ts` names them. */
const tests = process.env.MUTANT_TESTS ?? ''

export default defineConfig({
  test: {
    // Importing the server's SDKs again for each test file would take most of a mutant's time.
    isolate: !tests.startsWith('netlify/'),
    unstubEnvs: true,
    unstubGlobals: true,
    include: tests.split(' '),
    testTimeout: 120_000,
  },
})
