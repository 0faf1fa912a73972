import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { goTo, stageOf } from '../../e2e/screens/screen.ts'
import { type PlacedScreen, SCREENS } from '../../e2e/screens.ts'
import { type Server, startServer } from '../../e2e/server.ts'
import { firstVisit } from '../../e2e/steps/device.ts'
import { expectStanding, hearStates } from '../../e2e/steps/standing.ts'
import { appFolder, ensureBuilt } from '../build/build.ts'
import { findChromium } from '../setup/chromium.mjs'
import { LANGUAGES, pictureName, type View, WINDOWS } from './data.ts'
import { PICTURES } from './kept.ts'

/**
 * Photographs the screens whose name holds this text: in both windows, both languages, light and dark. A screen that can't be reached, or
 * on which the machines are elsewhere, is told, does not cost the pictures of the others, and ends the command with an error.
 */
export async function takePictures(filter: string): Promise<void> {
  const executablePath = await findChromium()
  if (!executablePath) throw new Error('No Chromium found. `npm test` installs one.')
  const screens = SCREENS.filter(({ name }) => name.includes(filter))
  if (screens.length === 0) throw new Error(`No screen has '${filter}' in its name.`)
  ensureBuilt('told')
  mkdirSync(PICTURES, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    // The tests' texts are in one language at a time; the windows go side by side, each with its own server.
    for (const language of LANGUAGES)
      await Promise.all(
        (['phone', 'desk'] as const).map((window) => takeIn({ language, window }, screens, browser)),
      )
  } finally {
    await browser.close()
  }
}

type Shown = Pick<View, 'language' | 'window'>

async function takeIn(view: Shown, screens: readonly PlacedScreen[], browser: Browser) {
  const { server, stop } = await startServer({ SANDBOX_APP: appFolder('told') })
  try {
    for (const [at, screen] of screens.entries()) {
      await take(browser, server, screen, view).catch((error) => {
        console.error(`${screen.name} (${view.language}, ${view.window}): ${error}`)
        process.exitCode = 1
      })
      if (at % 10 === 9)
        console.log(`${at + 1} of ${screens.length} screens in ${view.language}, ${view.window}`)
    }
  } finally {
    stop()
  }
}

async function take(browser: Browser, server: Server, screen: PlacedScreen, view: Shown) {
  await server.renew()
  const context = await browser.newContext({
    baseURL: server.origin,
    viewport: WINDOWS[view.window],
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce',
    hasTouch: view.window === 'phone',
    serviceWorkers: 'block',
  })
  try {
    const page = await context.newPage()
    await hearStates(page)
    await firstVisit(page)
    await goTo(screen, stageOf(page, server, view.language))
    await expectStanding(page, screen)
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      const path = join(PICTURES, pictureName(screen.name, { ...view, scheme }))
      await page.screenshot({ path, type: 'jpeg', quality: 70, animations: 'disabled' })
    }
  } finally {
    await context.close()
  }
}
