import { defineConfig } from '@playwright/test'

/** Engines other than Chromium. Their tests drive them directly; Playwright only runs the tests. */
export default defineConfig({
  testDir: 'e2e/engines',
  ...(!process.env.SANDBOX_APP && { globalSetup: './e2e/build.ts' }),
  outputDir: 'test-results',
  forbidOnly: true,
  retries: 0,
  workers: 2,
  fullyParallel: true,
  reporter: [['list']],
  timeout: 180_000,
  expect: { timeout: 30_000 },
  projects: [{ name: 'webkit', testIgnore: /popup/ }, { name: 'firefox' }],
})
