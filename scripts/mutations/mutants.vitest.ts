import { defineConfig } from 'vitest/config'

/** The tests that judge the mutants of one folder; scripts/mutations/mutants.ts names them. A build's plugins have nothing to do here. */
export default defineConfig({
  test: { include: (process.env.MUTANT_TESTS ?? '').split(' '), testTimeout: 120_000 },
})
