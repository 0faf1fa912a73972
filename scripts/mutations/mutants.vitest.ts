import { defineConfig } from 'vitest/config'

/** `scripts/mutations/mutants.ts` names the tests. */
export default defineConfig({
  test: { include: (process.env.MUTANT_TESTS ?? '').split(' '), testTimeout: 120_000 },
})
