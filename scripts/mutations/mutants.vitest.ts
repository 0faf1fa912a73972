import { defineConfig } from 'vitest/config'

/** Runs the tests that scripts/mutations/mutants.ts names. Build plugins are not needed. */
export default defineConfig({
  test: { include: (process.env.MUTANT_TESTS ?? '').split(' '), testTimeout: 120_000 },
})
