import { defineConfig, devices } from '@playwright/test'
import { isProof } from './e2e/proof.ts'
import { findChromium } from './scripts/setup/chromium.mjs'

const executablePath = await findChromium()
if (!executablePath && !process.argv.includes('--list'))
  throw new Error('No Chromium found. `npm test` installs one.')

// These patterns match whole paths, so a folder above the project must not match them.
const ENGINES = /e2e\/engines\//

export default defineConfig({
  testDir: 'e2e',
  // The tests of other engines have their own configuration.
  testIgnore: ENGINES,
  // With SANDBOX_APP, the app is already built.
  ...(!process.env.SANDBOX_APP && { globalSetup: './e2e/build.ts' }),
  outputDir: 'test-results',
  // The stored pictures are the same on each system, because receipts embed their fonts.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  forbidOnly: true,
  retries: 0,
  workers: 3,
  fullyParallel: true,
  reporter: [['list']],
  // Long enough for a busy machine.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    // Drawing and awaiting motion takes an eighth of the proof's time.
    ...(isProof && { contextOptions: { reducedMotion: 'reduce' as const } }),
    // Tests observe the page's requests. Only offline.spec.ts needs service workers.
    serviceWorkers: 'block',
    // Tracing each test takes 30 % of the time; use `--trace on` for a single one.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  // Scenes show each screen in both windows and languages, so a test runs in one: on the phone in French or,
  // with `@desk`, on the desk in English. `@both` runs in both, because their layouts differ; `@english` is
  // repeated on the desk for its English texts, but not by the proof.
  projects: [
    {
      name: 'phone',
      grepInvert: isProof ? /@desk|@all/ : /@desk/,
      use: {
        viewport: { width: 360, height: 740 },
        // Painting four times as many pixels takes an eighth of the proof's time.
        deviceScaleFactor: isProof ? 1 : 2,
        hasTouch: true,
        isMobile: true,
      },
    },
    {
      name: 'desktop',
      ...(isProof && { grepInvert: /@all/ }),
      grep: isProof ? /@desk|@both/ : /@desk|@both|@english/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
    },
  ],
})
