import { basename, dirname } from 'node:path'
import { defineConfig } from 'vitest/config'
import { withBug } from './moneyBugs.ts'

/** The functions with one bug in them, for `npm run test:money:bugs`. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  plugins: [
    {
      name: 'money-bug',
      enforce: 'pre',
      transform: (code, id) =>
        dirname(id).endsWith('/netlify/server')
          ? withBug(process.env.MONEY_BUG ?? '', basename(id), code)
          : null,
    },
  ],
  test: {
    include: ['netlify/money.test.ts'],
    testNamePattern: 'any schedule',
    // Kept modules would have the bug of an earlier run.
    fsModuleCache: false,
  },
})
