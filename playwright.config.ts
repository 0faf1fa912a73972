import { defineConfig, devices } from '@playwright/test'
import { findChromium } from './scripts/setup/chromium.mjs'

const executablePath = await findChromium()
if (!executablePath && !process.argv.includes('--list'))
  throw new Error('No Chromium found. `npm test` installs one.')

/**
 * Specs of which neither the width nor the language decides anything: one window shows what they ask, and a run in both takes
 * minutes more. What is seen of their screens, both see in other specs, and in accessibility.spec.ts each width and language.
 */
const ON_THE_PHONE_ALONE =
  /(?:offline|offline-payment|saved-cards|kept-forms|late-answers|plans|profile|refusals|signing-out|own-window|returning)\.spec/
const ON_THE_DESK_ALONE = /(?:prices|sessions|slow-code|identity|invoices)\.spec/

export default defineConfig({
  testDir: 'e2e',
  // Those have a configuration of their own.
  testIgnore: /engines/,
  // Whoever names an app of their own has built it.
  ...(!process.env.SANDBOX_APP && { globalSetup: './e2e/build.ts' }),
  outputDir: 'test-results',
  forbidOnly: true,
  retries: 0,
  workers: 3,
  fullyParallel: true,
  reporter: [['list']],
  // Long enough for a machine that is busy with other things: what never comes fails all the same.
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
    // Tests look at what the page asks of the network. offline.spec.ts has them.
    serviceWorkers: 'block',
    // Recording each test takes 30 % of the time of all; `--trace on` records the one that is looked into.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'phone',
      // Pages for developers and designers, and what has nothing to do with the window.
      testIgnore: [/engines|statecharts|storyboard|restart/, ON_THE_DESK_ALONE],
      use: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
    },
    {
      name: 'desktop',
      // That one sets its own windows, wide ones too.
      testIgnore: [/engines|accessibility/, ON_THE_PHONE_ALONE],
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
    },
  ],
})
